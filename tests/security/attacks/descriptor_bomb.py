"""Opens pipes and sockets until it cannot, and keeps them over the answer's fork."""

from tests.security.pieces import everywhere

ANSWER = everywhere("kept = []\nwhile True:\n    kept += [socket.socketpair(), os.pipe()]")
