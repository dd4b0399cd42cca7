"""Multimodal RoPE: time, height and width share the pairs of a head, a section for each.

Text stands at (p, p, p), so text alone is RoPE exactly. Two arrangements of the sections (t, h, w):

- "chunked": the first t pairs turn by time, the next h by height, the last w by width (Qwen2-VL,
  sections 16, 24, 24: not thirds of the head).
- "interleaved": t, h, w, t, h, w, … until h and w are used up, then time (Qwen3-VL, sections
  24, 20, 20): every axis gets fast pairs as well as slow ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Literal

import torch
from torch import Tensor

from posenc_ref.rope_angles import rope_angles
from posenc_ref.scalars import require_choice, require_integers, require_lists
from posenc_ref.tensors import require_tensors

Arrangement = Literal["chunked", "interleaved"]


def mrope_angles(
    positions: Tensor,
    frequencies: Tensor,
    sections: Sequence[int],
    *,
    arrangement: Arrangement = "chunked",
) -> Tensor:
    """Return the angles for `rotate`, (…, L, D/2): positions (3, …, L) of time, height and width.

        angle[l, i] = ω_i p_{axis(i), l},   axis(i) ∈ {time, height, width} by the arrangement

    sections: how many of the D/2 pairs belong to each axis.

    Source: Wang et al. 2024 (Qwen2-VL), §2.1; `Qwen2VLRotaryEmbedding` and
    `Qwen3VLTextRotaryEmbedding` in Hugging Face transformers.
    Raises:
        TypeError: sections are not a list of integers; as `rope_angles`.
        ValueError: not three axes; sections are negative, do not fill the pairs, or ask for more
            than every third pair of the interleaved; arrangement is unknown.
    Example:
        >>> from posenc_ref import mrope_angles
        >>> at, ones = torch.tensor([[1], [10], [100]]), torch.ones(4)
        >>> mrope_angles(at, ones, (2, 1, 1)).tolist()
        [[1.0, 1.0, 10.0, 100.0]]
        >>> mrope_angles(at, ones, (2, 1, 1), arrangement="interleaved").tolist()
        [[1.0, 10.0, 100.0, 1.0]]
    """
    require_tensors(positions=positions, frequencies=frequencies)
    require_lists(sections=sections)
    for size in sections:
        require_integers(**{"each of sections": size})
    shape, pairs = tuple(positions.shape), frequencies.numel()
    fills = len(sections) == 3 and min(sections) >= 0 and sum(sections) == pairs
    if len(shape) < 2 or shape[0] != 3 or not fills:
        values = f"{shape}, {tuple(sections)} and {pairs} pairs"
        raise ValueError(f"positions (3, …, L), three sections and D/2 pairs disagree: {values}")
    require_choice(Arrangement, arrangement=arrangement)
    if arrangement == "interleaved" and any(3 * sections[a] - 3 + a >= pairs for a in (1, 2)):
        values = f"{tuple(sections)} of {pairs} pairs"
        raise ValueError(f"height and width get every third pair at most, got {values}")
    time, height, width = rope_angles(positions, frequencies)  # (…, L, D/2) each
    pair = torch.arange(len(frequencies), device=frequencies.device)
    if arrangement == "chunked":
        by_height = (pair >= sections[0]) & (pair < sections[0] + sections[1])
        by_width = pair >= sections[0] + sections[1]
    else:
        by_height, by_width = ((pair % 3 == axis) & (pair < 3 * sections[axis]) for axis in (1, 2))
    return torch.where(by_height, height, torch.where(by_width, width, time))


def mrope_positions(
    parts: Sequence[int | tuple[int, int, int]], *, device: torch.device | str | None = None
) -> Tensor:
    """Return positions (3, L) of a mixed sequence: a number is that many words, (t, h, w) a grid.

        p = begun + (t, h, w) of each cell,   then begun += max(T, H, W);   words: t = h = w

    A part begins one after the largest position of the part before it. An image is (1, h, w); a
    video counts its frames on the time axis. (`get_rope_index` of Hugging Face transformers does so
    in 4.57; 5.23 goes on after max(h, w), so that words may stand before the last frame.)

    Source: Wang et al. 2024 (Qwen2-VL), §2.1 and Figure 3.
    Raises:
        TypeError: a size is not an integer.
        ValueError: a part is empty, or neither a number nor three of them.
    Example:
        >>> from posenc_ref import mrope_positions
        >>> mrope_positions([2, (1, 2, 2), 1]).tolist()
        [[0, 1, 2, 2, 2, 2, 4], [0, 1, 2, 2, 3, 3, 4], [0, 1, 2, 3, 2, 3, 4]]
    """
    begun, columns = 0, [torch.zeros(3, 0, dtype=torch.long, device=device)]
    for part in parts:
        is_grid = isinstance(part, Sequence)
        sizes = part if is_grid else (part,)
        if any(isinstance(size, bool) or not isinstance(size, Integral) for size in sizes):
            raise TypeError(f"the sizes of a part must be integers, got {part}")
        if len(sizes) != (3 if is_grid else 1) or min(sizes) < 1:
            raise ValueError(f"a part is a number of words or a grid (t, h, w), got {part}")
        axes = [torch.arange(size, device=device) for size in sizes]
        grid = torch.cartesian_prod(*axes).reshape(-1, len(axes)).T.expand(3, -1)
        columns.append(begun + grid)
        begun += max(sizes)
    return torch.cat(columns, dim=1)
