"""Sends a whole number of four thousand digits."""

from tests.security.pieces import say

ANSWER = say("frame({'result': 10**4000})")
