"""The numbers of a rotary scaling, by posenc_ref's names, and its trained length."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from posenc_ref.config.fields import Fields, entries, integer, number
from posenc_ref.config.parameters import NEEDED
from posenc_ref.config.remarks import ConfigError
from posenc_ref.yarn import yarn_temperature

TAKEN = {
    "yarn": "factor attention_factor beta_fast beta_slow mscale mscale_all_dim truncate",
    "longrope": "factor attention_factor",
    "proportional": "factor",
}
ANYWHERE = {
    *("rope_type", "type", "rope_theta", "partial_rotary_factor", "mrope_section"),
    *("mrope_interleaved", "original_max_position_embeddings", "max_position_embeddings"),
    *("llama_4_scaling_beta", "axial_rope_dims"),
}
STRETCHED = ("yarn", "llama3", "longrope")  # their formulas use the length before the stretch
NUMBERS = {
    "beta_fast": "beta",
    "beta_slow": "alpha",
    "short_factor": "short",
    "long_factor": "long",
}


def trained_length(fields: Fields, parameters: Mapping[str, Any], kind: str) -> int | None:
    """Return the length before any stretch, or None if the config does not say.

    With "linear", None: some authors give max_position_embeddings before the stretch, some after.
    """
    name = "original_max_position_embeddings"
    outer, inner = fields.config.get(name), parameters.get(name)
    if outer is not None and inner is not None and outer != inner:
        fields.remark("trained_length_twice", outer=outer, inner=inner)
    length = inner if outer is None else outer
    longest = fields.integer("max_length")
    if length is not None and kind in STRETCHED:
        return integer(name, length)
    if kind in STRETCHED and longest is not None:
        fields.remark("trained_length_from_max", length=longest)
    return None if kind == "linear" else longest


def scaling_numbers(
    fields: Fields, parameters: Mapping[str, Any], kind: str, trained: int | None
) -> dict[str, Any]:
    """Return the other arguments of the scaling, by posenc_ref's names.

    Raises:
        ConfigError: a field is missing, not a number, or a factor below 1.
    """
    needed = NEEDED[kind].split()
    for name in needed:
        if parameters.get(name) is None:
            raise ConfigError("missing", rope_type=kind, field=name)
    names = {*needed, *TAKEN.get(kind, "").split()}
    every = {name for names in (*NEEDED.values(), *TAKEN.values()) for name in names.split()}
    for name in parameters.keys() - names - ANYWHERE:
        elsewhere = name in every
        fields.remark(
            "unread_field" if elsewhere else "unknown_field",
            field=name,
            **({"rope_type": kind} if elsewhere else {}),
        )
    values = {
        NUMBERS.get(n, n): parameters[n] for n in sorted(names) if parameters.get(n) is not None
    }
    if kind in ("yarn", "longrope"):
        values["factor"] = _stretch(fields, values.get("factor"), kind, trained)
    if not (values.get("mscale") and values.get("mscale_all_dim")):  # transformers wants both
        values = {n: v for n, v in values.items() if not n.startswith("mscale")}
    for name, value in values.items():
        if name in ("short", "long"):
            for divisor in entries(f"{name}_factor", value):
                number(f"{name}_factor", divisor)
        elif name != "truncate" and not number(name, value) > 0:
            raise ConfigError("not_positive", field=name, value=value)
    _require_order(values)
    if values.get("factor") is not None and kind != "dynamic" and not values["factor"] >= 1:
        raise ConfigError("factor_below_one", field="factor", value=values["factor"])
    return values


def _require_order(values: Mapping[str, Any]) -> None:
    """Raise unless the bands of YaRN and of Llama 3 lie in order; YaRN's defaults are 1 and 32.

    Llama 4 Scout has low_freq_factor = high_freq_factor = 1: no band between.
    """
    for low, a, high, b in (
        ("alpha", 1, "beta", 32),
        ("low_freq_factor", 1, "high_freq_factor", 4),
    ):
        a, b = values.get(low, a), values.get(high, b)
        if not (0 < a < b or (0 < a == b and low == "low_freq_factor")):
            names = {"alpha": "beta_slow", "beta": "beta_fast"}
            raise ConfigError(
                "out_of_order", low=names.get(low, low), a=a, high=names.get(high, high), b=b
            )


def _stretch(fields: Fields, factor: Any, kind: str, trained: int | None) -> float:
    longest = fields.integer("max_length")
    if factor is None:
        if longest is None or trained is None:
            raise ConfigError("missing", rope_type=kind, field="factor")
        return max(longest / trained, 1.0)
    product = number("factor", factor) * (trained or 0)
    if longest is not None and trained is not None and not math.isclose(product, longest):
        fields.remark(
            "factor_and_lengths",
            factor=factor,
            trained=trained,
            product=round(product),
            longest=longest,
        )
    return factor


def score_factor(fields: Fields, parameters: Mapping[str, Any], kind: str) -> float:
    """Return the extra factor on the scores of latent attention, as in DeepSeek's code."""
    mscale = parameters.get("mscale_all_dim")
    latent = fields.config.get("qk_rope_head_dim") is not None
    if not (latent and mscale and kind != "default" and parameters.get("factor")):
        return 1.0
    return (
        yarn_temperature(number("factor", parameters["factor"]), number("mscale_all_dim", mscale))
        ** 2
    )
