"""The eight encodings under glass, in the sizes of their TinyLM."""

from __future__ import annotations

from collections.abc import Callable

from posenc_ref import Encoding, LayerEncodings, encoding_by_name

DIM, HEADS, LAYERS = 64, 4, 2
LARGE_BASE = 500_000.0  # Llama 3's; RoPE's own is 10 000


def _by_name(name: str, **options: object) -> Callable[[int], Encoding]:
    return lambda longest: encoding_by_name(name, DIM, HEADS, **options)


ENCODINGS: dict[str, Callable[[int], Encoding]] = {  # each takes the longest length read
    "none": _by_name("none"),
    "sinusoidal": _by_name("sinusoidal"),
    "learned": lambda longest: encoding_by_name("learned", DIM, HEADS, max_length=longest),
    "t5": _by_name("t5"),
    "alibi": _by_name("alibi"),
    "rope": _by_name("rope"),
    "rope_large_base": _by_name("rope", base=LARGE_BASE),
    "rope_none": lambda longest: LayerEncodings([encoding_by_name("rope", DIM, HEADS), Encoding()]),
}
