"""Sends NaN, infinities, and a number of four thousand digits."""

from tests.security.pieces import say

ANSWER = say("""frame(b'{"result": {"list": [NaN, Infinity, -1e999, ' + b"9" * 4000 + b"]}}")""")
