"""How a class is graded: what nbgrader_config.py and course.toml can choose."""

from __future__ import annotations

from dataclasses import dataclass

from autograde.grading.limits import SECONDS
from bilingual import Language
from confined.limits import Limits

DEFAULT_LIMITS = Limits()


@dataclass(frozen=True)
class GradingOptions:
    """How a class is graded.

    pictures: also run what a student wrote a second time, with the reference, for the pictures and
    prints of the feedback page; nothing of that run is scored.
    lowest_tier: the weakest confinement that will do (docs/security.md).
    language: what the graded notebook says is said in it; None: as this process would say it.
    """

    limits: Limits = DEFAULT_LIMITS
    pictures: bool = True
    lowest_tier: int = 1
    language: Language | None = None

    def seconds(self) -> float:
        """Return how long one submission may take in all."""
        # scored, shown, and before the first one the demonstrations that all are shown
        return (1 + 2 * self.pictures) * self.limits.submission_seconds + SECONDS
