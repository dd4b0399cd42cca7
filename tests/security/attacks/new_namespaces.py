"""Becomes root in a user namespace of its own, to mount and to look around."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
if libc.unshare(0x10000000) == 0 or libc.unshare(0x00020000) == 0:
    print("STOLEN: namespace")
child = libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0)
if child >= 0 or libc.mount(b"x", b"/tmp", b"tmpfs", 0, 0) == 0:
    print("STOLEN: clone or mount")
if libc.setns(0, 0) == 0 or libc.chroot(b"/tmp") == 0:
    print("STOLEN: setns or chroot")
""")
NEEDS = 2
PLAIN = "would unmount this machine's disks for the grader"
