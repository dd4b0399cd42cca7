"""Prints its environment, and the one that its process was started with."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
print(dict(os.environ))
environ = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")
place = 0
while environ[place]:
    print(environ[place])
    place += 1
""")
