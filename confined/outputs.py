"""Outputs that a worker has sent, made fit for a notebook that a teacher opens.

What a page would run or load (HTML, SVG, JavaScript, widgets) is dropped; text and pictures stay.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
from typing import Any

Output = dict[str, Any]  # one output of a cell, as in nbformat

PICTURES = {"image/png": b"\x89PNG", "image/jpeg": b"\xff\xd8\xff"}
PICTURE = 8  # characters of a picture that count as one of text
POINTS = 50_000_000  # of one picture: a browser unpacks all of them, whatever the file's size
FRAMES = {*range(0xFFC0, 0xFFD0)} - {0xFFC4, 0xFFC8, 0xFFCC}  # of JPEG: they hold its size
COUNT = 1_000  # outputs of one cell
HIDES = r"[\d;]*(?<!\d)(?<!38;5;)(?<!48;5;)0*8[;m]"  # what follows, until it is reset
OBEYED = re.compile(
    rf"\x1b(?!\[(?!{HIDES})[\d;]*m)|[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]"
    # which way a line is read, the grader's words in it too
    r"|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
STREAMS = ("stdout", "stderr")


def fit_outputs(reply: Any, room: int) -> list[Output]:
    """Return those of `reply` that are outputs, without what a browser would run.

    room: how many characters are kept in all; `PICTURE` of a picture count as one.
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
        if isinstance(content := data.get(kind), str) and is_picture(content, kind, PICTURE * room)
    }
    if isinstance(data.get("text/plain"), str):
        fitting["text/plain"] = _text(data["text/plain"], room)
    return fitting


def is_picture(content: str, kind: str, room: int) -> bool:
    """Return whether this base64 text is a picture that a page can show, of at most `room`."""
    try:
        plain = "".join(content.split()) if len(content) <= room else ""
        picture = base64.b64decode(plain, validate=True)
        return picture.startswith(PICTURES[kind]) and SIZES[kind](picture) <= POINTS
    except (binascii.Error, ValueError, struct.error):
        return False


def _png_points(picture: bytes) -> int:
    width, height = struct.unpack_from(">II", picture, 16)
    return width * height


def _jpeg_points(picture: bytes) -> int:
    at = 2
    while True:  # from marker to marker, to the one of the frame
        marker, length = struct.unpack_from(">HH", picture, at)
        if marker in FRAMES:
            height, width = struct.unpack_from(">HH", picture, at + 5)
            return width * height
        at += 2 + length


SIZES = {"image/png": _png_points, "image/jpeg": _jpeg_points}


def printable(text: str) -> str:
    """Return `text` without what a file cannot hold, or a terminal or page obeys; colours stay."""
    return OBEYED.sub("", text).encode("utf-8", "replace").decode()


def _text(text: Any, room: int) -> str:
    return printable(text[:room]) if isinstance(text, str) else ""


def _size(output: Output) -> int:
    words = [output.get("text", ""), output.get("ename", ""), output.get("evalue", "")]
    words += output.get("traceback", [])
    data = output.get("data", {})
    pictures = sum(len(data.get(kind, "")) for kind in PICTURES)
    return sum(map(len, words)) + len(data.get("text/plain", "")) + -(-pictures // PICTURE)
