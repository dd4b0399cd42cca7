"""How a class is graded: what nbgrader_config.py and course.toml can choose."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from traitlets import Bool, Dict, Enum, Integer
from traitlets.config import Configurable

from autograde.grading.limits import SECONDS
from bilingual import LANGUAGES, Language
from confined.limits import Limits

DEFAULT_LIMITS = Limits()


@dataclass(frozen=True)
class GradingOptions:
    """How a class is graded.

    pictures: also run the notebook a second time, with the reference, for the pictures and prints
    of the feedback page; this run is not scored.
    lowest_tier: the weakest confinement that is accepted (docs/security.md).
    language: of the graded notebook's messages; None: this process's.
    """

    limits: Limits = DEFAULT_LIMITS
    pictures: bool = True
    lowest_tier: int = 1
    language: Language | None = None

    def seconds(self) -> float:
        """Return how long one submission may take in all."""
        # the scored run, the run for pictures, and, once, the demonstrations that all share
        return (1 + 2 * self.pictures) * self.limits.submission_seconds + SECONDS


def new_seed(setting: int | None) -> int:
    """Return the seed of the inputs of one submission: the course's setting, or a random one."""
    return secrets.randbits(31) if setting is None else setting


class SubmittedNotebook(Configurable):
    """These options in nbgrader's configuration: `c.SubmittedNotebook.seed = 7`."""

    limits = Dict(help="what a submission may use: see confined/limits.py").tag(config=True)
    pictures = Bool(True, help="run cells again for the feedback page's pictures").tag(config=True)
    seed = Integer(None, allow_none=True, help="of the inputs; None: a new one each").tag(
        config=True
    )
    lowest_tier = Integer(1, help="the weakest confinement that will do").tag(config=True)
    language = Enum(LANGUAGES, None, allow_none=True, help="zh, en or both").tag(config=True)

    def options(self) -> GradingOptions:
        """Return the course's grading options."""
        limits = Limits(**self.limits)
        return GradingOptions(limits, self.pictures, self.lowest_tier, self.language)
