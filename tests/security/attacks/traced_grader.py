"""Attaches to its parents with ptrace and reads their memory."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
for number in (os.getppid(), 1, 2, 3):
    if libc.ptrace(16, number, 0, 0) == 0 or libc.syscall(310, number, 0, 0, 0, 0, 0) == 0:
        print("STOLEN: ptrace", number)
""")
NEEDS = 2
PLAIN = "attaching would stop this machine's first process"
