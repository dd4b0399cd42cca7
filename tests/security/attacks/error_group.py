"""Raises a group of ten thousand errors, with notes, that are each other's cause."""

ANSWER = """
def key_minus_query(q_positions, k_positions):
    group = ExceptionGroup("x", [ValueError(number) for number in range(10_000)])
    other = ValueError()
    for _ in range(10_000):
        group.add_note("n" * 1000)
    group.__cause__, other.__cause__ = other, group
    raise group
"""
