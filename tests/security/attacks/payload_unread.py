"""Sends 128 MiB of numbers that nothing in the message names."""

from tests.security.pieces import say

ANSWER = say("frame({'result': 2.0}, bytes(1 << 27))")
