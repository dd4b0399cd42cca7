"""Says that it changed its arguments to complex numbers."""

from tests.security.pieces import say

CHANGED = "{'tuple': [{'tensor': ['complex64', [3], 0]}, {'tensor': ['complex64', [3], 24]}]}"
ANSWER = say(f"frame({{'result': 2.0, 'args': {CHANGED}, 'kwargs': {{'dict': []}}}}, bytes(48))")
