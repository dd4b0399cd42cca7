"""Keys of a RoPE cache: rotated before they are stored, or after they are read.

*Rotated* is the usual way: each key is turned once. Its angle is then fixed: a scaling that changes
with length (dynamic NTK) does not fit the keys stored before, and a key cannot get another position
except by `shift_keys`, which turns by the difference.

*Un-rotated* (StreamingLLM) stores k and turns all keys at every step, by any positions and
frequencies. It costs a rotation of the cache per step, and makes eviction and dynamic scaling exact
within a layer: what a deeper layer stored was computed from the scores at that time.

Turning a stored key a little at each step and storing it again drifts in 16 bits: each turn rounds
again. Relative error of the oldest of 1024 keys (D = 128, three seeds), stepwise and in one shot:
bfloat16 0.45 to 0.60 and 0.002, float16 0.06 to 0.08 and 0.0003, float32 2e-5 and 0. So keep the
stored key and its position, and shift once, from there.
"""

from __future__ import annotations

from torch import Tensor

from posenc_ref.positions import checked_positions
from posenc_ref.rope import Layout, rotate
from posenc_ref.rope_angles import rope_angles


def shift_keys(
    keys: Tensor,
    stored_positions: Tensor,
    new_positions: Tensor,
    frequencies: Tensor,
    *,
    layout: Layout,
) -> Tensor:
    """Return rotated keys (B, H, L, D) as if they stood at new positions, in one turn.

        R_{p'} k = R_{p' - p} (R_p k),   p stored, p' new

    Positions are (L,) or (B, L). Turning by ω (new - stored) adds to the turn that a key has: doing
    it with the *position* instead rotates twice.

    Source: Xiao et al. 2024 (StreamingLLM), §3.2; `SinkCache` of transformers 4.38 for the turn.
    Raises:
        TypeError, ValueError: as `rotate`; the positions have different shapes.
    Example:
        >>> from posenc_ref import frequencies, positions, rope_angles, rotate, shift_keys
        >>> k, omega = torch.ones(1, 1, 2, 4), frequencies(4)
        >>> at_five = rotate(k, rope_angles(positions(2, start=5), omega), layout="half")
        >>> moved = shift_keys(at_five, positions(2, start=5), positions(2), omega, layout="half")
        >>> torch.allclose(moved, rotate(k, rope_angles(positions(2), omega), layout="half"))
        True
    """
    stored, new = checked_positions(stored_positions), checked_positions(new_positions)
    if stored.shape != new.shape:
        raise ValueError(f"positions differ in shape: {tuple(stored.shape)} and {tuple(new.shape)}")
    return rotate(keys, rope_angles(new - stored, frequencies), layout=layout)
