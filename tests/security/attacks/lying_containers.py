"""Returns a str, a list and a dict that lie about their length, end and text."""

ANSWER = """
class Word(str):
    __len__ = lambda self: 10**9
    __str__ = __repr__ = __format__ = lambda self, *form: "2.0"


class Endless(dict):
    def items(self):
        number = 0
        while True:
            number += 1
            yield number, Word("x")


def key_minus_query(q_positions, k_positions):
    return [Word("x"), Endless(a=1)]
"""
