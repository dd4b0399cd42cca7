"""Returns and raises words that would be repeated in every reason, nine hundred thousand each."""

ANSWER = """
def key_minus_query(q_positions, k_positions):
    if len(q_positions) % 2:
        raise ValueError(chr(127) * 900_000)
    return {chr(127) * 300_000: [chr(127) * 300_000] * 2}
"""
