"""Says that it changed its arguments: to sparse ones, to ones without numbers, to more of them."""

from tests.security.pieces import say

CHANGED = "{'tuple': [{'sparse': [2**40]}, {'huge': [2**60]}, 1, 2]}"
ANSWER = say(f"frame({{'result': 2.0, 'args': {CHANGED}, 'kwargs': {{'list': []}}}})")
