"""Where each token stands: positions are numbers handed to every encoding, never counted inside it.

Decoding with a cache starts at the number of tokens already there, packing starts again at 0 in
each document, left padding counts tokens and skips the padding, and scaling divides: all four
only pass other positions to the same encoding.

Positions are tensors of integers, or of float32/float64 if a position between two tokens or
before the first one has a meaning (each encoding says so). 16-bit floats raise an error: they
cannot count. Relative position is key minus query, so the past is negative.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.scalars import require_integers
from posenc_ref.tensors import false_somewhere, require_tensors


def positions(length: int, *, start: int = 0, device: torch.device | str | None = None) -> Tensor:
    """Return start, start + 1, …, start + length - 1 as int64, shape (L,).

        p_l = start + l,   l = 0 … length - 1

    `start` is the number of tokens already in the cache when a model decodes. A negative one
    gives negative positions: right for sinusoids, refused by learned tables.

    Source: none, plumbing of the course.
    Raises:
        TypeError: length or start is not an integer.
        ValueError: length is negative.
    Example:
        >>> from posenc_ref import positions
        >>> positions(3, start=5).tolist()
        [5, 6, 7]
    """
    require_integers(length=length, start=start)  # arange would cut 2.5 to 2
    if length < 0:
        raise ValueError(f"length must be at least 0, got {length}")
    return torch.arange(start, start + length, dtype=torch.int64, device=device)


def positions_from_mask(mask: Tensor, *, padding_idx: int | None = None) -> Tensor:
    """Count the tokens of each row: mask (B, L), true at tokens → positions (B, L), int64.

        p[b, l] = max(0, n - 1),   n = Σ_{t≤l} mask[b, t]
        p[b, l] = n · mask[b, l] + padding_idx, if that is given

    The first token of a row stands at 0 however much padding is to its left, as in `generate`
    of Hugging Face transformers (mask.cumsum(-1) - 1). Padding before it stands at 0 too, later
    padding repeats the position of the token before it: both are valid rows of any table, and
    no query may attend to them.

    fairseq, and after it RoBERTa, XLM-R and M2M100, number their rows from the padding token:
    with its `padding_idx` (1 there) padding stands at padding_idx, tokens from padding_idx + 1 on.

    Inside a graph or under vmap the numbers of an integer mask are not checked.

    Source: `generate` in Hugging Face transformers: mask.cumsum(-1) - 1; with padding_idx
    `make_positions` in fairseq, `create_position_ids_from_input_ids` in Hugging Face transformers.
    Raises:
        TypeError: mask is not a tensor of booleans or integers (but an additive mask of 0 and
            -inf, say); padding_idx is not an integer.
        ValueError: mask is not (B, L), or an integer in it is neither 0 nor 1.
    Example:
        >>> from posenc_ref import positions_from_mask
        >>> mask = torch.tensor([[0, 0, 1, 1]])
        >>> positions_from_mask(mask).tolist(), positions_from_mask(mask, padding_idx=1).tolist()
        ([[0, 0, 0, 1]], [[1, 1, 2, 3]])
    """
    require_tensors(mask=mask)
    if mask.is_floating_point() or mask.is_complex():
        raise TypeError(f"mask must be boolean or of 0 and 1, got {mask.dtype}")
    if mask.dim() != 2:
        raise ValueError(f"mask must be (B, L), got {tuple(mask.shape)}")
    if false_somewhere((mask == 0) | (mask == 1)):
        raise ValueError("mask must hold 1 at tokens and 0 at padding, and nothing else")
    mask = mask.long()
    if padding_idx is None:
        return (mask.cumsum(-1) - 1).clamp(min=0)
    require_integers(padding_idx=padding_idx)
    return mask.cumsum(-1) * mask + padding_idx


def relative_positions(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    """Return key minus query: (…, Lq), (…, Lk) → (…, Lq, Lk); negative entries are the past.

        r[…, i, j] = k_positions[…, j] - q_positions[…, i]

    Leading dimensions (a batch, from `positions_from_mask`) must be the same on both sides.
    Integers give int64, floats (positions between tokens) give floats.

    Source: key minus query, as in Shaw et al. 2018, §3.2, and T5's code.
    Raises:
        TypeError: positions are 16-bit floats or not real numbers.
        ValueError: a side has no length dimension, or the leading dimensions differ.
    Example:
        >>> from posenc_ref import positions, relative_positions
        >>> relative_positions(positions(2), positions(3)).tolist()
        [[0, 1, 2], [-1, 0, 1]]
    """
    q_positions, k_positions = checked_positions(q_positions), checked_positions(k_positions)
    q_shape, k_shape = tuple(q_positions.shape), tuple(k_positions.shape)
    if not q_shape or not k_shape or q_shape[:-1] != k_shape[:-1]:
        raise ValueError(
            f"q_positions (…, Lq) and k_positions (…, Lk) disagree: {q_shape} and {k_shape}"
        )
    return k_positions[..., None, :] - q_positions[..., :, None]


def checked_positions(positions: Tensor, *, integral: bool = False) -> Tensor:
    """Return positions as int64 or as float32/float64, or raise an error that says why not.

    Raises:
        TypeError: not a tensor; booleans or complex numbers; floats of 16 bits or fewer; floats
            where `integral` asks for integers (a table has no row 1.5).
    """
    require_tensors(positions=positions)
    dtype = positions.dtype
    if dtype == torch.bool or dtype.is_complex:
        raise TypeError(f"positions must be integers or real numbers, got {dtype}")
    if not dtype.is_floating_point:
        return positions.long()  # small and unsigned integers would wrap around when subtracted
    if dtype not in (torch.float32, torch.float64):
        raise TypeError(f"positions in {dtype} collide (256 == 257 in bfloat16); use int64")
    if integral:
        raise TypeError(f"positions must be integers to choose rows of a table, got {dtype}")
    return positions
