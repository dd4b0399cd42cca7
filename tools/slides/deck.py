"""The slides of a chapter, from the cells of its page on the site.

A pair of prose cells that `slide=` marks begins a slide: its heading, or that of its section, what
`points.py` finds in the prose, then what the code below puts out, up to the next prose; and the
code itself where it is short and draws nothing, or with slide="code". An exercise right below is a
slide of its own, the only one where the prose alone would leave it bare. The whole prose goes into
the speaker's notes, with the prose that follows without a mark, up to the next heading.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from markupsafe import Markup
from nbformat import NotebookNode

from autograde.kit.catalogue import exercise
from autograde.kit.cell_role import CellRole, cell_role
from bilingual import Language
from tools.build.contents import Chapter
from tools.slides.points import prose
from tools.slides.words import CHAPTER, HINTS, KEYS

SHORT = 8  # lines of code
BESIDE = 3  # lines of text that leave a figure its room
TEXT_OUTPUT = "```text\n{}\n```"
CODE = "```python\n{}\n```"


@dataclass
class Slide:
    """What a slide shows at once, what a key more reveals, and what the speaker reads.

    All is Markdown, but for figures, which are HTML as `Markup`.
    """

    content: list[str]
    notes: list[str]
    revealed: list[str] = field(default_factory=list)
    kind: str = "points"

    def is_bare(self) -> bool:
        """Return whether there is nothing below its heading."""
        return len(self.content) == 1 and not self.revealed


def slides(page: NotebookNode, chapter: Chapter, language: Language) -> list[Slide]:
    """Return the slides of a chapter; page: its page in one language."""
    deck = [_title(chapter, page.cells[0].source, language)]
    section, current, mark = "", None, None
    for cell in page.cells[1:]:
        role = cell_role(cell) or CellRole("navigation")
        if role.role == "prose":
            words, mark = prose(cell.source), cell.metadata.get("slide")
            section = words.heading or section
            if mark:
                current = Slide([f"## {section}", *words.points], [cell.source])
                deck.append(current)
            elif words.heading:
                current = None  # a section that is left out
            elif current:
                current.notes.append(cell.source)
        elif role.role == "task" and mark:
            task = Slide([cell.source], _hints(role.exercise, language), kind="task")
            if current.is_bare():
                task.notes[:0] = deck.pop().notes
            deck.append(task)
            current, mark = task, None
        elif role.role == "code" and mark:
            put_out = list(outputs(cell))
            if mark == "code" or _speaks_for_itself(cell.source, put_out):
                current.content.append(CODE.format(cell.source))
            beside, too_long = _beside_figures(put_out)
            current.revealed += beside
            current.notes += too_long
    return deck


def _title(chapter: Chapter, opening: str, language: Language) -> Slide:
    heading = f"# {prose(opening).heading}"
    facts = CHAPTER.format(minutes=chapter.minutes, count=len(chapter.exercises))
    content = [heading, chapter.question.in_language(language), facts.in_language(language)]
    return Slide(content, [opening, KEYS.in_language(language)], kind="title")


def _hints(exercise_id: str, language: Language) -> list[str]:
    ladder = [f"- {hint.in_language(language)}" for hint in exercise(exercise_id).hints]
    return [HINTS.in_language(language), "\n".join(ladder)]


def _beside_figures(put_out: list[str]) -> tuple[list[str], list[str]]:
    """Return what a slide shows of a cell's output, and what is left to the speaker."""
    too_long = [part for part in put_out if not isinstance(part, Markup) and _lines(part) > BESIDE]
    if len(too_long) == len(put_out):
        return put_out, []
    return [part for part in put_out if part not in too_long], too_long


def _lines(text_output: str) -> int:
    return text_output.count("\n") - 1


def _speaks_for_itself(source: str, put_out: list[str]) -> bool:
    draws = any(isinstance(part, Markup) for part in put_out)
    return source.count("\n") < SHORT and bool(put_out) and not draws


def outputs(cell: NotebookNode) -> Iterator[str]:
    """Yield what a cell put out: text as Markdown, figures as HTML."""
    for output in cell.outputs:
        data = output.get("data", {})
        if output.output_type == "stream":
            yield TEXT_OUTPUT.format(output.text.rstrip())
        elif "text/html" in data:
            yield Markup(data["text/html"])
        elif data.get("text/plain"):
            yield TEXT_OUTPUT.format(data["text/plain"])
