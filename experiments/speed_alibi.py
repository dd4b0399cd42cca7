"""The ALiBi groups of the speed benchmark: causal attention of a prompt, and one decode step.

Ratios are to `scaled_dot_product_attention` without a bias, whose fused kernel never makes the
(L, L) scores. "Made once" is what a model does that keeps the bias for all layers: (H, L, L)
numbers, 32 MiB at 8 heads and 1024 tokens, 2 GiB at 32 and 4096. `alibi_attention` and
flex_attention make none. On an accelerator the prompt is longer and in bfloat16, too.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator

import torch
from torch import Tensor
from torch.nn.attention.flex_attention import create_block_mask, flex_attention
from torch.nn.functional import scaled_dot_product_attention as attend

from experiments.timing import Case, Group
from posenc_ref import (
    alibi,
    alibi_attention,
    alibi_score_mod,
    alibi_slopes,
    attention,
    causal_mask,
    decode_attention,
    positions,
)

SHAPE = (1, 8, 1024, 64)
Heads = tuple[Tensor, Tensor, Tensor]  # q, k, v


def groups(device: torch.device) -> Iterator[Group]:
    """Yield a prompt's groups, on an accelerator a long one in bfloat16 too, and a decode step."""
    prompts = [(SHAPE, torch.float32)]
    if device.type != "cpu":
        prompts.append(((1, 32, 4096, 128), torch.bfloat16))
    for shape, dtype in prompts:
        name = f"alibi causal {str(dtype).removeprefix('torch.')}"
        yield Group(name, str(shape), _causal(*torch.randn(3, *shape, device=device).to(dtype)))
    q, (k, v) = torch.randn(1, 32, 1, 128, device=device), torch.randn(2, 1, 32, 4096, 128)
    decode = _decode(q, k.to(device), v.to(device))
    yield Group("alibi decode float32", "(1, 32, 1, 128), 4096 keys", decode, calls=10)


def _causal(q: Tensor, k: Tensor, v: Tensor) -> dict[str, Case]:
    _, heads, length, _ = q.shape
    at, slopes = positions(length, device=q.device), alibi_slopes(heads, device=q.device)
    mask = causal_mask(at, at)

    def table() -> Tensor:
        return alibi(at, at, slopes, dtype=q.dtype).masked_fill(~mask, -torch.inf)[None]

    def row() -> Tensor:
        keys = alibi(at, at, slopes, form="key_only", dtype=q.dtype)
        return torch.where(mask, keys, -torch.inf)[None]

    made_once = table()
    blocks = create_block_mask(_past, None, None, length, length, device=str(q.device))
    return {
        "SDPA without bias": lambda: attend(q, k, v, is_causal=True),
        "alibi_attention": lambda: alibi_attention(q, k, v, at, slopes),
        "SDPA + bias made once": lambda: attend(q, k, v, attn_mask=made_once),
        "SDPA + key-only row every call": lambda: attend(q, k, v, attn_mask=row()),
        "SDPA + bias every call": lambda: attend(q, k, v, attn_mask=table()),
        "attention + bias every call": lambda: attention(q, k, v, mask, alibi(at, at, slopes)),
        "flex_attention compiled": _flex(q, k, v, at, at, blocks),
        **{name: peer((q, k, v), mask) for name, peer in _peers().items()},
    }


def _decode(q: Tensor, k: Tensor, v: Tensor) -> dict[str, Case]:
    _, heads, keys, _ = k.shape
    at, slopes = positions(keys, device=q.device), alibi_slopes(heads, device=q.device)
    longest = alibi(at[-1:], at, slopes)  # (H, 1, Lk); of fewer keys it is the end of this row
    return {
        "SDPA without bias": lambda: attend(q, k, v),
        "decode_attention + row made once": lambda: decode_attention(q, k, v, longest[..., -keys:]),
        "SDPA + row made once": lambda: attend(q, k, v, attn_mask=longest[None, ..., -keys:]),
        "SDPA + row every call": lambda: attend(
            q, k, v, attn_mask=alibi(at[-1:], at, slopes)[None]
        ),
        "flex_attention compiled": _flex(q, k, v, at[-1:], at, None),
    }


def _past(batch: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
    return key <= query


def _flex(q: Tensor, k: Tensor, v: Tensor, q_at: Tensor, k_at: Tensor, blocks: object) -> Case:
    add = alibi_score_mod(q_at, k_at, alibi_slopes(q.shape[1], device=q.device))
    compiled = torch.compile(flex_attention, fullgraph=True, dynamic=False)
    return lambda: compiled(q, k, v, score_mod=add, block_mask=blocks)


def _peers() -> dict[str, Callable[[Heads, Tensor], Case]]:
    """Return the peers that are installed, each a maker of a case."""
    known = {"transformers": _bloom, "x_transformers": _x_transformers}
    found = {name: peer for name, peer in known.items() if importlib.util.find_spec(name)}
    return {name.replace("_", "-"): peer for name, peer in found.items()}


def _bloom(heads: Heads, mask: Tensor) -> Case:
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor

    q, k, v = (x.flatten(0, 1) for x in heads)  # (B·H, L, D)
    tokens, scale = torch.ones(heads[0].shape[0], q.shape[1], device=q.device), q.shape[2] ** -0.5
    row = build_alibi_tensor(tokens.long(), heads[0].shape[1], q.dtype)  # once for all layers
    hidden = torch.zeros_like(mask, dtype=q.dtype).masked_fill(~mask, torch.finfo(q.dtype).min)

    def attend_eagerly() -> Tensor:  # the body of its BloomAttention.forward
        scores = row.baddbmm(batch1=q, batch2=k.transpose(-1, -2), beta=1.0, alpha=scale)
        return (scores + hidden).softmax(-1, dtype=torch.float32).to(q.dtype) @ v

    return attend_eagerly


def _x_transformers(heads: Heads, mask: Tensor) -> Case:
    from x_transformers.x_transformers import AlibiPositionalBias

    (q, k, v), length = heads, mask.shape[0]
    module = AlibiPositionalBias(q.shape[1]).to(q.device)  # keeps its bias, as its `Attend` adds it

    def attend_with_bias() -> Tensor:
        bias = module(length, length).masked_fill(~mask, -torch.finfo(q.dtype).max // 2)
        return attend(q, k, v, attn_mask=bias[None].to(q.dtype))

    return attend_with_bias
