"""Hides the size of a JPEG behind a byte that browsers skip, before a small size in a comment."""

import base64
import io
import struct

from nbformat.v4 import new_markdown_cell
from PIL import Image

from autograde.demo.workbook import Workbook
from tests.security.pieces import WORTHLESS

FRAME = b"\xff\xc2\x00\x11\x08"  # its marker, length and bits; height and width follow
SMALL = b"\xff\xc0\x00\x0b\x08\x00\x01\x00\x01\x01\x11\x00"


def _pieces() -> tuple[bytes, int, bytes]:
    file = io.BytesIO()
    Image.new("RGB", (16, 16)).save(file, "JPEG", progressive=True)
    before, after = file.getvalue().split(FRAME)
    frame = b"\xff" + FRAME + struct.pack(">HH", 16_000, 16_000) + after[4:14]
    (length,) = struct.unpack_from(">H", frame, 2)  # as whoever takes FF FF for a marker reads it
    blanks = 2 + length - len(frame) - 4
    comment = b"\xff\xfe" + struct.pack(">H", 2 + blanks + len(SMALL))
    return before + frame + comment, blanks, SMALL + after[14:]


START, BLANKS, END = _pieces()
ANSWER = f"""{WORTHLESS}
from IPython.display import Image, display

display(Image({START!r} + bytes({BLANKS}) + {END!r}, format="jpeg"))
"""


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    cell = new_markdown_cell("![](attachment:a.jpg)")
    picture = base64.b64encode(START + bytes(BLANKS) + END).decode()
    cell.attachments = {"a.jpg": {"image/jpeg": picture}}
    book.notebook.cells.append(cell)
