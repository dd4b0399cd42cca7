"""Outputs that a worker has sent, made safe for a notebook that a teacher opens.

What a page would run or load (HTML, SVG, JavaScript, widgets) is dropped; text and pictures stay.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
from typing import Any

Output = dict[str, Any]  # one output of a cell, as in nbformat

PICTURES = {"image/png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/jpeg": b"\xff\xd8\xff"}
PICTURE = 8  # characters of a picture that count as one of text
PIXELS = 50_000_000  # of one picture: a browser unpacks all of them, whatever the file's size
SCANS = 50  # of one JPEG: a browser goes through all pixels in each; a progressive picture has 10
FRAMES = {*range(0xFFC0, 0xFFD0)} - {0xFFC4, 0xFFC8, 0xFFCC}  # JPEG markers followed by its size
# JPEG markers that may precede the frame, each followed by a length
BEFORE = {0xFFC4, 0xFFCC, 0xFFDB, 0xFFDD, *range(0xFFE0, 0xFFF0), 0xFFFE}
COUNT = 1_000  # outputs of one cell
HIDES = r"[\d;]*(?<!\d)(?<!38;5;)(?<!48;5;)0*8[;m]"  # hides what follows, until it is reset
# reading direction, which would reorder the grader's words too
TURNS = re.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
OBEYED = re.compile(
    rf"\x1b(?!\[(?!{HIDES})[\d;]*m)|[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]"
    rf"|{TURNS.pattern}"
)
STREAMS = ("stdout", "stderr")


def fit_outputs(reply: Any, room: int) -> list[Output]:
    """Return the outputs in `reply`, without what a browser would run.

    room: how many characters are kept in all; `PICTURE` characters of a picture count as one.
    """
    outputs: list[Output] = []
    for output in reply[:COUNT] if isinstance(reply, list) else []:
        fitted = _fit(output, room) if isinstance(output, dict) else None
        if fitted and (size := _size(fitted)) <= room:
            room -= size
            outputs.append(fitted)
    return outputs


def _fit(output: Output, room: int) -> Output | None:
    kind = output.get("output_type")
    if kind == "stream" and output.get("name") in STREAMS:
        text = _text(output.get("text"), room)
        return {"output_type": kind, "name": output["name"], "text": text}
    if kind == "error":
        sent = output.get("traceback")
        lines = [line for line in sent if isinstance(line, str)] if isinstance(sent, list) else []
        return {
            "output_type": kind,
            "ename": _text(output.get("ename"), 200),
            "evalue": _text(output.get("evalue"), 2000),
            "traceback": _text("\n".join(lines[:100]), max(room - 2200, 0)).split("\n"),
        }
    if kind in ("display_data", "execute_result") and isinstance(output.get("data"), dict):
        data = _data(output["data"], room)
        # always a display: nbgrader would take the value of a last expression for a score
        return {"output_type": "display_data", "data": data, "metadata": {}} if data else None
    return None


def _data(data: dict[str, Any], room: int) -> dict[str, str]:
    fitting = {
        kind: content
        for kind in PICTURES
        if isinstance(content := data.get(kind), str) and pixels_of(content, kind, PICTURE * room)
    }
    if isinstance(data.get("text/plain"), str):
        fitting["text/plain"] = _text(data["text/plain"], room)
    return fitting


def pixels_of(content: str, kind: str, room: int) -> int:
    """Return the pixels of a picture in base64; 0 if a page cannot show it, or it exceeds `room`.

    room: how many characters the picture may have.
    """
    try:
        plain = "".join(content.split()) if len(content) <= room else ""
        picture = base64.b64decode(plain, validate=True)
        pixels = SIZES[kind](picture) if picture.startswith(PICTURES[kind]) else 0
    except (binascii.Error, ValueError, struct.error):
        return 0
    return pixels if pixels <= PIXELS else 0


def _png_pixels(picture: bytes) -> int:
    width, height = struct.unpack_from(">II", picture, 16)
    at, kind = 8, b""
    while at + 8 <= len(picture) and kind != b"IDAT":
        length, kind = struct.unpack_from(">I4s", picture, at)
        if kind == b"acTL":
            return 0  # animated: a page would show each of its frames
        at += 12 + length
    return width * height


def _jpeg_pixels(picture: bytes) -> int:
    if picture.count(b"\xff\xda") > SCANS:  # the marker of a scan, which its data cannot hold
        return 0
    at = 2
    while True:  # from marker to marker, up to that of the frame
        marker, length = struct.unpack_from(">HH", picture, at)
        if marker in FRAMES:
            height, width = struct.unpack_from(">HH", picture, at + 5)
            return width * height
        if marker not in BEFORE or length < 2:
            return 0  # a browser goes on to the next marker, wherever it stands
        at += 2 + length


SIZES = {"image/png": _png_pixels, "image/jpeg": _jpeg_pixels}


def printable(text: str) -> str:
    """Return `text` without what files cannot hold, or terminals or pages obey; colours stay."""
    return OBEYED.sub("", text).encode("utf-8", "replace").decode()


def _text(text: Any, room: int) -> str:
    return printable(text[:room]) if isinstance(text, str) else ""


def _size(output: Output) -> int:
    words = [output.get("text", ""), output.get("ename", ""), output.get("evalue", "")]
    words += output.get("traceback", [])
    data = output.get("data", {})
    pictures = sum(len(data.get(kind, "")) for kind in PICTURES)
    return sum(map(len, words)) + len(data.get("text/plain", "")) + -(-pictures // PICTURE)
