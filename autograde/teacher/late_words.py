"""Sentences about late work: how late it was, and how its penalty was computed."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from autograde.teacher.lateness import UNKNOWN_DELAY, Lateness, LatePolicy
from bilingual import Text

MINUTES = Text(en="{minutes} min", zh="{minutes}分钟")
HOURS = Text(en="{hours:.1f} h", zh="{hours:.1f}小时")
DAYS_HOURS = Text(en="{days} d {hours:.1f} h", zh="{days}天{hours:.1f}小时")
WITHIN_GRACE = Text(
    en="{late} after the deadline, within the grace period", zh="迟交{late}，在宽限之内"
)
UNTIMED = Text(en="an unknown amount", zh="（时间不明）")

ZERO = Text(en="Late work earns no points.", zh="迟交不得分。")
FREE = Text(en="Late, but nothing is taken off for that.", zh="迟交，但不扣分。")
GRACE = Text(
    en="Late, but within the grace period of {minutes:g} minutes: nothing is taken off.",
    zh="迟交不到{minutes:g}分钟，在宽限之内，不扣分。",
)
UNTIMED_GRACE = Text(
    en="It counts as within the grace period of {minutes:g} minutes: nothing is taken off.",
    zh="算在{minutes:g}分钟的宽限之内，不扣分。",
)
ONE_DAY = Text(
    en="1 day late (part of a day counts as a day): {share:g} % of the {base:g} points {of}.",
    zh="迟交1天（不足一天按一天算），扣{of}{base:g}分的{share:g}%。",
)
DAYS = Text(
    en="{days} days late (part of a day counts as a day): {days} × {share:g} % of the {base:g} "
    "points {of}.",
    zh="迟交{days}天（不足一天按一天算），每天扣{of}{base:g}分的{share:g}%。",
)
BASES = {
    "maximum": Text(en="of the chapter", zh="满分"),
    "points": Text(en="earned", zh="所得"),
}
FLOOR = Text(
    en="The grade does not fall below {floor:g} points for being late.",
    zh="最多扣到{floor:g}分为止。",
)
CHANGED = Text(
    en="{chapter}: late penalties changed for {count}:", zh="{chapter}：{count}人的迟交扣分有变化："
)


def late_by(seconds: float) -> Text:
    """Return how late work was."""
    if seconds == UNKNOWN_DELAY.total_seconds():
        return UNTIMED
    if seconds < 3600:
        return MINUTES.format(minutes=ceil(seconds / 60))
    days, tenths = divmod(round(seconds / 360), 240)  # rounded first: no day has 24.0 hours
    return (DAYS_HOURS if days else HOURS).format(days=days, hours=tenths / 10)


def penalty_sentences(
    lateness: Lateness, policy: LatePolicy | None, score: float, most: float
) -> list[Text]:
    """Return how the penalty of late work was computed; score: before it, of `most` points."""
    if policy is None:
        return [FREE]
    if lateness.days == 0:
        return [
            (UNTIMED_GRACE if lateness.untimed else GRACE).format(
                minutes=policy.grace.total_seconds() / 60
            )
        ]
    if policy.per_day == 1 and policy.floor == 0:
        return [ZERO]
    base = most if policy.of == "maximum" else score
    sentence = (ONE_DAY if lateness.days == 1 else DAYS).format(
        days=lateness.days, share=100 * policy.per_day, base=round(base, 2), of=BASES[policy.of]
    )
    cut = policy.penalty(lateness.days, score, most) < policy.uncut(lateness.days, score, most)
    floor = round(min(policy.floor * most, score), 2)
    return [sentence, FLOOR.format(floor=floor)] if cut else [sentence]


def changed_penalties(chapter: str, changes: Mapping[str, tuple[float, float]]) -> list[str]:
    """Return lines on the students whose penalty changed, old and new; [] without changes."""
    if not changes:
        return []
    lines = [f"  {one}: {old:g} → {new:g}" for one, (old, new) in sorted(changes.items())]
    return [str(CHANGED.format(chapter=chapter, count=len(changes))), *lines]
