"""Returns arrays of objects, of words, of records and of dates."""

ANSWER = """
import numpy as np


def key_minus_query(q_positions, k_positions):
    records = np.zeros(2, [("a", "f4")])
    return [np.array([{}, None], object), np.array(["x"]), records, np.datetime64("NaT")]
"""
