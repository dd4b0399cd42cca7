"""RoPE and ALiBi of other libraries, with tables made beforehand, for experiments/speed.py.

`make bench` installs these libraries; they are not part of the course.
"""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from posenc_ref import frequencies, positions, rope_angles

Heads = tuple[Tensor, Tensor, Tensor]  # q, k, v
Both = Callable[[Tensor, Tensor], object]  # turns q and k


def rope_half_transformers(x: Tensor, start: int) -> Both:
    """Llama in Hugging Face transformers; its tables have x's dtype."""
    from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

    at = positions(x.shape[2], start=start, device=x.device)
    angles = rope_angles(at, frequencies(x.shape[3], device=x.device)).repeat(1, 2)
    cos, sin = angles.cos().to(x.dtype)[None], angles.sin().to(x.dtype)[None]
    return lambda q, k: apply_rotary_pos_emb(q, k, cos, sin)


def rope_interleaved_transformers(x: Tensor, start: int) -> Both:
    """Cohere in Hugging Face transformers; it turns in float32 and rounds once."""
    from transformers.models.cohere.modeling_cohere import apply_rotary_pos_emb

    at = positions(x.shape[2], start=start, device=x.device)
    angles = rope_angles(at, frequencies(x.shape[3], device=x.device)).repeat_interleave(2, -1)
    cos, sin = angles.cos().to(x.dtype)[None], angles.sin().to(x.dtype)[None]
    return lambda q, k: apply_rotary_pos_emb(q, k, cos, sin)


def rope_interleaved_rotary_embedding_torch(x: Tensor, start: int) -> Both:
    """rotary-embedding-torch; it keeps its tables after the first call."""
    from rotary_embedding_torch import RotaryEmbedding

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it asks for autocast of CUDA
        turn = RotaryEmbedding(x.shape[3]).to(x.device).rotate_queries_or_keys
    return lambda q, k: (turn(q, offset=start), turn(k, offset=start))


def rope_interleaved_torchtune(x: Tensor, start: int) -> Both:
    """torchtune, one file only: the package has many dependencies. Its layout is (B, L, H, D)."""
    (folder,) = importlib.util.find_spec("torchtune").submodule_search_locations
    file = Path(folder) / "modules" / "position_embeddings.py"
    spec = importlib.util.spec_from_file_location("torchtune_position_embeddings", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    end = start + x.shape[2]
    rope = module.RotaryPositionalEmbeddings(x.shape[3], max_seq_len=end).to(x.device)
    at = torch.arange(start, end, device=x.device)[None]
    turn = lambda x: rope(x.transpose(1, 2), input_pos=at)  # noqa: E731
    return lambda q, k: (turn(q), turn(k))


def rope_interleaved_x_transformers(x: Tensor, start: int) -> Both:
    """x-transformers; its tables are for all positions from 0."""
    from x_transformers.x_transformers import RotaryEmbedding, apply_rotary_pos_emb

    module = RotaryEmbedding(x.shape[3]).to(x.device)
    freqs, scale = module.forward_from_seq_len(start + x.shape[2])
    return lambda q, k: tuple(apply_rotary_pos_emb(x, freqs, scale) for x in (q, k))


def alibi_transformers(heads: Heads, hidden: Tensor) -> Callable[[], Tensor]:
    """BLOOM in Hugging Face transformers: the body of BloomAttention.forward, its row made once."""
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor

    q, k, v = (x.flatten(0, 1) for x in heads)  # (B·H, L, D)
    tokens, scale = torch.ones(heads[0].shape[0], k.shape[1], device=q.device), q.shape[2] ** -0.5
    row = build_alibi_tensor(tokens.long(), heads[0].shape[1], q.dtype)
    far = torch.zeros_like(hidden, dtype=q.dtype).masked_fill(hidden, torch.finfo(q.dtype).min)

    def attend() -> Tensor:
        scores = row.baddbmm(batch1=q, batch2=k.transpose(-1, -2), beta=1.0, alpha=scale)
        return (scores + far).softmax(-1, dtype=torch.float32).to(q.dtype) @ v

    return attend


def alibi_x_transformers(heads: Heads, hidden: Tensor) -> Callable[[], Tensor]:
    """x-transformers; it keeps its bias and masks it at each call."""
    from x_transformers.x_transformers import AlibiPositionalBias

    q, k, v = heads
    module = AlibiPositionalBias(q.shape[1]).to(q.device)

    def attend() -> Tensor:
        bias = module(*hidden.shape).masked_fill(hidden, -torch.finfo(q.dtype).max // 2)
        return scaled_dot_product_attention(q, k, v, attn_mask=bias[None].to(q.dtype))

    return attend


def installed(prefix: str) -> dict[str, Callable]:
    """Return the functions with this prefix whose library is installed, by the library's name."""
    ours = {n.removeprefix(prefix): f for n, f in globals().items() if n.startswith(prefix)}
    present = {n: f for n, f in ours.items() if importlib.util.find_spec(n)}
    return {name.replace("_", "-"): function for name, function in present.items()}
