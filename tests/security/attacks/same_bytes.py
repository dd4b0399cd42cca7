"""Sends ten thousand tensors that are made of the same bytes: 100 GB in the grader."""

from tests.security.pieces import say

ANSWER = say(
    'frame({"result": {"list": [{"tensor": ["uint8", [10**7], 0]}] * 10_000}}, bytes(10**7))'
)
