"""`rope_parameters`, and the older `rope_theta` beside `rope_scaling`, read as one.

Today `rope_parameters` holds everything, or one such dict for each type of layer. Before, the base
stood beside `rope_scaling`, whose `type` became `rope_type`; Gemma 3 and ModernBERT had a field of
their own for the base of local layers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from posenc_ref.config.fields import Fields, number
from posenc_ref.config.remarks import ConfigError

RENAMED = {"mrope": "default", "su": "longrope"}  # Qwen2-VL's and Phi-3's first configs
NEEDED = {
    "default": "",
    "axial": "",
    "proportional": "",
    "linear": "factor",
    "dynamic": "factor",
    "yarn": "",
    "llama3": "factor low_freq_factor high_freq_factor",
    "longrope": "short_factor long_factor",
}


def by_layer_type(fields: Fields) -> dict[str, dict[str, Any] | None]:
    """Return the rope parameters for each type of layer, "" for all; None: these do not rotate.

    Empty if the config has no field of rotary encodings.

    Raises:
        ConfigError: both spellings are given and differ; one is not a dict.
    """
    new, old = (fields.config.get(name) for name in ("rope_parameters", "rope_scaling"))
    for name, value in (("rope_parameters", new), ("rope_scaling", old)):
        if value is not None and not isinstance(value, Mapping):
            raise ConfigError("not_a_dict", field=name, value=value)
    if new and old and (differing := _differing(new, old)):
        raise ConfigError("spellings_differ", differing=", ".join(differing))
    merged = {**(old or {}), **(new or {})}
    if merged and all(value is None or isinstance(value, Mapping) for value in merged.values()):
        return {kind: None if value is None else dict(value) for kind, value in merged.items()}
    outer, local = fields.number("base"), fields.number("local_base")
    if not merged and outer is None and local is None:
        return {}
    if local is not None:
        return {"full_attention": merged, "sliding_attention": {"rope_theta": local}}
    return {"": merged}


def _differing(new: Mapping[str, Any], old: Mapping[str, Any]) -> list[str]:
    differing = {key for key in new.keys() & old.keys() if new[key] != old[key]}
    both = all(fields.get("rope_type") or fields.get("type") for fields in (new, old))
    if both and rope_type(new) != rope_type(old):
        differing |= {"rope_type"}
    return sorted(differing)


def rope_type(parameters: Mapping[str, Any]) -> str:
    """Return the rope type, by today's name.

    Raises:
        ConfigError: `rope_type` and `type` differ, or it is not one of transformers'.
    """
    types = {name: parameters[name] for name in ("rope_type", "type") if parameters.get(name)}
    todays = {name: RENAMED.get(str(value), value) for name, value in types.items()}
    for name, value in todays.items():
        if str(value) not in NEEDED:
            raise ConfigError(
                "unknown_rope_type", field=name, value=value, choices=", ".join(NEEDED)
            )
    if len(set(todays.values())) > 1:
        raise ConfigError("types_differ", **types)
    return next(iter(todays.values()), "default")


def base_of(fields: Fields, parameters: Mapping[str, Any], *, nested: bool) -> float | None:
    """Return the base; one among the parameters takes precedence, as in transformers.

    nested: these are the parameters of one type of layers, so another base beside them is expected.
    """
    (outer, beside), inner = fields.name_and_value("base"), parameters.get("rope_theta")
    if not nested and None not in (inner, beside) and inner != beside:
        fields.remark("base_twice", inner="rope_parameters", a=inner, outer=outer, b=beside)
    field, value = (outer, beside) if inner is None else ("rope_theta", inner)
    if value is not None and not 1 < number(field, value) < math.inf:
        raise ConfigError("not_a_base", field=field, value=value)
    return value
