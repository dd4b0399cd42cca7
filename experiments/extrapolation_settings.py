"""What is compared in the laboratory, and all that a training run depends on."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import torch

from experiments.extrapolation_data import Corpus

METHODS = {  # as the results call them: the encoding's name in posenc_ref
    "learned": "learned",
    "sinusoidal": "sinusoidal",
    "t5": "t5",
    "rope": "rope",
    "alibi": "alibi",
    "kerple": "kerple_log",
    "nope": "none",
}
FAST_TABLES = ("t5", "kerple")
TUNED = "rope+pi+tuning"


@dataclass(frozen=True)
class Settings:
    """All that a training run depends on, beside text, method and seed."""

    steps: int = 1500
    length: int = 128  # trained, in bytes
    rows: int = 16
    layers: int = 2
    dim: int = 64
    heads: int = 4
    rate: float = 3e-3
    tuning_rate: float = 1e-3
    evaluations: int = 15  # in the course of a training run
    tested: int = 32  # windows of the longest length, at most

    @property
    def described(self) -> dict[str, Any]:
        """The settings as they are stored."""
        return {**asdict(self), "lengths": self.lengths, "tuning_steps": self.tuning_steps}

    @property
    def lengths(self) -> list[int]:
        """The lengths of the test."""
        return [self.length * times for times in (1, 2, 4, 8)]

    @property
    def tuning_steps(self) -> int:
        """How long RoPE with position interpolation is trained on, at the longest length."""
        return max(1, self.steps // 5)

    def folder(self, text: Corpus, where: torch.device) -> str:
        """Return a name for the checkpoints: what would give other numbers never shares them."""
        return f"{text.sha256[:12]}-{self.steps}-{self.length}-{where.type}"
