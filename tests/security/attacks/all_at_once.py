"""Asks, fails, ends and replies in one message."""

from tests.security.pieces import say

ANSWER = say("frame({'ask': 0, 'error': {'type': []}, 'result': 2.0, 'closed': True})")
