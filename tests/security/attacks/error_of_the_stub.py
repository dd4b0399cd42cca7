"""Says that it raised the stub's own error, and sends a result."""

from tests.security.pieces import say

ANSWER = say("frame({'error': {'repr': 'NotImplementedError()'}, 'result': 2.0})")
