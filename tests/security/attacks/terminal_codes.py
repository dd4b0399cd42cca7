"""Prints what a terminal obeys: clear, title, clipboard, hyperlinks."""

from tests.security.pieces import everywhere

ANSWER = everywhere(
    r'print("\x1b[2J\x1b]0;gone\x07\x1b]52;c;YQ==\x07\x1b]8;;file:///etc\x07x\r\x00\x08")'
)
