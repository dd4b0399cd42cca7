"""An architecture of transformers and its positional encodings, computed from its own defaults."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from posenc_ref import from_config
from posenc_ref.config.result import ConfigEncodings, Layer
from posenc_ref.config.rotary import Rotary
from tools.museum.left import ROTARY_LEFT, TABLES_LEFT, rotates_beside_parts

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden" / "architectures.json"
FIRST = 2018  # the library's first year; one file says 2010
KINDS = ("rope", "rope_2d", "alibi", "t5", "learned", "sinusoidal")


@dataclass(frozen=True)
class Row:
    """A default config. Several numbers of a kind are those of its layers, in order.

    year: of the copyright line of the config's file in transformers; None if it has none, or one
        from before the library.
    still, attending: how many of its attention layers neither rotate nor have a bias.
    """

    model_type: str
    year: int | None
    kinds: tuple[str, ...]
    bases: tuple[float, ...]
    shares: tuple[float, ...]
    scalings: tuple[str, ...]
    windows: tuple[int, ...]
    still: int
    attending: int
    trained: int | None
    rotating: bool


def golden() -> dict[str, Any]:
    """Return the golden file: library, version, cases."""
    return json.loads(GOLDEN.read_text(encoding="utf-8"))


def rows() -> list[Row]:
    """Return a row for each default config that has positions: the oldest first, no year last."""
    table = [row for case in golden()["cases"][:-1] if (row := _row(case)) is not None]
    return sorted(table, key=lambda row: (row.year or math.inf, row.model_type))


def _row(case: dict[str, Any]) -> Row | None:
    name, values = case["model_type"], case["values"]
    if "left_out" in values or name in ROTARY_LEFT:
        return None
    if "parts" in values and not rotates_beside_parts(case):
        return None
    encodings = from_config(case["config"])
    kinds = kinds_of(encodings)
    if not kinds or (name in TABLES_LEFT and "rotary" not in values):
        return None
    attending = [layer for layer in encodings.layers if layer.attends]
    rotaries = [layer.rotary for layer in attending if layer.rotary is not None]
    still = [layer for layer in attending if rotaries and layer.kind == "none"]
    return Row(
        name,
        case["year"] if case.get("year", 0) >= FIRST else None,
        kinds,
        distinct(rotary.base for rotary in rotaries),
        distinct(map(_share, rotaries)),
        distinct(rotary.scaling for rotary in rotaries if rotary.scaling != "default"),
        distinct(layer.window for layer in attending if layer.window),
        len(still),
        len(attending),
        next((rotary.trained_length for rotary in rotaries), None) or encodings.max_length,
        bool(rotaries),
    )


def kinds_of(encodings: ConfigEncodings) -> tuple[str, ...]:
    """Return which encodings a config has, in the order of KINDS."""
    kinds = {_kind(layer) for layer in encodings.layers} | {t.kind for t in encodings.tables}
    return tuple(kind for kind in KINDS if kind in kinds)


def _kind(layer: Layer) -> str:
    return "rope_2d" if layer.rotary is not None and layer.rotary.axes == 2 else layer.kind


def _share(rotary: Rotary) -> float:
    if rotary.scaling == "proportional":
        return round(rotary.numbers["share"], 3)
    return round((rotary.rotated or 0) / (rotary.head_dim or 1), 3)


def distinct(values: Any) -> tuple:
    """Return each value once, in the order of the first."""
    return tuple(dict.fromkeys(values))
