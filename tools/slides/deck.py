"""The slides of a chapter, from the cells of its page on the site.

A pair of prose cells marked with `slide=` begins a slide. It shows its heading or its section's,
what `points.py` finds in the prose, then the output of the code below, up to the next prose. The
code is shown too if it is short and draws nothing, or with slide="code". An exercise right below is
a slide of its own; it replaces the slide of the prose if that would hold only a heading. The whole
prose, and unmarked prose that follows up to the next heading, goes into the speaker's notes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from markupsafe import Markup
from nbformat import NotebookNode

from autograde.kit.catalogue import exercise
from autograde.kit.cell_role import CellRole, cell_role
from autograde.kit.task import task
from bilingual import Language
from tools.build.contents import Chapter
from tools.slides.points import prose
from tools.slides.words import CHAPTER, HINTS, KEYS

SHORT = 8  # lines of code
BESIDE = 3  # lines of text that leave room for a figure
HOLDS = 30  # lines of text that can be read on a slide, in two columns
TEXT_OUTPUT = "```text\n{}\n```"
CODE = "```python\n{}\n```"


@dataclass
class Slide:
    """What a slide shows at once, what the next key press reveals, and the speaker's notes.

    All parts are Markdown, except figures, which are HTML as `Markup`.
    """

    content: list[str]
    notes: list[str]
    revealed: list[str] = field(default_factory=list)
    kind: str = "points"

    def is_bare(self) -> bool:
        """Return whether there is nothing below its heading."""
        return len(self.content) == 1 and not self.revealed

    def has_figure(self) -> bool:
        """Return whether a figure is among what is revealed."""
        return any(isinstance(output, Markup) for output in self.revealed)


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
                current = None  # a section without a slide
            elif current:
                current.notes.append(cell.source)
        elif role.role == "task" and mark:
            exercise_slide = _task(role.exercise, language)
            if current.is_bare():
                exercise_slide.notes[:0] = deck.pop().notes
            deck.append(exercise_slide)
            current, mark = exercise_slide, None
        elif role.role == "code" and mark:
            current.revealed += outputs(cell)
            if mark == "code" or _speaks_for_itself(cell, current):
                current.content.append(CODE.format(cell.source))
    for slide in deck:
        _leave_room_for_figures(slide)
        _cut_long_texts(slide)
    return deck


def _title(chapter: Chapter, opening: str, language: Language) -> Slide:
    heading = f"# {prose(opening).heading}"
    facts = CHAPTER.format(minutes=chapter.minutes, count=len(chapter.exercises))
    content = [heading, chapter.question.in_language(language), facts.in_language(language)]
    return Slide(content, [opening, KEYS.in_language(language)], kind="title")


def _task(exercise_id: str, language: Language) -> Slide:
    """Return the slide of an exercise, its hints in the notes; the slide names no ways."""
    assignment = exercise(exercise_id)
    ladder = "\n".join(f"- {hint.in_language(language)}" for hint in assignment.hints)
    notes = [HINTS.in_language(language), ladder]
    return Slide([task(assignment, hint=False).in_language(language)], notes, kind="task")


def _leave_room_for_figures(slide: Slide) -> None:
    """Move text output beside a figure to the notes if it is more than a few lines."""
    if slide.has_figure():
        too_long = [
            output
            for output in slide.revealed
            if not isinstance(output, Markup) and _is_long(output)
        ]
        slide.notes += too_long
        slide.revealed = [output for output in slide.revealed if output not in too_long]


def _cut_long_texts(slide: Slide) -> None:
    """Cut a text output to what a slide holds; the whole goes into the notes."""
    for number, output in enumerate(slide.revealed):
        if not isinstance(output, Markup) and _lines(output) > HOLDS:
            slide.notes.append(output)
            lines = output.split("\n")[1:HOLDS]
            slide.revealed[number] = TEXT_OUTPUT.format("\n".join(lines) + "\n…")


def _is_long(text_output: str) -> bool:
    return _lines(text_output) > BESIDE


def _lines(text_output: str) -> int:
    return text_output.count("\n") - 1


def _speaks_for_itself(cell: NotebookNode, slide: Slide) -> bool:
    return cell.source.count("\n") < SHORT and bool(cell.outputs) and not slide.has_figure()


def outputs(cell: NotebookNode) -> Iterator[str]:
    """Yield the outputs of a cell: text as Markdown, figures as HTML."""
    for output in cell.outputs:
        data = output.get("data", {})
        if output.output_type == "stream":
            yield TEXT_OUTPUT.format(output.text.rstrip())
        elif "text/html" in data:
            yield Markup(data["text/html"])
        elif data.get("text/plain"):
            yield TEXT_OUTPUT.format(data["text/plain"])
