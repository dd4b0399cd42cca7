"""Starts programs that never end with a line that begins with an exclamation mark."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
!sleep 1000 & sleep 1000
"""
PLAIN = "would leave programs behind"
