"""Says that its process has ended, and answers on."""

from tests.security.pieces import say

ANSWER = say("frame({'closed': True}) + frame({'kind': 'function'}) + frame({'result': 2.0})")
