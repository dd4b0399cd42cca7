"""One rotary encoding as a config describes it, and its frequencies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from posenc_ref.config.remarks import ConfigError
from posenc_ref.llama3 import llama3
from posenc_ref.longrope import longrope
from posenc_ref.ntk import dynamic_ntk
from posenc_ref.position_interpolation import position_interpolation
from posenc_ref.proportional import proportional
from posenc_ref.sinusoidal import frequencies
from posenc_ref.yarn import yarn


@dataclass(frozen=True)
class Rotary:
    """Rotation of q and k. None stands for what the config does not say.

    head_dim: channels of a head that the rotation takes; rotated: how many of them turn.
    layout: which two channels are a pair, as in `rotate`.
    scaling: `rope_type` of Hugging Face transformers; numbers: the other arguments of posenc_ref's
        function of that name, and `attention_factor` if the config gives one.
    trained_length: the length before any stretch; max_length: the length that the config allows.
    sections: pairs for time, height and width (M-RoPE). axes: 2 for an image, else 1.
    score_factor: an extra factor on the scores in DeepSeek's code, see `yarn`.
    """

    head_dim: int | None
    rotated: int | None
    base: float | None
    layout: str | None
    scaling: str = "default"
    numbers: Mapping[str, Any] = field(default_factory=dict)
    trained_length: int | None = None
    max_length: int | None = None
    sections: tuple[int, ...] | None = None
    axes: int = 1
    score_factor: float = 1.0

    def frequencies(self, length: int | None = None) -> tuple[Tensor, float]:
        """Return (frequencies, attention factor) for a text of this length.

        Without a length: those of a text within the trained length. One frequency for each pair,
        (rotated / 2,); for an image, those of each axis.

        Raises:
            ConfigError: the config does not say the base, the channels, or a length that the
                scaling needs.
        """
        if self.base is None or self.rotated is None:
            field = "rope_theta" if self.base is None else "head_dim"
            raise ConfigError("missing", rope_type=self.scaling, field=field)
        dim, base, numbers = self.rotated // self.axes, float(self.base), dict(self.numbers)
        override = numbers.pop("attention_factor", None)
        if self.scaling == "default":
            omega, factor = _any_size(dim, base), 1.0
        elif self.scaling == "linear":
            omega, factor = position_interpolation(dim, base=base, **numbers)
        elif self.scaling == "proportional":
            omega, factor = proportional(self.head_dim, base=base, **numbers)
        else:
            omega, factor = self._by_length(dim, base, numbers, length)
        return omega, factor if override is None else float(override)

    @property
    def is_whole(self) -> bool:
        """Whether the config says enough for `frequencies` without a length."""
        scaled = self.scaling in ("dynamic", "longrope", "yarn", "llama3")
        return None not in (self.base, self.rotated) and not (scaled and not self.trained_length)

    def _by_length(
        self, dim: int, base: float, numbers: dict[str, Any], length: int | None
    ) -> tuple[Tensor, float]:
        trained = self.trained_length
        if trained is None:
            raise ConfigError("missing", rope_type=self.scaling, field="max_position_embeddings")
        if self.scaling == "dynamic":
            return dynamic_ntk(dim, max(length or 0, trained), trained, base=base, **numbers)
        if self.scaling == "longrope":
            return longrope(dim, length or 1, trained, base=base, **numbers)
        stretched = {"yarn": yarn, "llama3": llama3}[self.scaling]
        return stretched(dim, trained_length=trained, base=base, **numbers)


def _any_size(dim: int, base: float) -> Tensor:
    """Return `frequencies`; an odd dim, as a share of a head may be, gives (dim + 1) / 2."""
    if dim % 2 == 0:
        return frequencies(dim, base=base)
    i = torch.arange(0, dim, 2, dtype=torch.float64)
    return base ** (-i / dim)
