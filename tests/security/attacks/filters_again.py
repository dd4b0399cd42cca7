"""Puts filters of its own over landlock and seccomp, and takes itself from its parent's fate."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
for option, value in ((1, 0), (38, 0), (4, 1), (22, 1 << 20), (36, 1)):
    libc.prctl(option, value, 0, 0, 0)
if libc.prctl(1, 0, 0, 0, 0) == 0:
    print("STOLEN: it outlives the grader")
if libc.syscall(444, 0, 0, 0) >= 0:
    print("STOLEN: landlock")
""")
NEEDS = 2
PLAIN = "changes the filters of its own kernel only"
