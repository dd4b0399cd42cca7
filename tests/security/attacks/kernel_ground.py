"""Reaches for the kernel's less trodden ground: io_uring, bpf, perf, keys, userfaultfd."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
for number in (425, 321, 298, 248, 250, 323, 304, 303, 246, 175, 169):
    if libc.syscall(number, 0, 0, 0, 0, 0) >= 0 or ctypes.get_errno() not in (1, 38):
        print("STOLEN: system call", number, ctypes.get_errno())
""")
NEEDS = 2
PLAIN = "makes system calls that could stop this machine"
