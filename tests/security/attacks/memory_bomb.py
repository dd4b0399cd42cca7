"""Takes memory until it cannot, in the cell and in the answer."""

ANSWER = """
def key_minus_query(q_positions, k_positions):
    kept = []
    while True:
        kept.append(bytes(1 << 28))


try:
    key_minus_query([], [])
except MemoryError:
    print("no more")
"""
NEEDS = 2
PLAIN = "would stop this machine"
