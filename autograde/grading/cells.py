"""The cells of a submitted notebook: words, names and pasted pictures, no more of its JSON.

Saved outputs, metadata of other programs, ids and versions are dropped before anything looks at
them: what they hold decides no grade, and to validate it costs more than to grade it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from autograde.grading.files import NotGradable
from autograde.grading.limits import CELLS, CHARACTERS, NAME, PASTED, PASTED_CHARACTERS
from confined.outputs import PICTURES, is_picture

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
    """Return how a submitted notebook is written: in UTF-8, 16 or 32, else in GB18030.

    That is what editors in China save. It may be neither: then the bytes are not text.
    """
    encoding = json.detect_encoding(content)
    try:
        content.decode(encoding, "surrogatepass")
    except UnicodeDecodeError:
        return GB18030
    return encoding


def read_json(content: bytes) -> Any:
    """Return what the JSON of a submitted notebook says.

    Raises `ValueError` for what is neither text nor JSON, `RecursionError` for what is too deep.
    """
    return json.loads(content.decode(encoding_of(content), "surrogatepass"))


def read_cells(content: bytes) -> list[SubmittedCell]:
    """Return the cells of a notebook of format 4.

    Raises `NotGradable` if it is not a list of cells with words, or is larger than any chapter.
    """
    try:
        notebook = read_json(content)
    except (ValueError, RecursionError) as error:  # no JSON, no text, nested too deeply
        raise NotGradable(f"{type(error).__name__}: {error}") from None
    return cells_of(notebook)


def cells_of(notebook: Any) -> list[SubmittedCell]:
    """Return the cells of what a file's JSON says; raise as `read_cells`."""
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list) or len(cells) > CELLS:
        raise NotGradable(f"a notebook has a list of at most {CELLS} cells (nbformat 4)")
    sources = [_source(number, cell) for number, cell in enumerate(cells, start=1)]
    if sum(map(len, sources)) > CHARACTERS:
        raise NotGradable(f"a notebook has at most {CHARACTERS} characters")
    room = _Room()
    return [
        SubmittedCell(cell["cell_type"], source, _name(cell), room.fit(cell.get("attachments")))
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
    # a lone surrogate can be written in JSON, and in no file
    return text.encode("utf-8", "replace").decode()


@dataclass
class _Room:
    """What pasted pictures may still take."""

    pictures: int = PASTED
    characters: int = PASTED_CHARACTERS

    def fit(self, attachments: Any) -> Pictures:
        """Return the pictures pasted into a text cell; other attachments are dropped."""
        bundles = attachments.items() if isinstance(attachments, dict) else ()
        return {
            _writable(name): fitting
            for name, bundle in bundles
            if isinstance(bundle, dict) and len(name) <= NAME and (fitting := self._fit(bundle))
        }

    def _fit(self, bundle: dict[str, Any]) -> dict[str, str]:
        pictures = {
            kind: data
            for kind in PICTURES
            if isinstance(data := bundle.get(kind), str)
            and is_picture(data, kind, PASTED_CHARACTERS)
        }
        size = sum(map(len, pictures.values()))
        if len(pictures) > self.pictures or size > self.characters:
            return {}
        self.pictures -= len(pictures)
        self.characters -= size
        return pictures
