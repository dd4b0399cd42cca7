"""Sends random bytes as header and payload."""

from tests.security.pieces import say

ANSWER = say("frame(os.urandom(1000), os.urandom(1000))")
