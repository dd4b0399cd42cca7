"""Tables that a model adds to its embeddings: learned rows, or sines and cosines."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from torch import Tensor

from posenc_ref.config.fields import Fields, integer
from posenc_ref.config.remarks import ConfigError
from posenc_ref.config.table_families import LEARNED, PADDED, PATCHES, SINUSOIDAL
from posenc_ref.sinusoidal import sinusoidal


@dataclass(frozen=True)
class Table:
    """A table of `rows` rows and `dim` channels; position p stands in row p + offset.

    kind: "learned", or "sinusoidal": all sines, then all cosines, exponent as in `sinusoidal`.
    stack: the stack of layers that it feeds, "" if there is only one. field: the config's field
    that gives the rows. extra: rows for tokens that are not patches.
    """

    kind: str
    rows: int
    dim: int | None
    offset: int = 0
    stack: str = ""
    field: str = "max_position_embeddings"
    exponent: str | None = None
    extra: int = 0

    def table(self, positions: Tensor) -> Tensor:
        """Return the rows of these positions, (L,) → (L, dim); for the kind "sinusoidal"."""
        if self.kind != "sinusoidal":
            raise ValueError("the rows of a learned table are weights, which no config holds")
        conventions: dict[str, Any] = {"layout": "concatenated", "exponent": self.exponent}
        return sinusoidal(positions + self.offset, self.dim, odd="padded", **conventions)


def tables_of(fields: Fields) -> tuple[Table, ...]:
    """Return the tables that a model of this type adds."""
    config, model_type = fields.config, fields.config.get("model_type")
    channels = fields.integer("hidden_size")
    tables = []
    for stack, name, offset in LEARNED.get(model_type, ()):
        if config.get(name) is None:
            fields.unsay(name)
            continue
        rows = integer(name, config[name]) + offset
        narrow = config.get("input_embedding_size") or config.get("embedding_size")
        dim = narrow if narrow and not config.get("trigram_input") else channels
        if model_type in PADDED:
            padding = config.get("pad_token_id")
            if padding is None:
                fields.unsay("pad_token_id")
            offset = 1 + (integer("pad_token_id", padding) if padding else 0)
        tables.append(Table("learned", rows, dim, offset, stack, name))
    if model_type in PATCHES:
        tables += _of_patches(fields, PATCHES[model_type], channels)
    for stack, name, offset, exponent in SINUSOIDAL.get(model_type, ()):
        if config.get(name) is None:
            fields.unsay(name)
            continue
        rows = integer(name, config[name]) + offset
        tables.append(Table("sinusoidal", rows, channels, offset, stack, name, exponent))
    return tuple(tables)


def _of_patches(fields: Fields, extra: int, channels: int | None) -> list[Table]:
    """Return a row for each patch of an image, and `extra` for tokens that are not patches."""
    image, patch = fields.config.get("image_size"), fields.config.get("patch_size")
    if image is None or patch is None:
        fields.unsay("image_size" if image is None else "patch_size")
        return []
    sides = [_pair("image_size", image), _pair("patch_size", patch)]
    rows = prod(side // by for side, by in zip(*sides, strict=True)) + extra
    return [Table("learned", rows, channels, field="image_size, patch_size", extra=extra)]


def _pair(name: str, size: Any) -> tuple[int, int]:
    sides = size if isinstance(size, list | tuple) else (size, size)
    if len(sides) < 2:
        raise ConfigError("wrong_count", field=name, got=len(sides), wanted=2)
    return integer(name, sides[-2]), integer(name, sides[-1])
