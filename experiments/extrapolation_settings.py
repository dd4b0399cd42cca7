"""What is compared in the laboratory, and all that a training run depends on."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

METHODS = {  # name in the results: the encoding's name in posenc_ref
    "learned": "learned",
    "sinusoidal": "sinusoidal",
    "sinusoidal_scaled": "sinusoidal",  # the word embeddings times √d, as in Vaswani et al.
    "t5": "t5",
    "rope": "rope",
    "alibi": "alibi",
    "kerple": "kerple_log",
    "nope": "none",
}
OWN_WEIGHTS = ("learned", "t5", "kerple")  # their encoding has parameters
TUNED = {  # continues from the trained "rope": (scaling, multiple of the trained length)
    "rope+short_tuning": ("none", 1),
    "rope+tuning": ("none", 8),
    "rope+pi+tuning": ("pi", 8),
}
COMPARED = (  # fixed before the test part was read: intervals allow for this many comparisons
    ("kerple", "alibi"),
    ("alibi", "t5"),
    ("t5", "rope"),
    ("nope", "rope"),
    ("rope", "sinusoidal"),
    ("sinusoidal", "sinusoidal_scaled"),
    ("sinusoidal", "learned"),
    ("rope+pi", "rope"),
    ("rope+ntk", "rope"),
    ("rope+parts", "rope+ntk"),
    ("rope+yarn", "rope+parts"),
    ("rope+tuning", "rope+pi+tuning"),
    ("rope+tuning", "rope+short_tuning"),
)


@dataclass(frozen=True)
class Settings:
    """All that the results depend on, besides text, methods and seeds."""

    steps: int = 600
    length: int = 128  # trained, in bytes
    rows: int = 8
    layers: int = 2
    dim: int = 64
    heads: int = 4
    rates: tuple[float, ...] = (0.003, 0.01)  # candidates at the start; a cosine falls to 0
    tuning_steps: int = 100
    tuning_rates: tuple[float, ...] = (0.001, 0.003)
    evaluations: int = 8  # during a training run
    blocks: int = 48  # length of the test text, in windows of the longest length
    watched: int = 4  # length of the validation text at each evaluation, in the same windows

    @property
    def described(self) -> dict[str, Any]:
        """The settings as they are stored."""
        return {**asdict(self), "lengths": self.lengths}

    @property
    def lengths(self) -> list[int]:
        """The lengths of the test."""
        return [self.length * times for times in (1, 2, 4, 8)]


@dataclass(frozen=True)
class Job:
    """One training run; factor: multiplies the rate for the encoding's own weights."""

    method: str
    seed: int
    rate: float
    factor: float = 1.0

    @property
    def name(self) -> str:
        """The name of its files."""
        return f"{self.method}-{self.seed}-{self.rate:g}-{self.factor:g}"


def candidates(settings: Settings, method: str) -> list[Job]:
    """Return the runs of seed 0, one of which is chosen by validation; one rule for all methods.

    Every rate, for all weights alike; and the lowest, with ten times the rate for an encoding's own
    weights.
    """
    rates = settings.tuning_rates if method in TUNED else settings.rates
    jobs = [Job(method, 0, rate) for rate in rates]
    return [*jobs, Job(method, 0, min(rates), 10.0)] if method in OWN_WEIGHTS else jobs
