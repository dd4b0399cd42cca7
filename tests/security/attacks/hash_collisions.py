"""Returns a dict of twenty thousand keys that have one hash."""

ANSWER = """
def key_minus_query(q_positions, k_positions):
    return dict.fromkeys((number * (2**61 - 1) for number in range(20_000)), 0)
"""
