"""What upstream answers for biases of 71 and 112 heads, up to position 131071, and in float64.

bias.py has few heads and near positions. T5's, ALiBi's, KERPLE's and Sandwich's biases know
no padding: only BLOOM and Falcon count positions from a mask. __main__.py says how to run this.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from transformers import T5Config
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.falcon.modeling_falcon import build_alibi_tensor as falcon
from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor
from transformers.models.t5.modeling_t5 import T5Attention
from x_transformers.x_transformers import AlibiPositionalBias

from tools.golden import files
from tools.golden.bias import NEMO

MANY = (71, 112)
FAR = [0, 4095, 131064, 131071]
LAST = 131071


def t5_bias_heads() -> Iterator[dict[str, Any]]:
    """The table in float64; one decode step with 131071 in the cache."""
    for heads in MANY:
        config = T5Config(
            d_model=2 * heads,
            d_kv=2,
            num_heads=heads,
            is_decoder=True,
            relative_attention_num_buckets=8,
            relative_attention_max_distance=20,
        )
        module = T5Attention(config, has_relative_attention_bias=True, layer_idx=0).double()
        torch.nn.init.normal_(module.relative_attention_bias.weight)
        with torch.no_grad():
            values = module.compute_bias(1, LAST + 1, past_seen_tokens=LAST)[0, :, :, FAR]
        yield {
            "bidirectional": False,
            "max_distance": 20,
            "q_positions": [LAST],
            "k_positions": FAR,
            "weight": module.relative_attention_bias.weight.tolist(),
            "values": values.tolist(),
        }


def alibi_bloom_far() -> Iterator[dict[str, Any]]:
    """Key only, float32 and bfloat16; positions are counted past left padding, 0 there."""
    for heads, padding, dtype in ((71, 0, "float32"), (112, 5, "float32"), (71, 5, "bfloat16")):
        mask = torch.ones(1, LAST + 1)
        mask[:, :padding] = 0
        values = build_alibi_tensor(mask, heads, getattr(torch, dtype))[..., FAR]
        yield {
            "heads": heads,
            "dtype": dtype,
            "positions": [max(p - padding, 0) for p in FAR],
            "values": values.tolist(),
        }


def alibi_falcon_far() -> Iterator[dict[str, Any]]:
    """In bfloat16 inside, whatever dtype is asked for, if the mask is of integers."""
    for heads in MANY:
        values = falcon(torch.ones(1, LAST + 1).long(), heads, torch.float32)[..., FAR]
        yield {"heads": heads, "positions": FAR, "values": values.tolist()}


def alibi_mpt_far() -> Iterator[dict[str, Any]]:
    """One row, 0 at the last key: what a decode step adds with 131071 in the cache."""
    for heads in MANY:
        values = build_mpt_alibi_tensor(heads, LAST + 1)[:, 0, FAR]
        yield {"heads": heads, "k_positions": FAR, "values": values.tolist()}


def alibi_x_transformers_far() -> Iterator[dict[str, Any]]:
    """Symmetric, in float64 from slopes of float32."""
    for heads in MANY:
        module = AlibiPositionalBias(heads).double()
        values = module.forward_custom_pos(torch.tensor([131060, LAST]), torch.tensor(FAR))
        yield {
            "heads": heads,
            "q_positions": [131060, LAST],
            "k_positions": FAR,
            "values": values.tolist(),
        }


def kerple_nemo_heads() -> Iterator[dict[str, Any]]:
    """The logarithmic kernel, float64; its stored distances are replaced by far ones."""
    module = files.load(f"{NEMO}.kerple_relative_position_embedding")
    for heads in MANY:
        kerple = module.KERPLERelativePositionEmbedding(True, heads, None, max_seq_len=4).double()
        kerple.relative_position = LAST - torch.tensor(FAR).expand(heads, 1, -1)
        with torch.no_grad():
            kerple.kerple_b.copy_(2 * torch.rand(heads, 1, 1))
            kerple.kerple_a.copy_(torch.rand(heads, 1, 1))
            values = kerple(1, 4)[0]
        yield {
            "r1": kerple.kerple_b.flatten().tolist(),
            "r2": kerple.kerple_a.flatten().tolist(),
            "q_positions": [LAST],
            "k_positions": FAR,
            "values": values.tolist(),
        }


def sandwich_nemo_heads() -> Iterator[dict[str, Any]]:
    """Angles in float64, the default dtype meanwhile; its stored distances are replaced."""
    files.pretend("nemo.utils.decorators", experimental=lambda function: function)
    module = files.load(f"{NEMO}.sandwich_relative_position_embedding")
    torch.set_default_dtype(torch.float64)
    for heads, dim in ((71, 8), (112, 128)):
        bias = module.SandwichRelativePositionEmbedding(True, heads, None, dim, max_seq_len=4)
        bias.relative_position = LAST - torch.tensor([FAR])
        yield {
            "heads": heads,
            "dim": dim,
            "q_positions": [LAST],
            "k_positions": FAR,
            "values": bias(1, 4).tolist(),
        }
    torch.set_default_dtype(torch.float32)


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "T5Attention(config, has_relative_attention_bias=True).double().compute_bias(1, 131072, "
        "past_seen_tokens=131071)[0, :, :, k_positions]",
        t5_bias_heads,
    ),
    (
        "transformers",
        "bloom: build_alibi_tensor(mask, heads, dtype)[..., k_positions]",
        alibi_bloom_far,
    ),
    (
        "transformers",
        "falcon: build_alibi_tensor(torch.ones(1, 131072).long(), heads, torch.float32)"
        "[..., positions]",
        alibi_falcon_far,
    ),
    (
        "transformers",
        "build_mpt_alibi_tensor(heads, 131072)[:, 0, k_positions]",
        alibi_mpt_far,
    ),
    (
        "x-transformers",
        "AlibiPositionalBias(heads).double().forward_custom_pos(q_positions, k_positions)",
        alibi_x_transformers_far,
    ),
    (
        "nemo-toolkit",
        "KERPLERelativePositionEmbedding(True, heads, None, max_seq_len=4).double()(1, 4)[0], "
        "its relative_position replaced by the distances",
        kerple_nemo_heads,
    ),
    (
        "nemo-toolkit",
        "SandwichRelativePositionEmbedding(True, heads, None, dim, max_seq_len=4)(1, 4), "
        "its relative_position replaced by the distances; default dtype float64",
        sandwich_nemo_heads,
    ),
]
