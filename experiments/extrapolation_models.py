"""The models of the laboratory: the same initial weights, except those of the encoding."""

from __future__ import annotations

import torch

from experiments.extrapolation_settings import METHODS, Settings
from posenc_ref import TinyLM, ntk_aware, ntk_by_parts, position_interpolation, yarn
from posenc_ref.encoding_rotary import Scaled


def untrained(settings: Settings, vocabulary: int, method: str, seed: int) -> TinyLM:
    """Return a model before training; the shared weights are the same for all methods.

    Learned positions get a row for each position of the longest window; rows past the trained
    length stay as drawn, N(0, 0.02²). The word embeddings, N(0, 1/d), are multiplied by √d in
    "sinusoidal_scaled" only.
    """
    sizes = (vocabulary, settings.dim, settings.heads, settings.layers)
    options = {"max_length": settings.lengths[-1]} if method == "learned" else {}
    torch.manual_seed(seed)
    shared = TinyLM(*sizes, "none").state_dict()
    model = TinyLM(*sizes, METHODS[method], **options)
    model.load_state_dict(shared, strict=False)  # the encoding's own weights stay
    if METHODS[method] == "sinusoidal":
        model.encoding.scale = settings.dim**0.5 if method == "sinusoidal_scaled" else 1.0
    return model


def scalings(settings: Settings, length: int) -> dict[str, Scaled]:
    """Return frequencies and attention factor of each scaling, from trained length to `length`."""
    width, trained = settings.dim // settings.heads, settings.length
    s = length / trained
    return {
        "pi": position_interpolation(width, s),
        "ntk": ntk_aware(width, s),
        "parts": ntk_by_parts(width, s, trained, alpha=1.0, beta=4.0),
        "yarn": yarn(width, s, trained, ramp="paper"),
    }


def with_frequencies(model: TinyLM, scaled: Scaled) -> None:
    """Give a model with RoPE other frequencies; its weights stay."""
    model.encoding.frequencies, model.encoding.attention_factor = scaled
