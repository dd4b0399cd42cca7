"""`hint(id)`: a ladder of hints, from a nudge to almost the solution, one step a call."""

from __future__ import annotations

from html import escape

from IPython import get_ipython
from IPython.display import display

from autograde.kit import catalogue
from autograde.kit.emphasis import without_emphasis
from autograde.notebook.store import keep, load
from bilingual import Text, page_languages

HINT = Text(
    en="Hint {level} of {total} · {title}\n{hint}", zh="提示 {level}/{total} · {title}\n{hint}"
)
LAST = Text(
    en='That was the last of {total} hints. hint("{id}", level=1) shows the first one again.',
    zh='{total}条提示已经全部给出。hint("{id}", level=1)可以重看第一条。',
)
NO_ID = Text(
    en='Which exercise? Write hint("…") with the name in its check("…", …).',
    zh='要哪道练习的提示？请写hint("…")，引号里是它的check("…", …)里的名字。',
)
NO_LEVEL = Text(
    en="There is no hint {level!r}: the levels run from 1 to {total}.",
    zh="没有第{level!r}条提示：level的范围是1到{total}。",
)


def hint(exercise_id: str = "", level: int | None = None) -> None:
    """Show the next hint, or hint number `level`, which does not advance the ladder.

    Without an id, print how to call it. Raises `UnknownName` for an id that does not exist.
    """
    if exercise_id == "":
        print(NO_ID)
        return
    exercise = catalogue.exercise(exercise_id)
    exercise_id = exercise.id
    total = len(exercise.hints)
    step = _hints_shown(exercise_id) + 1 if level is None else level
    if level is not None and (type(level) is not int or not 1 <= level <= total):
        print(NO_LEVEL.format(level=level, total=total))
    elif step > total:
        print(LAST.format(id=exercise_id, total=total))
    else:
        text = exercise.hints[step - 1]
        _show(HINT.format(level=step, total=total, title=exercise.title, hint=text))
        problem = keep("hints", exercise_id, {"given": step}) if level is None else None
        if problem:
            print(problem)


def _show(hint: Text) -> None:
    """Show a hint; its HTML has each language, so that it follows the switch."""
    plain = without_emphasis(str(hint))
    if get_ipython() is None:
        print(plain)
        return
    html = "".join(
        f'<div lang="{language}"><pre style="white-space: pre-wrap">'
        f"{escape(without_emphasis(hint.in_language(language)))}</pre></div>"
        for language in page_languages()
    )
    display({"text/plain": plain, "text/html": html}, raw=True)


def _hints_shown(exercise_id: str) -> int:
    number = load("hints", exercise_id).get("given")
    return number if type(number) is int and number > 0 else 0
