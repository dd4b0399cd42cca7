"""Prints what turns the direction of writing around, is invisible, or stacks."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
print(chr(0x202e) + chr(0x2066) + chr(0x200b) + "a" + chr(0x301) * 10_000)
"""
