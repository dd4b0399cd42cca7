"""Raises an error whose words raise an error."""

ANSWER = """
class Silent(Exception):
    def __str__(self):
        raise self

    __repr__ = __str__
    args = property(__str__)


def key_minus_query(q_positions, k_positions):
    raise Silent
"""
