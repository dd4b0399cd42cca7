"""Starts threads until it cannot."""

from tests.security.pieces import everywhere

ANSWER = everywhere("while True:\n    threading.Thread(target=time.sleep, args=(60,)).start()")
NEEDS = 2
PLAIN = "would stop this machine"
