"""Encodings that turn queries and keys in every layer: RoPE, its scalings, xPos.

The frequencies are not weights: a trained model takes others by assignment, and its state dict is
the same for all of them.

    model.encoding.frequencies, model.encoding.attention_factor = yarn(head_dim, 4.0, 512)
"""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from posenc_ref.device import angle_dtype
from posenc_ref.encoding import Encoding
from posenc_ref.positions import checked_positions
from posenc_ref.rope import Layout
from posenc_ref.rope_angles import require_frequencies, rope_angles
from posenc_ref.rope_partial import rotate_partial
from posenc_ref.scalars import require_choice, require_finite
from posenc_ref.xpos import rotate_xpos

Scaled = tuple[Tensor, float]  # frequencies (r/2,) and attention factor, as each scaling gives them


class RotaryEncoding(Encoding):
    """Turns the first r channels by `frequencies` (r/2,), float32 or float64; both can be assigned.

        q, k → `rotate_partial` by the angles p ω,   (B, H, L, D) → (B, H, L, D)

    Source: Su et al. 2021, §3.2.
    Raises:
        TypeError: frequencies are not a tensor (but a pair with their attention factor, say), or
            not float32 or float64; attention_factor is not a real number.
        ValueError: frequencies are not (r/2,); attention_factor is not finite.
    Example:
        >>> from posenc_ref import RotaryEncoding, frequencies, position_interpolation
        >>> encoding = RotaryEncoding(frequencies(4))
        >>> encoding.frequencies, encoding.attention_factor = position_interpolation(4, 2.0)
        >>> encoding.frequencies.tolist()
        [0.5, 0.005]
    """

    def __init__(
        self, frequencies: Tensor, attention_factor: float = 1.0, *, layout: Layout = "half"
    ) -> None:
        """Take what `posenc_ref.frequencies` or a scaling gives."""
        super().__init__()
        require_frequencies(frequencies)
        require_finite(attention_factor=attention_factor)
        # plain attributes: as a buffer they would become 16-bit with the model
        self.frequencies, self.attention_factor = frequencies, attention_factor
        self.layout = layout

    def scaled(self, k_positions: Tensor) -> Scaled:
        """Return frequencies and attention factor for these keys."""
        return self.frequencies, self.attention_factor

    def rotate(
        self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return queries and keys, turned."""
        frequencies, factor = self.scaled(k_positions)
        require_frequencies(frequencies)  # they may have been assigned
        omega = frequencies.to(q.device, angle_dtype(q.device))
        turned_q, turned_k = (
            rotate_partial(x, rope_angles(at, omega), layout=self.layout, attention_factor=factor)
            for x, at in ((q, q_positions), (k, k_positions))
        )
        return turned_q, turned_k


class LengthRotaryEncoding(RotaryEncoding):
    """RoPE whose frequencies depend on the length so far: dynamic NTK, LongRoPE.

        x (B, H, L, D) → rotate(x, p ω(l), f(l)), (B, H, L, D);   l = max(k_positions) + 1

    `scaling(length)` gives frequencies and attention factor; all keys are turned again, so the
    cache must hold them un-rotated. With several layers, what earlier tokens stored still comes
    from the frequencies at that time, so decoding equals one full pass only up to the trained
    length.

    Source: Peng et al. 2023, §3.3.
    Example:
        >>> from posenc_ref import LengthRotaryEncoding, dynamic_ntk, positions
        >>> encoding = LengthRotaryEncoding(lambda length: dynamic_ntk(8, length, 100))
        >>> round(encoding.scaled(positions(400))[0][-1].item(), 6)  # a fourth of the slowest
        0.00025
    """

    def __init__(self, scaling: Callable[[int], Scaled], *, layout: Layout = "half") -> None:
        """Take the scaling."""
        super().__init__(*scaling(1), layout=layout)
        self.scaling = scaling

    def scaled(self, k_positions: Tensor) -> Scaled:
        """Return what the scaling gives for the largest position; not for torch.compile."""
        at = checked_positions(k_positions)
        return self.scaling(int(at.max()) + 1 if at.numel() else 1)


class XPosEncoding(Encoding):
    """xPos around `center`, the position at which neither queries nor keys are scaled.

        q, k → `rotate_xpos` of each by its role,   (B, H, L, D) → (B, H, L, D)

    Source: Sun et al. 2023, as `XPOS` of microsoft/torchscale computes it.
    Raises:
        TypeError: base, scale_base or center is not a real number.
        ValueError: one of them is not finite; layout is unknown.
    Example:
        >>> from posenc_ref import XPosEncoding, positions
        >>> q, at = torch.ones(1, 1, 2, 4), positions(2)
        >>> [x.shape for x in XPosEncoding().rotate(q, q, at, at)]
        [torch.Size([1, 1, 2, 4]), torch.Size([1, 1, 2, 4])]
    """

    def __init__(
        self,
        *,
        layout: Layout = "half",
        base: float = 10000.0,
        scale_base: float = 512.0,
        center: float = 0.0,
    ) -> None:
        """Take the constants."""
        super().__init__()
        require_choice(Layout, layout=layout)
        require_finite(base=base, scale_base=scale_base, center=center)
        self.options = {"layout": layout, "base": base, "scale_base": scale_base, "center": center}

    def rotate(
        self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return queries and keys, turned and scaled."""
        return (
            rotate_xpos(q, q_positions, role="query", **self.options),
            rotate_xpos(k, k_positions, role="key", **self.options),
        )
