"""Types a command into the terminal that the teacher grades from."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
import fcntl
for descriptor in (0, 1, 2):
    try:
        fcntl.ioctl(descriptor, 0x5412, b"#")
        print("STOLEN: terminal")
    except OSError as error:
        print(error)
""")
