"""The cells of a submitted notebook: only text, names and pasted pictures of its JSON.

Saved outputs, metadata of other programs, ids and versions are dropped first: no grade depends on
them, and validating them costs more than grading.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from autograde.handed_in.files import NotGradable
from autograde.handed_in.limits import (
    CELLS,
    CHARACTERS,
    NAME,
    PASTED,
    PASTED_CHARACTERS,
    PASTED_PIXELS,
)
from confined.outputs import PICTURES, pixels_of

TYPES = ("code", "markdown", "raw")
GB18030 = "gb18030"

Pictures = dict[str, dict[str, str]]  # by name and kind, as nbformat's attachments


@dataclass(frozen=True)
class SubmittedCell:
    """What is kept of one cell; `name` is the grade id that it claims to have."""

    cell_type: str
    source: str
    name: str | None = None
    pictures: Pictures = field(default_factory=dict)


def encoding_of(content: bytes) -> str:
    """Return the encoding of a submitted notebook: UTF-8, 16 or 32, else GB18030.

    Editors in China save GB18030. If the bytes are not text at all, it does not fit either.
    """
    encoding = json.detect_encoding(content)
    try:
        content.decode(encoding, "surrogatepass")
    except UnicodeDecodeError:
        return GB18030
    return encoding


def read_json(content: bytes) -> Any:
    """Return the parsed JSON of a submitted notebook.

    Raises `ValueError` if it is not text or not JSON, `RecursionError` if it is nested too deeply.
    """
    return json.loads(content.decode(encoding_of(content), "surrogatepass"))


def read_cells(content: bytes) -> list[SubmittedCell]:
    """Return the cells of a notebook of format 4.

    Raises `NotGradable` if it has no list of valid cells, or is larger than any chapter.
    """
    try:
        notebook = read_json(content)
    except (ValueError, RecursionError) as error:  # no JSON, no text, nested too deeply
        raise NotGradable(f"{type(error).__name__}: {error}") from None
    return cells_of(notebook)


def cells_of(notebook: Any) -> list[SubmittedCell]:
    """Return the cells of a notebook's parsed JSON; raises like `read_cells`."""
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list) or len(cells) > CELLS:
        raise NotGradable(f"a notebook has a list of at most {CELLS} cells (nbformat 4)")
    sources = [_source(number, cell) for number, cell in enumerate(cells, start=1)]
    if sum(map(len, sources)) > CHARACTERS:
        raise NotGradable(f"a notebook has at most {CHARACTERS} characters")
    left = _PicturesLeft()
    return [
        SubmittedCell(cell["cell_type"], source, _name(cell), left.fit(cell.get("attachments")))
        for cell, source in zip(cells, sources, strict=True)
    ]


def _source(number: int, cell: Any) -> str:
    if not isinstance(cell, dict) or cell.get("cell_type") not in TYPES:
        raise NotGradable(f"cell {number} is neither code nor text")
    source = cell.get("source")
    lines = [source] if isinstance(source, str) else source
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise NotGradable(f"cell {number} has no source")
    return _writable("".join(lines).replace("\r\n", "\n"))


def _name(cell: dict[str, Any]) -> str | None:
    metadata = cell.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    return name if isinstance(name, str) else None


def _writable(text: str) -> str:
    # JSON can hold a lone surrogate; a UTF-8 file cannot
    return text.encode("utf-8", "replace").decode()


@dataclass
class _PicturesLeft:
    """What is left for pasted pictures."""

    pictures: int = PASTED
    characters: int = PASTED_CHARACTERS
    pixels: int = PASTED_PIXELS

    def fit(self, attachments: Any) -> Pictures:
        """Return the pictures pasted into a text cell; other attachments are dropped."""
        bundles = attachments.items() if isinstance(attachments, dict) else ()
        return {
            _writable(name): fitting
            for name, bundle in bundles
            if isinstance(bundle, dict) and len(name) <= NAME and (fitting := self._fit(bundle))
        }

    def _fit(self, bundle: dict[str, Any]) -> dict[str, str]:
        pixels = {
            kind: pixels_of(data, kind, PASTED_CHARACTERS)
            for kind in PICTURES
            if isinstance(data := bundle.get(kind), str)
        }
        pictures = {kind: bundle[kind] for kind in pixels if pixels[kind]}
        size, extent = sum(map(len, pictures.values())), sum(pixels.values())
        if len(pictures) > self.pictures or size > self.characters or extent > self.pixels:
            return {}
        self.pictures -= len(pictures)
        self.characters -= size
        self.pixels -= extent
        return pictures
