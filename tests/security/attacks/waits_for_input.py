"""Waits for a line, a password and a debugger."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
import getpass, sys

sys.stdin.read()
for ask in (input, getpass.getpass, breakpoint):
    try:
        print(ask())
    except BaseException as error:
        print(type(error))
"""
