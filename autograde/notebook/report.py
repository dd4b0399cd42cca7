"""The report that a learner reads after a check."""

from __future__ import annotations

from autograde.kit.capture import PRINTED
from autograde.kit.emphasis import without_emphasis
from autograde.kit.verdict import Cause, Outcome, Verdict
from autograde.notebook.first_aid import first_aid
from bilingual import Text, listed

UNSOLVED = Text(
    en="Not solved yet: replace the stub in the cell above, run it, then run this cell again.",
    zh="尚未作答：改写上一个单元格中的占位代码，运行它，再运行本单元格。",
)
SOLVED = Text(en="All checks passed.", zh="全部检查通过。")
LIKELY_CAUSE = Text(en="Likely cause: {sentence}", zh="很可能的原因：{sentence}")
STUCK = Text(
    en='Stuck? hint("{id}") gives one hint at a time.',
    zh='卡住了？hint("{id}")每次给一条提示。',
)
BORROWED = Text(
    en="Your answer uses the reference ({names}). When a class is graded it is not there: "
    "write that part yourself too.",
    zh="你的答案用到了参考实现（{names}）。给全班评分时没有它：这一部分也请自己写。",
)
UNCHANGED = Text(en="{sentence} (passes unchanged)", zh="{sentence}（不改也通过）")
NO_POINTS = Text(
    en="A check that passes with nothing changed earns no points, and costs some if it fails now.",
    zh="不改也能通过的检查不得分，改过之后通不过则要扣分。",
)
SAME = Text(en="for the same reason", zh="原因同上")
PRINTED_HEADING = Text(en="Your function printed:", zh="你的函数打印了：")


def report(verdict: Verdict) -> str:
    """Return the report on a verdict, plain text, in the reader's language."""
    exercise = verdict.exercise
    lines = [
        f"{exercise.title.label()} [{exercise.id}]  {verdict.score:g} / {exercise.points:g} "
        + Text(en="points", zh="分").label()
    ]
    if verdict.unsolved:
        return "\n".join([*lines, str(UNSOLVED)])
    before = None
    for outcome in verdict.outcomes:
        lines += _outcome(outcome, before)
        before = outcome.reason or before
    if any(outcome.passes_unchanged for outcome in verdict.outcomes):
        lines.append(str(NO_POINTS))
    if verdict.full:
        lines.append(str(SOLVED))
    else:
        if verdict.cause:
            lines.append(indented(_explanation(verdict.cause), "➤ "))
        elif advice := _advice(verdict):
            lines.append(indented(advice, "➤ "))
        lines.append(str(STUCK.format(id=exercise.id)))
    if verdict.borrowed:
        lines.append(str(BORROWED.format(names=listed(verdict.borrowed))))
    lines = [*map(without_emphasis, lines)]
    if verdict.printed:
        beginning = verdict.printed[:PRINTED] + ("…" if len(verdict.printed) > PRINTED else "")
        lines += [str(PRINTED_HEADING), beginning.rstrip("\n")]
    return "\n".join(lines)


def _explanation(cause: Cause) -> Text:
    # a relation is true whatever the learner thought; a misconception is the likely reason
    if cause.kind != "misconception":
        return cause.sentence
    return LIKELY_CAUSE.format(sentence=cause.sentence)


def _advice(verdict: Verdict) -> Text | None:
    calls = (call for outcome in verdict.outcomes for call in outcome.calls)
    return next(filter(None, (first_aid(call.error) for call in calls)), None)


def _outcome(outcome: Outcome, before: Text | None) -> list[str]:
    sentence = outcome.check.sentence
    if outcome.passes_unchanged:
        sentence = UNCHANGED.format(sentence=sentence)
    if outcome.reason is None:
        return [indented(sentence, "✓ ")]
    reason = SAME if outcome.reason == before else outcome.reason
    return [indented(sentence, "✗ "), indented(reason, "  → ")]


def indented(text: Text, mark: str) -> str:
    """Return a text after a mark, every line indented like the first."""
    return mark + str(text).replace("\n", "\n" + " " * len(mark))
