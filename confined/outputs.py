"""Outputs that a worker has sent, made fit for a notebook that a teacher opens.

What a page would run or load (HTML, SVG, JavaScript, widgets) is dropped; text and pictures stay.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any

Output = dict[str, Any]  # one output of a cell, as in nbformat

PICTURES = {"image/png": b"\x89PNG", "image/jpeg": b"\xff\xd8\xff"}
STREAMS = ("stdout", "stderr")


def fit_outputs(sent: Any, room: int) -> list[Output]:
    """Return those of `sent` that are outputs, without what a browser would run.

    room: how many characters of text are kept in all; pictures have as much again, eight times.
    """
    kept: list[Output] = []
    for output in sent if isinstance(sent, list) else []:
        fitted = _fit(output, room) if isinstance(output, dict) else None
        if fitted:
            room -= sum(len(text) for text in _texts(fitted))
            kept.append(fitted)
        if room <= 0:
            break
    return kept


def _fit(output: Output, room: int) -> Output | None:
    kind = output.get("output_type")
    if kind == "stream" and output.get("name") in STREAMS:
        return {"output_type": kind, "name": output["name"], "text": _text(output["text"], room)}
    if kind == "error":
        lines = output.get("traceback")
        return {
            "output_type": kind,
            "ename": _text(output.get("ename"), 200),
            "evalue": _text(output.get("evalue"), 2000),
            "traceback": [_text(line, room) for line in lines if isinstance(line, str)][:100]
            if isinstance(lines, list)
            else [],
        }
    if kind in ("display_data", "execute_result") and isinstance(output.get("data"), dict):
        data = _data(output["data"], room)
        # always a display: nbgrader would take the value of a last expression for a score
        return {"output_type": "display_data", "data": data, "metadata": {}} if data else None
    return None


def _data(data: dict[str, Any], room: int) -> dict[str, str]:
    kept = {
        kind: content
        for kind, start in PICTURES.items()
        if isinstance(content := data.get(kind), str) and _is_picture(content, start, 8 * room)
    }
    if isinstance(data.get("text/plain"), str):
        kept["text/plain"] = _text(data["text/plain"], room)
    return kept


def _is_picture(content: str, start: bytes, room: int) -> bool:
    try:
        plain = "".join(content.split()) if len(content) <= room else ""
        return base64.b64decode(plain, validate=True).startswith(start)
    except (binascii.Error, ValueError):
        return False


def _text(text: Any, room: int) -> str:
    said = text if isinstance(text, str) else ""
    return said[:room].encode("utf-8", "replace").decode()


def _texts(output: Output) -> list[str]:
    found = [output.get("text", ""), output.get("evalue", ""), *output.get("traceback", [])]
    return [*found, output.get("data", {}).get("text/plain", "")]
