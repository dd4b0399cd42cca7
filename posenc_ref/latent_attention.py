"""Multi-head latent attention, DeepSeek-V2 2024, §2.1: a cache of one latent vector per token.

    c = W_DKV x (C numbers),   k_h = W_UK,h c,   v_h = W_UV,h c        per head h, from one c

Keys need not be made: q_h·k_h = (W_UK,hᵀ q_h)·c, so W_UK moves to the query's side, once per
query ("absorbed"), and heads read latents, which W_UV turns into values after the sum.

A rotation between the two forbids that: (R_m q)·(R_n W_UK c) = (W_UKᵀ R_{m-n} q)·c needs another
query for each key. Hence RoPE is *decoupled*: Dr further channels of the query, and one rotated key
of Dr channels that all heads share, beside the latent:

    score = ((W_UK,hᵀ q_h)·c + rotated q_h · rotated k) / √(D + Dr)

The cache has C + Dr numbers per token and layer, whatever the number of heads: 512 + 64 in
DeepSeek-V3. Pass latents as they are cached, after their norm (RMSNorm there), and the rotated
parts after `rotate` (there layout "interleaved"). YaRN's temperature belongs in `scale` (yarn.py).
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.attention import attention
from posenc_ref.tensors import require_one_dtype


def latent_attention(
    q: Tensor,
    q_rotated: Tensor,
    latents: Tensor,
    k_rotated: Tensor,
    key_up: Tensor,
    value_up: Tensor,
    mask: Tensor | None = None,
    scale: float | None = None,
) -> Tensor:
    """Return what each query reads, (B, H, Lq, Dv), without making keys or values.

        softmax(((q W_UK) cᵀ + q_rotated k_rotatedᵀ) · scale) c W_UVᵀ,   scale = 1/√(D + Dr)

    q: (B, H, Lq, D), not rotated; q_rotated: (B, H, Lq, Dr). latents: (B, Lk, C), k_rotated:
    (B, Lk, Dr), for all heads. key_up: (H, D, C), value_up: (H, Dv, C). mask: as `attention`.

    Source: DeepSeek-AI 2024 (DeepSeek-V2), §2.1.2 and §2.1.3; `DeepseekV3Attention` in Hugging
    Face transformers, which makes keys and values.
    Raises:
        TypeError: they are not tensors of one float dtype; as `attention`.
        ValueError: shapes disagree; as `attention`.
    Example:
        >>> from posenc_ref import latent_attention
        >>> q, none = torch.zeros(1, 2, 1, 4), torch.zeros(1, 2, 1, 0)
        >>> latents, up = torch.tensor([[[1.0], [3.0]]]), torch.ones(2, 4, 1)
        >>> latent_attention(q, none, latents, torch.zeros(1, 2, 0), up, up)[0, :, 0].tolist()
        [[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]
    """
    _require_fit(q, q_rotated, latents, k_rotated, key_up, value_up)
    scale = (q.shape[3] + q_rotated.shape[3]) ** -0.5 if scale is None else scale
    query = torch.cat((q @ key_up, q_rotated), dim=-1)  # (B, H, Lq, C + Dr)
    key = torch.cat((latents, k_rotated), dim=-1)  # (B, Lk, C + Dr): the cache
    key, latents = (x[:, None].expand(-1, q.shape[1], -1, -1) for x in (key, latents))
    read = attention(query, key, latents, mask, scale=scale)  # (B, H, Lq, C)
    return read @ value_up.mT


def latent_attention_plain(
    q: Tensor,
    q_rotated: Tensor,
    latents: Tensor,
    k_rotated: Tensor,
    key_up: Tensor,
    value_up: Tensor,
    mask: Tensor | None = None,
    scale: float | None = None,
) -> Tensor:
    """Return what `latent_attention` returns, (B, H, Lq, Dv), with keys and values of every head.

        softmax([q, q_rotated] [c W_UKᵀ, k_rotated]ᵀ · scale) (c W_UVᵀ)

    Source: DeepSeek-AI 2024 (DeepSeek-V2), §2.1.2 and §2.1.3.
    Raises:
        TypeError, ValueError: as `latent_attention`.
    Example:
        >>> from posenc_ref import latent_attention_plain
        >>> q, up, none = torch.zeros(1, 1, 1, 2), torch.ones(1, 2, 1), torch.zeros(1, 2, 0)
        >>> latents = torch.tensor([[[1.0], [3.0]]])
        >>> latent_attention_plain(q, none[:, None, :1], latents, none, up, up).tolist()
        [[[[2.0, 2.0]]]]
    """
    _require_fit(q, q_rotated, latents, k_rotated, key_up, value_up)
    keys, values = (latents[:, None] @ up.mT for up in (key_up, value_up))  # (B, H, Lk, ·)
    shared = k_rotated[:, None].expand(-1, q.shape[1], -1, -1)
    query, key = torch.cat((q, q_rotated), dim=-1), torch.cat((keys, shared), dim=-1)
    return attention(query, key, values, mask, scale=scale)


def _require_fit(
    q: Tensor,
    q_rotated: Tensor,
    latents: Tensor,
    k_rotated: Tensor,
    key_up: Tensor,
    value_up: Tensor,
) -> None:
    parts = {"q": q, "q_rotated": q_rotated, "latents": latents, "k_rotated": k_rotated}
    parts |= {"key_up": key_up, "value_up": value_up}
    require_one_dtype(**parts)
    sizes = [part.dim() for part in parts.values()] == [4, 4, 3, 3, 3, 3]
    if sizes:
        (batch, heads, length, dim), (_, keys, latent) = q.shape, latents.shape
        rotated = q_rotated.shape[3]
        sizes = (
            q_rotated.shape[:3] == (batch, heads, length)
            and latents.shape[0] == batch
            and k_rotated.shape == (batch, keys, rotated)
            and key_up.shape == (heads, dim, latent)
            and value_up.shape[::2] == (heads, latent)
        )
    if not sizes:
        shapes = ", ".join(f"{name} {tuple(part.shape)}" for name, part in parts.items())
        raise ValueError(
            "q (B, H, Lq, D), q_rotated (B, H, Lq, Dr), latents (B, Lk, C), k_rotated (B, Lk, Dr), "
            f"key_up (H, D, C) and value_up (H, Dv, C) disagree: {shapes}"
        )
