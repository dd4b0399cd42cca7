"""Never returns."""

ANSWER = """
def key_minus_query(q_positions, k_positions):
    while True:
        pass
"""
