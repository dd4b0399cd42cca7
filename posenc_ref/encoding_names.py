"""Every encoding of a causal decoder by its name: `encoding_by_name("alibi", dim=64, heads=4)`.

Encodings that need more numbers per token derive them from the position: "rope_2d", "axial",
"rope_mixed" and "mrope" read an image of `width` patches a row, "xlnet" has segments of
`segment_length` tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from posenc_ref.alibi import Form, alibi, alibi_slopes
from posenc_ref.bert_relative import bert_relative_scores
from posenc_ref.deberta import deberta_scores
from posenc_ref.encoding import Encoding
from posenc_ref.encoding_grid import (
    GridEncoding,
    MixedTurn,
    Turn,
    turn_2d,
    turn_axial,
    turn_mrope,
)
from posenc_ref.encoding_input import (
    AddedEncoding,
    ConcatenatedEncoding,
    MultipliedEncoding,
    RecurrentEncoding,
)
from posenc_ref.encoding_rotary import LengthRotaryEncoding, RotaryEncoding, Scaled, XPosEncoding
from posenc_ref.encoding_scores import BiasEncoding, CopeEncoding, ScoreEncoding, ShawEncoding
from posenc_ref.fire import FireBias
from posenc_ref.floater import FloaterEmbedding
from posenc_ref.forgetting import ForgettingEncoding
from posenc_ref.kerple import KerpleBias
from posenc_ref.learned import LearnedPositionalEmbedding
from posenc_ref.llama3 import llama3
from posenc_ref.longrope import longrope
from posenc_ref.ntk import dynamic_ntk, ntk_aware
from posenc_ref.ntk_by_parts import ntk_by_parts
from posenc_ref.position_interpolation import position_interpolation
from posenc_ref.proportional import proportional
from posenc_ref.rope import Layout
from posenc_ref.sandwich import sandwich
from posenc_ref.scalars import require_integers, require_reals
from posenc_ref.self_extend import self_extend_scores
from posenc_ref.sinusoidal import frequencies, sinusoidal
from posenc_ref.t5 import T5Bias
from posenc_ref.transformer_xl_embedding import TransformerXLEmbedding
from posenc_ref.xlnet_embedding import XLNetEmbedding
from posenc_ref.yarn import yarn


def encoding_by_name(name: str, dim: int, heads: int, **options: object) -> Encoding:
    """Return the encoding of that name, for a model of `dim` channels in `heads` heads.

        ENCODINGS[name](dim, heads, **options): x (B, L, dim), q and k (B, heads, L, dim / heads)

    options: those of the method, by its own names (`base`, `layout`, `factor`, `max_length`, …).
    Options that can never work raise here, not at the first text.

    Source: none, a table of names.
    Raises:
        ValueError: the name is unknown, heads do not divide dim, or the method refuses an option's
            value.
        TypeError: the method has no such option, or misses one.
    Example:
        >>> from posenc_ref import encoding_by_name
        >>> encoding_by_name("rope", dim=16, heads=4, base=100.0).frequencies.tolist()
        [1.0, 0.1]
    """
    if name not in ENCODINGS:
        raise ValueError(f"encoding must be one of {', '.join(ENCODINGS)}, got {name!r}")
    require_integers(dim=dim, heads=heads)
    if min(dim, heads) < 1 or dim % heads:
        raise ValueError(f"dim {dim} does not divide into {heads} heads")
    encoding = ENCODINGS[name](dim, heads, **options)
    _read_one_token(encoding, dim, heads)
    return encoding


@torch.no_grad()
def _read_one_token(encoding: Encoding, dim: int, heads: int) -> None:
    if torch.get_default_device().type == "meta":  # weights without numbers
        return
    at, x = torch.arange(1), torch.zeros(1, 1, dim)
    q = x.view(1, heads, 1, dim // heads)
    encoding.embed(x, at)
    encoding.scores(*encoding.rotate(q, encoding.keys(x, q), at, at), at, at)


def _sinusoidal(dim: int, heads: int, **options: object) -> Encoding:
    return AddedEncoding(partial(sinusoidal, dim=dim, **options), scale=dim**0.5)


def _concatenated(dim: int, heads: int, **options: object) -> Encoding:
    table = partial(sinusoidal, dim=dim, **options)
    return ConcatenatedEncoding(table, dim=dim, table_dim=dim)


def _rope(
    dim: int, heads: int, *, base: float = 10000.0, layout: Layout = "half", share: float = 1.0
) -> Encoding:
    """`share` of the channels turn: 1/4 as in GPT-NeoX."""
    require_reals(share=share)
    if not 0 < share <= 1:
        raise ValueError(f"share must be above 0 and at most 1, got {share}")
    return RotaryEncoding(frequencies(int(dim // heads * share), base=base), layout=layout)


def _scaled(scaling: Callable[..., Scaled]) -> Callable[..., Encoding]:
    def make(dim: int, heads: int, *, layout: Layout = "half", **options: object) -> Encoding:
        return RotaryEncoding(*scaling(dim // heads, **options), layout=layout)

    return make


def _scaled_by_length(scaling: Callable[..., Scaled]) -> Callable[..., Encoding]:
    def make(dim: int, heads: int, *, layout: Layout = "half", **options: object) -> Encoding:
        return LengthRotaryEncoding(partial(scaling, dim // heads, **options), layout=layout)

    return make


def _self_extend(
    dim: int,
    heads: int,
    *,
    base: float = 10000.0,
    layout: Layout = "half",
    window: int = 512,
    group: int | None = 8,
) -> Encoding:
    """`group=None` is ReRoPE."""
    omega = frequencies(dim // heads, base=base)
    settings = {"window": window, "group": group, "layout": layout}
    return ScoreEncoding(partial(self_extend_scores, frequencies=omega, **settings))


def _grid(turn: Turn) -> Callable[..., Encoding]:
    def make(dim: int, heads: int, *, width: int = 8, **options: object) -> Encoding:
        return GridEncoding(partial(turn, **options), width=width)

    return make


def _rope_mixed(dim: int, heads: int, *, width: int = 8, **options: object) -> Encoding:
    return GridEncoding(MixedTurn(dim // heads, heads, **options), width=width)


def _alibi(dim: int, heads: int, *, form: Form = "causal") -> Encoding:
    return BiasEncoding(partial(_alibi_bias, heads=heads, form=form))


def _alibi_bias(q_positions: Tensor, k_positions: Tensor, heads: int, form: Form) -> Tensor:
    slopes = alibi_slopes(heads, device=k_positions.device)
    rows = alibi(q_positions, k_positions, slopes, form=form)  # "key_only" has one for all
    return rows.expand(*rows.shape[:-2], q_positions.shape[-1], -1)


def _bert_relative(
    dim: int, heads: int, *, max_length: int = 512, variant: str = "key"
) -> Encoding:
    if max_length < 1:
        raise ValueError(f"max_length must be positive, got {max_length}")
    score = partial(bert_relative_scores, variant=variant)
    return ScoreEncoding(score, table=(2 * max_length - 1, dim // heads))


def _deberta(
    dim: int, heads: int, *, span: int = 64, max_distance: float | None = None
) -> Encoding:
    """Q^r and K^r are learned here; DeBERTa projects them from one table, which adds nothing."""
    if span < 1:
        raise ValueError(f"span must be positive, got {span}")
    shape = (heads, 2 * span, dim // heads)
    score = partial(deberta_scores, max_distance=max_distance)
    return ScoreEncoding(score, relative_q=shape, relative_k=shape)


ENCODINGS: dict[str, Callable[..., Encoding]] = {
    "none": lambda dim, heads: Encoding(),
    "sinusoidal": _sinusoidal,
    "learned": lambda dim, heads, max_length=512: AddedEncoding(
        LearnedPositionalEmbedding(max_length, dim)
    ),
    "floater": lambda dim, heads, **options: AddedEncoding(FloaterEmbedding(dim, **options)),
    "multiplicative": lambda dim, heads, max_length=512: MultipliedEncoding(
        LearnedPositionalEmbedding(max_length, dim)
    ),
    "concatenated": _concatenated,
    "recurrent": lambda dim, heads: RecurrentEncoding(dim),
    "rope": _rope,
    "position_interpolation": _scaled(position_interpolation),
    "ntk_aware": _scaled(ntk_aware),
    "dynamic_ntk": _scaled_by_length(dynamic_ntk),
    "ntk_by_parts": _scaled(ntk_by_parts),
    "yarn": _scaled(yarn),
    "llama3": _scaled(llama3),
    "proportional": _scaled(proportional),
    "longrope": _scaled_by_length(longrope),
    "self_extend": _self_extend,
    "rope_2d": _grid(turn_2d),
    "axial": _grid(turn_axial),
    "rope_mixed": _rope_mixed,
    "mrope": _grid(turn_mrope),
    "xpos": lambda dim, heads, **options: XPosEncoding(**options),
    "shaw": lambda dim, heads, **options: ShawEncoding(dim // heads, **options),
    "bert_relative": _bert_relative,
    "transformer_xl": lambda dim, heads: ScoreEncoding(
        TransformerXLEmbedding(heads, dim // heads, dim)
    ),
    "xlnet": lambda dim, heads, **options: ScoreEncoding(
        XLNetEmbedding(heads, dim // heads, dim, **options)
    ),
    "deberta": _deberta,
    "cope": lambda dim, heads, **options: CopeEncoding(dim // heads, **options),
    "t5": lambda dim, heads, **options: BiasEncoding(T5Bias(heads, bidirectional=False, **options)),
    "alibi": _alibi,
    "kerple_log": lambda dim, heads, **options: BiasEncoding(
        KerpleBias(heads, kernel="log", **options)
    ),
    "kerple_power": lambda dim, heads, **options: BiasEncoding(
        KerpleBias(heads, kernel="power", **options)
    ),
    "sandwich": lambda dim, heads, **options: BiasEncoding(
        partial(sandwich, heads=heads, **options)
    ),
    "forgetting": ForgettingEncoding,
    "fire": lambda dim, heads, **options: BiasEncoding(FireBias(heads, **options)),
}
