"""Shows a picture of fifty kilobytes that a browser unpacks to more than a gigabyte."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
import struct, zlib
from IPython.display import Image, display


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


size = struct.pack(">IIBBBBB", 20_000, 20_000, 1, 0, 0, 0, 0)
points = zlib.compress(bytes(20_000 * 2501), 9)
picture = bytes([137]) + b"PNG" + bytes([13, 10, 26, 10]) + chunk(b"IHDR", size)
display(Image(picture + chunk(b"IDAT", points) + chunk(b"IEND", b"")))
"""
