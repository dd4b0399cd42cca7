"""Grouped queries, Ainslie et al. 2023: fewer heads of keys and values, each shared by a group.

Query head h reads key head h // (H / Hkv). Hkv = 1 is multi-query attention (Shazeer 2019), Hkv = H
the usual kind. The cache shrinks by H / Hkv; a bias still has H heads, one for each query head.
"""

from __future__ import annotations

from torch import Tensor

from posenc_ref.scalars import require_integers
from posenc_ref.tensors import require_tensors


def repeat_heads(kv: Tensor, heads: int) -> Tensor:
    """Return keys or values (B, Hkv, L, D) as (B, H, L, D): each head `heads / Hkv` times in a row.

        out[:, h] = x[:, ⌊h · Hkv / H⌋]

    A view of the given memory when nothing has to be repeated.

    Source: Ainslie et al. 2023, §2.2; `repeat_kv` in Hugging Face transformers.
    Raises:
        TypeError: kv is not a tensor; heads is not an integer.
        ValueError: kv is not (B, Hkv, L, D), or Hkv does not divide heads.
    Example:
        >>> from posenc_ref import repeat_heads
        >>> repeat_heads(torch.tensor([1.0, 2.0]).view(1, 2, 1, 1), 4).flatten().tolist()
        [1.0, 1.0, 2.0, 2.0]
    """
    require_tensors(kv=kv)
    require_integers(heads=heads)
    if kv.dim() != 4 or min(heads, kv.shape[1]) < 1 or heads % kv.shape[1]:
        raise ValueError(f"kv (B, Hkv, L, D) does not serve {heads} heads: {tuple(kv.shape)}")
    return kv if kv.shape[1] == heads else kv.repeat_interleave(heads // kv.shape[1], dim=1)
