"""What upstream libraries answer for the practice since 2024; __main__.py says how to run this."""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, Optional

import torch
from torch import Tensor, nn
from transformers import (
    AttentionInterface,
    Llama4TextConfig,
    LlamaConfig,
    Olmo2Config,
    Qwen3Config,
)
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding
from transformers.models.llama4.modeling_llama4 import (
    Llama4TextAttention,
    Llama4TextRotaryEmbedding,
)
from transformers.models.olmo2.modeling_olmo2 import Olmo2Attention
from transformers.models.qwen3.modeling_qwen3 import Qwen3Attention
from transformers.models.vit_mae.modeling_vit_mae import build_2d_sinusoidal_position_embedding

from tools.golden import files
from tools.golden.bias import NEMO
from tools.golden.rope import PLAIN, wave

HEADS, DIM = 3, 8
SIZES = {
    "hidden_size": HEADS * DIM,
    "num_attention_heads": HEADS,
    "num_key_value_heads": HEADS,
    "head_dim": DIM,
    "rope_parameters": PLAIN,
    "attn_implementation": "recorded",
}
PATCH = "datamllab/LongLM/legacy_patch_before_4_38/llama_self_extend_patch.py"


def met(attention: nn.Module, x: Tensor, rotation: object) -> tuple[Tensor, Tensor]:
    """Return q and k (B, H, L, D) as the module attends with them; projections are identities."""
    recorded: list[Tensor] = []

    def record(_: nn.Module, q: Tensor, k: Tensor, v: Tensor, *__: object, **___: object) -> Any:
        recorded.extend((q, k))
        return v.transpose(1, 2), None

    AttentionInterface.register("recorded", record)
    with torch.no_grad():
        for projection in (attention.q_proj, attention.k_proj, attention.v_proj):
            projection.weight.copy_(torch.eye(HEADS * DIM))
        attention(x, rotation, None)
    return recorded[0], recorded[1]


def qk_norm() -> Iterator[dict[str, Any]]:
    """Queries after norm and rotation: Qwen3 norms a head, OLMo 2 a token, both before RoPE."""
    x, at = 3 * wave(2, 5, HEADS * DIM), torch.arange(100, 105).expand(2, -1)
    rotation = LlamaRotaryEmbedding(LlamaConfig(**SIZES))(x, at)
    for config, module in ((Qwen3Config, Qwen3Attention), (Olmo2Config, Olmo2Attention)):
        attention = module(config(**SIZES), layer_idx=0)
        gain = attention.q_norm.weight
        with torch.no_grad():
            gain.copy_(torch.linspace(0.5, 2.0, len(gain)))
        yield {
            "model": config.model_type,
            "positions": at[0].tolist(),
            "x": torch.unflatten(x, -1, (HEADS, DIM)).transpose(1, 2).tolist(),
            "gain": (gain if len(gain) == DIM else gain.view(HEADS, DIM)).tolist(),
            "eps": attention.q_norm.variance_epsilon,
            "values": met(attention, x, rotation)[0].tolist(),
        }


def qk_norm_llama4() -> Iterator[dict[str, Any]]:
    """Queries of Llama 4, which norms behind its rotation (neighbours in pairs), without a gain."""
    x, at = 3 * wave(2, 5, HEADS * DIM), torch.arange(100, 105).expand(2, -1)
    config = Llama4TextConfig(**SIZES, num_hidden_layers=4, use_qk_norm=True)
    rotation = Llama4TextRotaryEmbedding(config)(x, at)
    yield {
        "positions": at[0].tolist(),
        "x": torch.unflatten(x, -1, (HEADS, DIM)).transpose(1, 2).tolist(),
        "eps": config.rms_norm_eps,
        "values": met(Llama4TextAttention(config, layer_idx=0), x, rotation)[0].tolist(),
    }


def llama4_scale() -> Iterator[dict[str, Any]]:
    """The factor on each query of a layer without RoPE, read off queries of ones."""
    x = torch.ones(1, 40, HEADS * DIM)
    for floor, slope in ((8, 0.1), (5, 0.25)):
        tuning = {"attn_temperature_tuning": True, "floor_scale": floor, "attn_scale": slope}
        config = Llama4TextConfig(**SIZES, num_hidden_layers=4, **tuning)
        q, _ = met(Llama4TextAttention(config, layer_idx=3), x, None)
        yield {"floor": floor, "slope": slope, "values": q[0, 0, :, 0].tolist()}


def self_extend() -> Iterator[dict[str, Any]]:
    """Causal attention over a whole text, q = k = v = x; upstream patches an old Llama."""
    names = ("repeat_kv", "rotate_half", "apply_rotary_pos_emb", "apply_grouped_rotary_pos_emb")
    context: dict[str, Any] = {"torch": torch, "math": math, "nn": nn, "F": nn.functional}
    context |= {"Optional": Optional, "Tuple": tuple}
    for name in (*names, "self_extend_forward"):
        context[name] = files.cut(files.FOLDER / PATCH, name, **context)
    length = 20
    at = torch.arange(length)
    angles = at[:, None] * 10000.0 ** (-torch.arange(0, DIM, 2) / DIM).repeat(2)
    hidden = 2 * wave(1, length, HEADS * DIM)
    mask = torch.full((length, length), -1e9).triu(1)[None, None]
    attention = SimpleNamespace(
        config=SimpleNamespace(pretraining_tp=1),
        **dict.fromkeys(("q_proj", "k_proj", "v_proj", "o_proj"), lambda x: x),
        num_heads=HEADS,
        num_key_value_heads=HEADS,
        num_key_value_groups=1,
        head_dim=DIM,
        hidden_size=HEADS * DIM,
        rotary_emb=lambda _, seq_len: (angles.cos()[None, None], angles.sin()[None, None]),
    )
    for window, group in ((8, 4), (7, 3), (6, 10), (40, 4)):
        output, _, _ = context["self_extend_forward"](
            attention,
            hidden,
            mask,
            at[None],
            group_size_1=group,
            group_size_2=window,
        )
        yield {
            "window": window,
            "group": group,
            "x": torch.unflatten(hidden, -1, (HEADS, DIM)).transpose(1, 2).tolist(),
            "values": torch.unflatten(output, -1, (HEADS, DIM)).transpose(1, 2).tolist(),
        }


def rope_mixed() -> Iterator[dict[str, Any]]:
    """Wave vectors and turned queries of two heads on a grid of 3 × 4; x is timm's first axis."""
    timm = files.load("timm.layers.pos_embed_sincos")
    torch.manual_seed(3)
    waves = timm.init_random_2d_freqs(DIM, 1, 2)[:, 0]  # (2, H, D/2)
    torch.manual_seed(3)
    turns = 2 * torch.pi * torch.rand(1, 2, 1).flatten()
    rows, columns = torch.cartesian_prod(torch.arange(3), torch.arange(4)).T
    x = wave(1, 2, 12, DIM)
    turned = timm.apply_rot_embed_cat(x, timm.get_mixed_freqs(waves, columns, rows))
    yield {
        "turns": turns.tolist(),
        "rows": rows.tolist(),
        "columns": columns.tolist(),
        "x": x.tolist(),
        "waves": waves.flip(0).tolist(),
        "values": turned.tolist(),
    }


def sinusoidal_mae() -> Iterator[dict[str, Any]]:
    """Rows first; grids higher and wider than long, far out."""
    for height, width, dim in ((3, 4, 8), (5, 2, 16), (1, 40, 12)):
        values = build_2d_sinusoidal_position_embedding(height, width, dim)
        yield {"height": height, "width": width, "dim": dim, "values": values.tolist()}


def kerple_nemo_three() -> Iterator[dict[str, Any]]:
    """The logarithmic kernel with its third parameter, in both directions."""
    module = files.load(f"{NEMO}.kerple_relative_position_embedding")
    kerple = module.KERPLERelativePositionEmbedding(True, 3, None, max_seq_len=6)
    parameters = {"r1": [0.3, 1.0, 2.5], "r2": [2.0, 1.0, 0.1], "r3": [0.5, 1.0, 2.0]}
    with torch.no_grad():
        for name, letter in zip(parameters, "bap", strict=True):
            values = torch.tensor(parameters[name]).view(3, 1, 1)
            getattr(kerple, f"kerple_{letter}").copy_(values)
        bias = kerple(6, 6)[0].tril()  # ahead of a query NeMo is wrong
    yield {**parameters, "values": bias.tolist()}


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "the q that Qwen3Attention(config, 0)(x, rotation, None) attends with; Olmo2Attention",
        qk_norm,
    ),
    (
        "transformers",
        "the q that Llama4TextAttention(config, 0)(x, rotation, None) attends with",
        qk_norm_llama4,
    ),
    (
        "transformers",
        "the q that Llama4TextAttention(config, 3)(ones, None, None) attends with",
        llama4_scale,
    ),
    (
        "datamllab/LongLM",
        "self_extend_forward(attention, x, mask, positions, group_size_1=group, "
        "group_size_2=window)[0]",
        self_extend,
    ),
    (
        "timm",
        "init_random_2d_freqs(8, 1, 2); apply_rot_embed_cat(x, get_mixed_freqs(waves, x, y))",
        rope_mixed,
    ),
    (
        "transformers",
        "vit_mae: build_2d_sinusoidal_position_embedding(height, width, dim)",
        sinusoidal_mae,
    ),
    (
        "nemo-toolkit",
        "KERPLERelativePositionEmbedding(True, 3, None, max_seq_len=6)(6, 6)[0].tril()",
        kerple_nemo_three,
    ),
]
