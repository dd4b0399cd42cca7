"""Prints until it is stopped, in the cell and in the answer."""

ANSWER = """
def key_minus_query(q_positions, k_positions):
    while True:
        print("y" * 1000)


while True:
    print("y" * 1000)
"""
PLAIN = "fills the memory of the grader until the cell's time is over"
