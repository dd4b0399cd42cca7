"""Fills the largest pipes that the kernel gives it, which count as no memory."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
import fcntl

filled = 0
try:
    while True:
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        filled += os.write(writing, bytes(fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 1 << 20)))
except OSError as error:
    print(error)
print("STOLEN: memory" if filled > 1 << 30 else filled)
""")
NEEDS = 2
PLAIN = "would take the pipes of this machine"
