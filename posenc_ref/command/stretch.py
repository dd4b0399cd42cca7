"""What to write into a config for texts n times as long as it allows, and what changes then."""

from __future__ import annotations

import math
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from posenc_ref.config.fields import Fields
from posenc_ref.config.result import ConfigEncodings
from posenc_ref.config.rotary import Rotary
from posenc_ref.from_config import from_config

GROWS = ("yarn", "linear", "llama3")  # the factor of these is the stretch, or grows with it


@dataclass(frozen=True)
class Stretch:
    """The fields to set, or the reason why no setting helps (a name in reasons.py)."""

    fields: dict[str, Any]
    reason: str = ""


def stretched(config: Mapping[str, Any], encodings: ConfigEncodings, times: float) -> Stretch:
    """Return the fields to set, in the config's spelling, for texts `times` as long."""
    kinds = {layer.kind for layer in encodings.layers if layer.attends}
    far = far_reaching(encodings)
    if "unsaid" in kinds:
        return Stretch({}, "no_kind")
    if tables := [table for table in encodings.tables if table.kind == "learned"]:
        of_an_image = any("patch" in table.field for table in tables)
        return Stretch({}, "patches_end" if of_an_image else "rows_end")
    if any(layer.rotary is not None and not layer.rotary.is_whole for layer in encodings.layers):
        return Stretch({}, "no_base")
    if not far and any(
        layer.reach == "unsaid" or (layer.reach != "all" and layer.window is None)
        for layer in encodings.layers
    ):
        return Stretch({}, "no_types")
    if not far:
        reason = next((kind for kind in ("alibi", "t5") if kind in kinds), "nothing_far")
        return Stretch({}, reason)
    rotary, longest = far[0], encodings.max_length
    if longest is None:
        return Stretch({}, "no_length")
    if rotary.axes > 1:
        return Stretch({}, "image")
    if rotary.scaling in ("longrope", "dynamic", "proportional"):
        return Stretch({}, rotary.scaling)
    if rotary.scaling == "yarn":  # what it reaches now, whatever the other field says
        longest = max(longest, round((rotary.trained_length or 0) * rotary.numbers["factor"]))
    changed = _parameters(config, rotary, rotary.trained_length or longest, times)
    name = "rope_parameters" if "rope_parameters" in config else "rope_scaling"
    return Stretch({name: changed, _length_name(config): math.ceil(longest * times)})


def far_reaching(encodings: ConfigEncodings) -> list[Rotary]:
    """Return the rotary encodings of the layers that see farther than the longest text."""
    longest = encodings.max_length or 0
    return [
        layer.rotary
        for layer in encodings.layers
        if layer.rotary is not None
        and (layer.reach == "all" if layer.window is None else layer.window > longest > 0)
    ]


def _parameters(
    config: Mapping[str, Any], rotary: Rotary, trained: int, times: float
) -> dict[str, Any]:
    parameters = deepcopy(config.get("rope_parameters") or config.get("rope_scaling") or {})
    nested = (
        parameters.get("full_attention")
        if isinstance(parameters.get("full_attention"), dict)
        else None
    )
    own = parameters if nested is None else nested
    if rotary.scaling in GROWS:  # YaRN's factor may be left to the two lengths
        own["factor"] = rotary.numbers["factor"] * times
    else:
        own.pop("type", None)
        own |= {"rope_type": "yarn", "factor": float(times)}
        own["original_max_position_embeddings"] = trained
    return parameters


def _length_name(config: Mapping[str, Any]) -> str:
    return Fields(config).name_and_value("max_length")[0]


def after(config: Mapping[str, Any], stretch: Stretch) -> ConfigEncodings:
    """Return the encodings of the config with these fields set."""
    return from_config({**config, **stretch.fields})
