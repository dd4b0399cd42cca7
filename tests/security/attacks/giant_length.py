"""Announces four gigabytes."""

from tests.security.pieces import say

ANSWER = say('b"\\xff" * 8')
