"""Keeps open files in messages that nobody receives, beyond its limit of open files."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
kept = 0
try:
    while kept < 100_000:
        here, there = socket.socketpair()
        socket.send_fds(here, [b"x"], [here.fileno(), there.fileno()])
        here.close()
        there.close()
        kept += 2
except OSError as error:
    print(error)
print("STOLEN: open files" if kept > 5000 else kept)
""")
NEEDS = 2
PLAIN = "would take the open files of this machine"
