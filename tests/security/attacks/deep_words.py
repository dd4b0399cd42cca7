"""Sends nested lists where words are expected."""

from tests.security.pieces import say

ANSWER = say("""frame(b'{"error": {"type": ' + b"[" * 800 + b"]" * 800 + b'}, "printed": [[]]}')""")
