"""Any encoding behind a local window with sinks: one layer of a model that mixes layers.

    scores = those of the encoding where window_mask is true, -inf elsewhere

Layers of LayerEncodings may have it and others not: Gemma 3 has a window and base 10 000 in five
layers of six, base 1 000 000 and no window in the sixth. Where a window hides what lies further
back, a cache may drop it: `evict` with window - 1 before the next token changes nothing.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.encoding import Encoding
from posenc_ref.masks import window_mask


class WindowEncoding(Encoding):
    """An encoding whose queries see `window` positions, their own the last, and `sinks`.

        scores[i, j] = encoding's if k_j - q_i > -window or k_j < sinks, else -∞

    Source: Beltagy et al. 2020, §3.1; `layer_types` of Hugging Face transformers.
    Raises:
        TypeError: encoding is not an Encoding, window or sinks no integer.
        ValueError: the encoding enters before the first layer: `embed` has no window; window is not
            positive, sinks negative.
    Example:
        >>> from posenc_ref import Encoding, WindowEncoding, positions
        >>> q, at = torch.ones(1, 1, 3, 4), positions(3)
        >>> WindowEncoding(Encoding(), window=1, sinks=1).scores(q, q, at, at)[0, 0, 2].tolist()
        [2.0, -inf, 2.0]
    """

    def __init__(self, encoding: Encoding, *, window: int, sinks: int = 0) -> None:
        """Take the encoding, whose weights stay its own."""
        super().__init__()
        if not isinstance(encoding, Encoding):
            raise TypeError(f"encoding must be an Encoding, got {encoding!r}")
        if type(encoding).embed is not Encoding.embed:
            name = type(encoding).__name__
            raise ValueError(f"{name} enters before the first layer, where there is no window")
        self.encoding, self.window, self.sinks = encoding, window, sinks
        self._mask(torch.zeros(0), torch.zeros(0))  # says at once what is wrong with the numbers

    def rotate(
        self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return queries and keys as the encoding turns them."""
        return self.encoding.rotate(q, k, q_positions, k_positions)

    def scores(
        self,
        q: Tensor,
        k: Tensor,
        q_positions: Tensor,
        k_positions: Tensor,
        mask: Tensor | None = None,
    ) -> Tensor:
        """Return the encoding's scores (B, H, Lq, Lk), -inf outside the window."""
        near = self._mask(q_positions, k_positions)
        mask = near if mask is None else mask & near
        scores = self.encoding.scores(q, k, q_positions, k_positions, mask)
        return scores.masked_fill(~near, -torch.inf)

    def read(
        self, weights: Tensor, values: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor:
        """Return what the encoding reads."""
        return self.encoding.read(weights, values, q_positions, k_positions)

    def _mask(self, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        near = window_mask(q_positions, k_positions, window=self.window, sinks=self.sinks)
        return near[:, None] if near.dim() == 3 else near
