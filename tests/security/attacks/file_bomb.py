"""Writes large files and many files wherever it may."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
written = 0
for folder in (".", "/tmp", "/dev/shm"):
    for number in range(20):
        try:
            with open(f"{folder}/bomb{number}", "wb") as file:
                for _ in range(10):
                    written += file.write(bytes(10_000_000))
        except OSError:
            pass
if written > 300_000_000:
    print("STOLEN: disk")
for number in range(1_000_000):
    open(f"many{number}", "w").close()
""")
NEEDS = 1
PLAIN = "would fill this machine's disk"
