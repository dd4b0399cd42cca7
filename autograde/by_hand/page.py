"""A question and the class's answers to it as a page."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from time import thread_time

from markupsafe import Markup
from nbgrader.api import Gradebook

from autograde.by_hand import words
from autograde.by_hand.answers import StudentAnswer, question_names, read_answers
from autograde.by_hand.desk import Desk, Group
from autograde.pages.limits import PAGE_SECONDS
from autograde.pages.marking import points
from autograde.pages.markup import as_written, markdown
from autograde.pages.source_code import code
from autograde.pages.templates import templates
from confined.deadline import TooSlow, call_within_cpu

ON_A_PAGE = 25  # groups of equal answers: pasted pictures may be 8 MiB each
ANSWER_SECONDS = 2.0  # of CPU, then it is shown as it was written
STYLES = (("autograde.pages.feedback", "page.css"), ("autograde.by_hand", "by_hand.css"))


def style() -> str:
    """Return the style of the page: that of the feedback page, and its own."""
    return "\n".join(
        (files(package) / "templates" / name).read_text(encoding="utf-8")
        for package, name in STYLES
    )


def first_question(desk: Desk, gradebook: Gradebook) -> str | None:
    """Return the first question with an answer that waits, else the first; None without any."""
    names = question_names(desk.api, gradebook, desk.chapter)
    answers = read_answers(desk.notebooks, gradebook, names)
    return next((name for name in names if _waiting(answers[name])), next(iter(names), None))


def write_page(desk: Desk, gradebook: Gradebook, name: str, number: int | None) -> str:
    """Return page `number` of a question's answers; for None, the first with one that waits.

    Raises nbgrader's MissingEntry for a name that is not in the gradebook.
    """
    most = gradebook.find_graded_cell(name, desk.chapter, desk.chapter).max_score
    names = question_names(desk.api, gradebook, desk.chapter)
    names += [name] if name not in names else []  # nothing waits there any more
    answers = read_answers(desk.notebooks, gradebook, names)
    questions = desk.questions(names)
    parts = _parts(desk.grouped(answers[name]))
    number = _first_waiting(parts) if number is None else min(max(number, 1), len(parts))
    graded = len(answers[name]) - _waiting(answers[name])
    here = sum(len(group) for _, group in parts[number - 1] if not group[0].needs_teacher)
    marking = desk.marking()
    helpers = {
        "course": marking.prose,
        "points": points,
        "words": words,
        "shown": _shower(),
        "as_written": as_written,
        "state": lambda answer: desk.state(answer, most),
    }
    return (
        templates("autograde.by_hand", marking, helpers)
        .get_template("page.html")
        .render(
            languages=marking.languages,
            chapter=desk.chapter,
            names=desk.names,
            questions=[(one, questions[one].title, _waiting(answers[one])) for one in names],
            name=name,
            question=questions[name],
            most=most,
            groups=parts[number - 1],
            number=number,
            pages=len(parts),
            total=len(answers[name]),
            graded=graded,
            elsewhere=graded - here,
        )
    )


def _waiting(answers: list[StudentAnswer]) -> int:
    return sum(answer.needs_teacher for answer in answers)


def _parts(groups: list[Group]) -> list[list[tuple[int, Group]]]:
    """Return what each page shows, with numbers that go on from page to page."""
    numbered = list(enumerate(groups, start=1))
    starts = range(0, max(len(groups), 1), ON_A_PAGE)
    return [numbered[start : start + ON_A_PAGE] for start in starts]


def _first_waiting(parts: list[list[tuple[int, Group]]]) -> int:
    waiting = (any(group[0].needs_teacher for _, group in part) for part in parts)
    return next((number for number, waits in enumerate(waiting, start=1) if waits), 1)


def _shower() -> Callable[[StudentAnswer], Markup | None]:
    """Return a function that draws an answer, or returns None if that takes too long."""
    end = thread_time() + PAGE_SECONDS

    def draw(answer: StudentAnswer) -> Markup | None:
        left = min(ANSWER_SECONDS, end - thread_time())
        try:
            return call_within_cpu(left, _html, answer) if left > 0 else None
        except TooSlow:
            return None

    return draw


def _html(answer: StudentAnswer) -> Markup:
    if answer.cell["cell_type"] == "markdown":
        return markdown(answer.source, answer.cell.get("attachments"))
    return Markup('<pre class="code"><code>{}</code></pre>').format(code(answer.source))
