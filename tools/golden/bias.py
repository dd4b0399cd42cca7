"""What upstream libraries answer for biases on the scores; __main__.py says how to run this."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from transformers import T5Config
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor
from transformers.models.t5.modeling_t5 import T5Attention
from x_transformers.x_transformers import AlibiPositionalBias, RelativePositionBias

from tools.golden import files

HEADS = [1, 2, 3, 8, 12, 71, 112]
NEMO = "nemo.collections.nlp.modules.common.megatron.position_embedding"


def t5_bucket() -> Iterator[dict[str, Any]]:
    """The bucket of each relative position; far ones too."""
    relative = [*range(-300, 301), -131072, -5000, 5000, 131072]
    for bidirectional in (True, False):
        for buckets, longest in ((32, 128), (32, 64), (16, 256), (8, 20), (64, 1000)):
            values = T5Attention._relative_position_bucket(
                torch.tensor(relative), bidirectional, buckets, longest
            )
            yield {
                "relative": relative,
                "bidirectional": bidirectional,
                "buckets": buckets,
                "max_distance": longest,
                "values": values.tolist(),
            }


def t5_bias() -> Iterator[dict[str, Any]]:
    """The bias of a table that is given: encoder, decoder, one decode step with 9 in the cache."""
    for heads, decoder, past, queries, keys in (
        (3, False, 0, 4, 6),
        (1, True, 0, 5, 5),
        (2, True, 9, 1, 10),
    ):
        config = T5Config(d_model=heads * 4, d_kv=4, num_heads=heads, is_decoder=decoder)
        module = T5Attention(config, has_relative_attention_bias=True, layer_idx=0)
        torch.nn.init.normal_(module.relative_attention_bias.weight)
        with torch.no_grad():
            values = module.compute_bias(queries, keys, past_seen_tokens=past)[0]
        yield {
            "bidirectional": not decoder,
            "q_positions": list(range(past, past + queries)),
            "k_positions": list(range(keys)),
            "weight": module.relative_attention_bias.weight.tolist(),
            "values": values.tolist(),
        }


def t5_bias_x_transformers() -> Iterator[dict[str, Any]]:
    """The same with other sizes; i queries are the last of j keys."""
    for causal in (False, True):
        module = RelativePositionBias(1.0, causal, num_buckets=16, max_distance=40, heads=2)
        with torch.no_grad():
            values = module(5, 60)
        yield {
            "bidirectional": not causal,
            "max_distance": 40,
            "q_positions": list(range(55, 60)),
            "k_positions": list(range(60)),
            "weight": module.relative_attention_bias.weight.tolist(),
            "values": values.tolist(),
        }


def alibi_bloom() -> Iterator[dict[str, Any]]:
    """Key only, slope times position, for each number of heads."""
    for heads in HEADS:
        values = build_alibi_tensor(torch.ones(1, 5), heads, torch.float32)
        yield {"heads": heads, "values": values.tolist()}


def alibi_mpt() -> Iterator[dict[str, Any]]:
    """One row, 0 at the last key: what a decode step adds."""
    for heads in HEADS:
        yield {"heads": heads, "values": build_mpt_alibi_tensor(heads, 5)[:, 0].tolist()}


def alibi_x_transformers() -> Iterator[dict[str, Any]]:
    """Symmetric; the 3 queries are the last of 5 keys."""
    for heads in HEADS:
        yield {"heads": heads, "values": AlibiPositionalBias(heads)(3, 5).tolist()}


def kerple_nemo() -> Iterator[dict[str, Any]]:
    """The logarithmic kernel, p = 1, at keys that are not ahead: at others NeMo is wrong."""
    module = files.load(f"{NEMO}.kerple_relative_position_embedding")
    kerple = module.KERPLERelativePositionEmbedding(True, 3, None, max_seq_len=6)
    with torch.no_grad():
        kerple.kerple_b.copy_(torch.tensor([0.3, 1.0, 2.5]).view(3, 1, 1))
        kerple.kerple_a.copy_(torch.tensor([2.0, 1.0, 0.1]).view(3, 1, 1))
        values = kerple(6, 6)[0].tril()
    yield {"r1": [0.3, 1.0, 2.5], "r2": [2.0, 1.0, 0.1], "values": values.tolist()}


def sandwich_nemo() -> Iterator[dict[str, Any]]:
    """Both directions, angles in float32."""
    files.pretend("nemo.utils.decorators", experimental=lambda function: function)
    module = files.load(f"{NEMO}.sandwich_relative_position_embedding")
    for heads, dim in ((1, 2), (3, 8), (12, 128)):
        bias = module.SandwichRelativePositionEmbedding(True, heads, None, dim, max_seq_len=7)
        yield {"heads": heads, "dim": dim, "values": bias(4, 7).tolist()}


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "T5Attention._relative_position_bucket(relative, bidirectional, buckets, max_distance)",
        t5_bucket,
    ),
    (
        "transformers",
        "T5Attention(config, has_relative_attention_bias=True).compute_bias(Lq, Lk, "
        "past_seen_tokens=q_positions[0])[0]",
        t5_bias,
    ),
    (
        "x-transformers",
        "RelativePositionBias(1.0, causal, num_buckets=16, max_distance=40, heads=2)(5, 60)",
        t5_bias_x_transformers,
    ),
    (
        "transformers",
        "bloom: build_alibi_tensor(torch.ones(1, 5), heads, torch.float32)",
        alibi_bloom,
    ),
    ("transformers", "build_mpt_alibi_tensor(heads, 5)[:, 0]", alibi_mpt),
    ("x-transformers", "AlibiPositionalBias(heads)(3, 5)", alibi_x_transformers),
    (
        "nemo-toolkit",
        "KERPLERelativePositionEmbedding(True, 3, None, max_seq_len=6)(6, 6)[0].tril()",
        kerple_nemo,
    ),
    (
        "nemo-toolkit",
        "SandwichRelativePositionEmbedding(True, heads, None, dim, max_seq_len=7)(4, 7)",
        sandwich_nemo,
    ),
]
