"""ChatGLM-6B's two-stream RoPE (GLM, Du et al. 2022, §2.2.1): positions for each half of a head.

The first half of the channels turns by the position in the text, where a masked span stands as one
token; the second by the position inside the span being written. Each half is a small head of its
own, with `frequencies(D // 2)`. Axial angles in layout "half" are not the same: they pair channels
across the whole head.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.rope import Layout, rotate
from posenc_ref.tensors import require_tensors


def rotate_2d(x: Tensor, first: Tensor, second: Tensor, *, layout: Layout = "half") -> Tensor:
    """Return x (B, H, L, D) with its halves turned by two sets of angles, each (…, L, D/4).

        [R(first) x_{1…D/2} | R(second) x_{D/2+1…D}],   R as `rotate`

    Source: Du et al. 2022, §2.2.1; `ChatGLMAttnMixin` in SwissArmyTransformer's chatglm_model.py.
    Raises:
        TypeError, ValueError: as `rotate`; D is not divisible by 4.
    Example:
        >>> from posenc_ref import rotate_2d
        >>> x, half_turn = torch.ones(1, 1, 1, 4), torch.full((1, 1), torch.pi)
        >>> rotate_2d(x, half_turn, 0 * half_turn).flatten().round().tolist()
        [-1.0, -1.0, 1.0, 1.0]
    """
    require_tensors(x=x, first=first, second=second)
    if x.dim() != 4 or x.shape[-1] % 4:
        raise ValueError(f"x must be (B, H, L, D), D divisible by 4, got {tuple(x.shape)}")
    halves = zip(x.chunk(2, dim=-1), (first, second), strict=True)
    return torch.cat([rotate(half, angles, layout=layout) for half, angles in halves], dim=-1)
