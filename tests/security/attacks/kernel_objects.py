"""Asks for timers and locks of files until the kernel refuses."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
import fcntl

timer, timers, locks = ctypes.c_int(), 0, 0
while timers < 500_000 and libc.timer_create(1, None, ctypes.byref(timer)) == 0:
    timers += 1
try:
    with open("locked", "wb") as file:
        for place in range(0, 1_000_000, 2):
            fcntl.lockf(file, fcntl.LOCK_EX, 1, place)
            locks += 1
except OSError as error:
    print(error)
print(timers, locks)
""")
NEEDS = 2
PLAIN = "would take the timers of this machine"
