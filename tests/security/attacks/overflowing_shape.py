"""Sends a shape whose product is beyond every integer."""

from tests.security.pieces import say

ANSWER = say('frame({"result": {"huge": [2**62, 2**62]}})')
