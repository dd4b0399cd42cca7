"""Numbers that follow from a config: wavelengths against a length, bytes of a cache."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from posenc_ref.config.fields import Fields, integer
from posenc_ref.config.result import ConfigEncodings
from posenc_ref.config.rotary import Rotary

BYTES = 2  # of a number in bfloat16


@dataclass(frozen=True)
class Turns:
    """How far the pairs of one rotary encoding turn within a length.

    longest: wavelength of the slowest pair that turns, in tokens; unfinished: how many pairs make
    no whole turn; standing: how many pairs never turn.
    """

    pairs: int
    longest: float
    unfinished: int
    standing: int


def unscaled(rotary: Rotary) -> Rotary:
    """Return the encoding before it was stretched; proportional frequencies are not a stretch."""
    if rotary.scaling in ("default", "proportional"):
        return rotary
    return replace(rotary, scaling="default", numbers={})


def turns(rotary: Rotary, length: int) -> Turns:
    """Return how far the pairs turn in texts of this length."""
    omega = rotary.frequencies()[0]
    moving = omega[omega > 0]
    longest = 2 * math.pi / float(moving.min())
    unfinished = int((moving * length < 2 * math.pi).sum())
    return Turns(len(omega), longest, unfinished, len(omega) - len(moving))


def familiar_until(rotary: Rotary, trained: int) -> tuple[int, int] | None:
    """Return (number of slowed pairs, the length at which some pair first meets a new angle).

    A pair with a whole turn within the trained length has met all its angles; None if all have.
    """
    before, now = unscaled(rotary).frequencies()[0], rotary.frequencies(rotary.max_length)[0]
    slower, unfinished = before / now, before * trained < 2 * math.pi
    if not unfinished.any():
        return None
    return int((slower > 1.001).sum()), round(trained * float(slower[unfinished].min()))


def cache_bytes(config: Mapping[str, Any], encodings: ConfigEncodings, length: int) -> int | None:
    """Return the bytes of one text's keys and values in 16 bits; None if the config lacks sizes."""
    fields = Fields(config)
    latent, turned = config.get("kv_lora_rank"), config.get("qk_rope_head_dim")
    heads = fields.integer("kv_heads")
    if config.get("multi_query") and not config.get("new_decoder_architecture"):
        heads = 1  # Falcon 7B, GPT-BigCode: whatever num_kv_heads says
    heads = heads or fields.integer("heads")
    head_dim = fields.head_dim()
    if latent and turned:  # one latent for all heads, and the rotated key
        numbers = integer("kv_lora_rank", latent) + integer("qk_rope_head_dim", turned)
    elif heads and head_dim and not fields.unsaid:
        numbers = 2 * heads * head_dim
    else:
        return None
    stored = (min(layer.window or length, length) for layer in encodings.layers if layer.attends)
    return BYTES * numbers * sum(stored)
