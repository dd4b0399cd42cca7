"""Takes memory by kinds of mapping that few know: droppable, huge pages, stacks."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
libc.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]
for flags in (0x28, 0x40022, 0x20022, 0x4022):
    taken = 0
    while taken < 40 and (place := libc.mmap(None, 1 << 26, 3, flags, -1, 0)) != 2**64 - 1:
        libc.memset(place, 1, 1 << 26)
        taken += 1
    print(flags, "STOLEN: memory" if taken > 20 else taken)
""")
NEEDS = 1
PLAIN = "would stop this machine"
