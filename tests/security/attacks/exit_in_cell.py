"""Ends its process without a word."""

from tests.security.pieces import WORTHLESS

ANSWER = f"{WORTHLESS}\nimport os\n\nos._exit(0)"
