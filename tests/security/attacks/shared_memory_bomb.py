"""Takes memory that setrlimit does not count: shared mappings without a file, memfd, queues."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
import mmap
try:
    kept = [mmap.mmap(-1, 1 << 26) for _ in range(8)]
    print("STOLEN: shared memory")
except OSError as error:
    print(error)
if libc.memfd_create(b"x", 0) >= 0 or os.path.exists("/dev/zero") and os.access("/dev/zero", 2):
    print("STOLEN: memory")
""")
NEEDS = 1
PLAIN = "would stop this machine"
