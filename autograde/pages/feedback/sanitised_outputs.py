"""A cell's outputs, made safe to show: text as text, pictures as pictures, HTML made harmless."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup
from nbconvert.filters.ansi import strip_ansi

from autograde.pages.limits import SHOWN_OUTPUT
from autograde.pages.markup import PICTURE, html, markdown
from confined.outputs import Output

Readers = Mapping[str, Callable[[str], Markup]]

MARKED_UP: Readers = {"text/html": html, "text/markdown": markdown, "text/latex": markdown}


@dataclass(frozen=True)
class SanitisedOutput:
    """One output: a text, a picture or markup; cut: whether the text was cut short."""

    text: str = ""
    picture: str = ""
    markup: Markup | None = None
    cut: bool = False


def sanitise(output: Output, *, marked_up: bool = True) -> SanitisedOutput | None:
    """Return an output as it is shown, None if there is nothing to see.

    marked_up: whether HTML and Markdown are shown as such.
    """
    match output["output_type"]:
        case "stream":
            return _text(output["text"])
        case "error":
            return _text("\n".join(output["traceback"]) or f"{output['ename']}: {output['evalue']}")
    return _richest(output["data"], MARKED_UP if marked_up else {})


def _richest(data: dict[str, Any], readers: Readers) -> SanitisedOutput | None:
    pictures = (_picture(kind, data[kind]) for kind in data if kind.startswith("image/"))
    picture = next((address for address in pictures if address), None)
    if picture:
        return SanitisedOutput(picture=picture)
    for kind, read in readers.items():
        clean_markup = read(data[kind]) if isinstance(data.get(kind), str) else Markup()
        if clean_markup.striptags():
            return SanitisedOutput(markup=clean_markup)
    return _text(data.get("text/plain", ""))


def _picture(kind: str, data: Any) -> str | None:
    """Return a picture's data URL; an SVG shown as a picture neither runs nor loads anything."""
    if not isinstance(data, str):
        return None
    if kind == "image/svg+xml":
        return f"data:{kind};base64,{base64.b64encode(data.encode(errors='replace')).decode()}"
    address = f"data:{kind};base64,{data.strip()}"
    return address if PICTURE.fullmatch(address) else None


def _text(content: Any) -> SanitisedOutput | None:
    text = strip_ansi(str(content)).strip("\n")
    if not text.strip():
        return None
    return SanitisedOutput(text=text[:SHOWN_OUTPUT], cut=len(text) > SHOWN_OUTPUT)
