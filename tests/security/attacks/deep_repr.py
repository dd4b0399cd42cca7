"""Shows an object that is nested deeper than the stack."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
nested = ()
for _ in range(10**6):
    nested = (nested,)
nested
"""
