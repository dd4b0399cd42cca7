"""Sends a header nested as deeply as its cap allows."""

from tests.security.pieces import say

ANSWER = say("""frame(b'{"result": ' + b'{"list": [' * 100_000 + b"]}" * 100_000 + b"}")""")
