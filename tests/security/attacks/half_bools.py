"""Sends a bool that is neither true nor false."""

from tests.security.pieces import say

ANSWER = say('frame({"result": {"tensor": ["bool", [5, 5], 0]}}, bytes([2] * 25))')
