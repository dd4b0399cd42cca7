"""Sends a tensor of an unknown type, objects, and a pickle."""

from tests.security.pieces import say

ANSWER = say('frame({"result": {"array": ["|O", [1], 0]}, "pickle": 1}, bytes(64))')
