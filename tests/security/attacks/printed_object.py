"""Says that it printed lists nested nine hundred deep."""

from tests.security.pieces import say

ANSWER = say("frame(b'{\"printed\":' + b'[' * 900 + b']' * 900 + b',\"result\":2.0}')")
