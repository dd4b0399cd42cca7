"""Names the same key of a reply seventy thousand times."""

from tests.security.pieces import say

ANSWER = say("frame(b'{' + b'\"result\":2.0,' * 70_000 + b'\"result\":2.0}')")
