"""Right results of calls that change their inputs."""

from __future__ import annotations

from collections.abc import Sequence

from autograde.kit.relations.pair import Pair
from autograde.kit.verdict import Cause
from bilingual import Text

SENTENCE = Text(
    en="Your results are right, but a call changes its inputs: `x[i] = …`, `x += …`, `.pop` "
    "and `x.clamp_()` change an input itself. Work on a copy: `x.clone()`; for a dictionary "
    "`copy.deepcopy(x)`, since `dict(x)` shares the dictionaries inside.",
    zh="你的结果都对，只是调用时改动了传入的东西：`x[i] = …`、`x += …`、`.pop`、`x.clamp_()`"
    "都会改动输入本身。请在副本上做：张量用`x.clone()`；字典用`copy.deepcopy(x)`，"
    "因为`dict(x)`里层的字典仍是同一个。",
)


def changed_alone(pairs: Sequence[Pair], tolerance: float) -> Cause | None:
    """Return the cause if all results are right but a call changed an input, else None."""
    if not any(pair.call.changed for pair in pairs):
        return None
    right = all(pair.is_right(tolerance) for pair in pairs)
    return Cause("relation", "in_place", SENTENCE) if right else None
