"""Sends a tensor whose shape has more numbers than it has bytes, and a negative size."""

from tests.security.pieces import say

ANSWER = say('frame({"result": {"tensor": ["int64", [-5, -7], -8]}}, bytes(280))')
