"""Replaces builtins, codecs and imports, and refuses every audited event."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
import builtins, codecs, sys

codecs.register(lambda name: 1 / 0)
builtins.isinstance = lambda *args: True
builtins.len = lambda *args: 0


def refuse(event, args):
    if event in ("open", "import", "socket.sendmsg"):
        raise RuntimeError("no")


sys.addaudithook(refuse)
"""
