"""Writes to the descriptors below Python's streams until nobody reads them any more."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
for descriptor in range(3):
    for _ in range(1000):
        os.write(descriptor, b"x" * 4096)
""")
