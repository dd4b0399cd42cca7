"""The rotary encoding of each type of layers, from the fields of a config."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from posenc_ref.config.families import (
    AXIAL,
    BASE_IN_CODE,
    INTERLEAVED,
    LABELS,
    ROTARY,
    WITHOUT_POSITIONS,
)
from posenc_ref.config.fields import Fields, counts, integer, number
from posenc_ref.config.numbers import scaling_numbers, score_factor, trained_length
from posenc_ref.config.parameters import base_of, by_layer_type, rope_type
from posenc_ref.config.remarks import ConfigError
from posenc_ref.config.rotary import Rotary
from posenc_ref.config.stacks import RotaryOf, require_count


def rotary_reader(fields: Fields) -> RotaryOf:
    """Return a function that gives the rotary encoding of a type of layers."""
    by_type = by_layer_type(fields)
    model_type = fields.config.get("model_type")
    if not by_type and model_type in ROTARY:
        by_type = {"": {}}
    if fields.config.get("alibi") is True or model_type in WITHOUT_POSITIONS or _other(fields):
        by_type = {}

    for parameters in by_type.values():  # even of types that no layer has
        if parameters is not None:
            kind = rope_type(parameters)
            trained = trained_length(fields, parameters, kind)
            scaling_numbers(fields, parameters, kind, trained)
            base_of(fields, parameters, nested=len(by_type) > 1)

    @cache
    def rotary(kind: str, head_dim: int | None) -> Rotary | None:
        label = LABELS.get(kind, kind)
        parameters = by_type.get(label, by_type.get(""))
        return (
            None
            if parameters is None
            else _rotary(fields, parameters, head_dim, nested=label in by_type)
        )

    return rotary


def _other(fields: Fields) -> bool:
    """Return whether a field names an encoding other than rotation."""
    others = []
    for name in ("position_embedding_type", "position_embeddings_type"):
        kind = fields.config.get(name)
        if kind and "rope" not in str(kind) and "rotary" not in str(kind):
            others.append(kind)
            if kind != "absolute":
                fields.remark("other_encoding", field=name, value=kind)
    return bool(others)


def _rotary(
    fields: Fields, parameters: Mapping[str, Any], own: int | None, *, nested: bool
) -> Rotary | None:
    model_type, kind = fields.config.get("model_type"), rope_type(parameters)
    trained = trained_length(fields, parameters, kind)
    numbers = scaling_numbers(fields, parameters, kind, trained)
    head_dim, rotated = _channels(fields, parameters, own)
    if head_dim is None or rotated is None:
        fields.unsay("head_dim")
    elif kind == "proportional":
        numbers["share"], rotated = rotated / head_dim, head_dim
    if rotated is not None and rotated % 2 and kind != "default":
        raise ConfigError("not_pairs", rope_type=kind, count=rotated)
    for name in ("short", "long"):
        if name in numbers and rotated is not None:
            require_count(f"{name}_factor", numbers[name], rotated // 2)
    base = base_of(fields, parameters, nested=nested)
    if base is None and (base := BASE_IN_CODE.get(model_type)) is None:
        fields.unsay("rope_theta")
    if kind not in ("default", "axial", "proportional") and trained is None:
        fields.unsay("original_max_position_embeddings")
    layout = "interleaved" if model_type in INTERLEAVED else "half"
    if model_type not in ROTARY:
        fields.unsay("layout")
        layout = None
    elif fields.config.get("rope_interleave") is False:
        layout = "half"
    sections = parameters.get("mrope_section")
    if sections is not None and sum(counts("mrope_section", sections)) != (rotated or 0) // 2:
        sizes = {"got": sum(sections), "wanted": (rotated or 0) // 2}
        fields.remark("sections_differ", sections=sections, **sizes)
    axial = kind == "axial" or model_type in AXIAL
    return Rotary(
        head_dim,
        rotated,
        base,
        layout,
        "default" if axial else kind,
        numbers,
        trained,
        fields.integer("max_length"),
        tuple(sections) if sections else None,
        2 if axial else 1,
        score_factor(fields, parameters, kind),
    )


def _channels(
    fields: Fields, parameters: Mapping[str, Any], own: int | None
) -> tuple[int | None, int | None]:
    """Return the channels of a head that the rotation takes, and how many of them turn."""
    latent, fixed = (fields.config.get(name) for name in ("qk_rope_head_dim", "rotary_dim"))
    head_dim = own or fields.head_dim()
    name, outer = fields.name_and_value("share")
    share = parameters.get("partial_rotary_factor", outer)
    if latent is not None and share is None:
        return (latent, integer("qk_rope_head_dim", latent))
    if share is not None and not 0 < number(name, share) <= 1:
        raise ConfigError("not_a_share", field=name, value=share)
    if fixed is not None and not parameters:  # GPT-J; beside rope_parameters it is not read
        return (head_dim, integer("rotary_dim", fixed))
    if head_dim is None:
        return None, None
    return head_dim, head_dim if share is None else int(head_dim * share)
