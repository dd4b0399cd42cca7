"""Opens an installed package to append, maps it to write, and changes its time."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
import mmap

for path in (torch.__file__, torch._C.__file__):
    for change in (
        lambda: os.open(path, os.O_WRONLY | os.O_APPEND),
        lambda: mmap.mmap(os.open(path, os.O_RDONLY), 0, mmap.MAP_SHARED, mmap.PROT_WRITE),
        lambda: os.utime(path),
        lambda: os.setxattr(path, "user.x", b"1"),
    ):
        try:
            change()
            print("STOLEN: may change", path)
        except OSError as error:
            print(error)
""")
NEEDS = 2
PLAIN = "would write to this machine's Python"
