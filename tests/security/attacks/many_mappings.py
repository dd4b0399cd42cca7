"""Cuts its memory into more pieces than the kernel keeps for a process."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
libc.mmap.restype = ctypes.c_void_p
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
place = libc.mmap(None, 1 << 30, 0, 0x22, -1, 0)
while libc.mprotect(place, 4096, 1) == 0:
    place += 8192
""")
PLAIN = "spoils its own kernel only, like here"
