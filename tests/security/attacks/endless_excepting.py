"""Swallows every exception, the one that ends it too."""

ANSWER = """
def key_minus_query(q_positions, k_positions):
    while True:
        try:
            while True:
                pass
        except:
            continue
"""
