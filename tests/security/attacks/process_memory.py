"""Reads the memory, the files and the environment of other processes in /proc."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
import glob
for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/root" + course + "/*"):
    try:
        print(path, open(path).read())
    except OSError as error:
        print(error)
for path in glob.glob("/proc/[0-9]*/mem"):
    if path != f"/proc/{os.getpid()}/mem" and os.access(path, os.W_OK):
        print("STOLEN: memory of", path)
""")
NEEDS = 1
PLAIN = "would read this machine's real processes"
