"""Multimodal RoPE: time, height and width share the pairs of a head, each section by section.

Text stands at (p, p, p), so text alone is RoPE exactly. Two arrangements of the sections (t, h, w):

- "chunked": the first t pairs turn by time, the next h by height, the last w by width (Qwen2-VL,
  sections 16, 24, 24: not thirds of the head).
- "interleaved": t, h, w, t, h, w, … until h and w have their number, then time (Qwen3-VL, sections
  24, 20, 20): every axis gets fast pairs as well as slow ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import torch
from torch import Tensor

from posenc_ref.rope_angles import rope_angles

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
        TypeError: as `rope_angles`.
        ValueError: not three axes, or sections that do not fill the pairs; arrangement is unknown.
    Example:
        >>> from posenc_ref import mrope_angles
        >>> at, ones = torch.tensor([[1], [10], [100]]), torch.ones(4)
        >>> mrope_angles(at, ones, (2, 1, 1)).tolist()
        [[1.0, 1.0, 10.0, 100.0]]
        >>> mrope_angles(at, ones, (2, 1, 1), arrangement="interleaved").tolist()
        [[1.0, 10.0, 100.0, 1.0]]
    """
    if positions.shape[:1] != (3,) or len(sections) != 3 or sum(sections) != len(frequencies):
        given = f"{tuple(positions.shape)}, {tuple(sections)} and {len(frequencies)} pairs"
        raise ValueError(f"positions (3, …, L), three sections and D/2 pairs disagree: {given}")
    if arrangement not in get_args(Arrangement):
        known = ", ".join(get_args(Arrangement))
        raise ValueError(f"arrangement must be one of {known}, got {arrangement!r}")
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
    video counts its frames on the time axis.

    Source: Wang et al. 2024 (Qwen2-VL), §2.1 and Figure 3.
    Raises:
        ValueError: a part is empty.
    Example:
        >>> from posenc_ref import mrope_positions
        >>> mrope_positions([2, (1, 2, 2), 1]).tolist()
        [[0, 1, 2, 2, 2, 2, 4], [0, 1, 2, 2, 3, 3, 4], [0, 1, 2, 3, 2, 3, 4]]
    """
    begun, columns = 0, []
    for part in parts:
        sizes = (part,) if isinstance(part, int) else part
        if min(sizes) < 1:
            raise ValueError(f"a part is a number of words or a grid (t, h, w), got {part}")
        axes = [torch.arange(size, device=device) for size in sizes]
        grid = torch.cartesian_prod(*axes).reshape(-1, len(axes)).T.expand(3, -1)
        columns.append(begun + grid)
        begun += max(sizes)
    return torch.cat(columns, dim=1) if columns else torch.zeros(3, 0, dtype=torch.long)
