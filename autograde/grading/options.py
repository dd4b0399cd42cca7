"""How a class is judged: what nbgrader_config.py and course.toml can say of it."""

from __future__ import annotations

from dataclasses import dataclass

from confined.limits import Limits

DEFAULT_LIMITS = Limits()


@dataclass(frozen=True)
class JudgeOptions:
    """How a class is judged.

    shown: also run each notebook a second time, with the reference, for the pictures and prints
    of the feedback page; nothing of that run is judged.
    lowest_tier: the weakest confinement that will do (docs/security.md).
    """

    limits: Limits = DEFAULT_LIMITS
    shown: bool = True
    lowest_tier: int = 1
