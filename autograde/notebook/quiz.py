"""`quiz(name)`: the self-test of a chapter: buttons if a kernel runs, else plain text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from string import ascii_uppercase

import mistune
from IPython.display import display
from ipywidgets import HTML, Button, HBox, HTMLMath, Layout, VBox, Widget

from autograde.kit import catalogue
from autograde.kit.question import Option, Question
from autograde.notebook.records import record_right, right_prompts
from autograde.notebook.report import indented
from bilingual import Text, page_languages

INVITATION = Text(
    en="Self-test, {total} questions. Run this cell to answer.",
    zh="自测，共{total}题。运行本单元格即可作答。",
)
SCORE = Text(
    en="Answered correctly at some point: {right} / {total}", zh="曾经答对：{right} / {total}"
)
GONE = Text(
    en="The kernel that ran these questions is gone. Run the chapter's first cells and this one "
    "again; what you had right is kept.",
    zh="运行这些题目的内核已经不在了。请重新运行本章开头的单元格和本单元格；答对过的都记着。",
)
LOST = """<style>
.posenc-gone, .posenc-quiz .jupyter-widgets-disconnected::before { display: none; }
.posenc-quiz:has(.jupyter-widgets-disconnected) .posenc-gone { display: block; }
.posenc-quiz:has(.jupyter-widgets-disconnected) button { opacity: 0.4; pointer-events: none; }
</style>"""  # one sentence in place of JupyterLab's red sign on every widget
CHOOSE = Text(en="Choose {letter}", zh="选{letter}")


class Lines(mistune.HTMLRenderer):
    """HTML without the margins of paragraphs."""

    def paragraph(self, text: str) -> str:
        """Return a paragraph as a plain block."""
        return f"<div>{text}</div>"


# escape: what looks like HTML in a question is shown, not run
MARKDOWN = mistune.create_markdown(renderer=Lines(escape=True), plugins=["math"])


def quiz(name: str = "", questions: tuple[Question, ...] | None = None) -> None:
    """Show the questions of `quizzes/<name>.py`; every option, once pressed, explains itself.

    questions: which of them to show, all by default. Raises `UnknownName`, which lists the
    nearest name or all names, for a quiz that does not exist or without a name.
    """
    every = catalogue.questions(name)
    questions = every if questions is None else questions
    # one output, two faces: buttons if a kernel runs, else a text that is always the same
    faces = panel(name, questions)._repr_mimebundle_()
    display({**faces, "text/plain": listing(questions)}, raw=True)


def listing(questions: tuple[Question, ...], invitation: Text = INVITATION) -> str:
    """Return all questions and options as plain text, without the answers."""
    lines = [str(invitation.format(total=len(questions)))]
    for number, question in enumerate(questions, start=1):
        lines += ["", indented(question.prompt, f"{number}. ")]
        for letter, option in zip(ascii_uppercase, question.options, strict=False):
            lines.append(indented(option.text, f"   {letter}. "))
    return "\n".join(lines)


def panel(name: str, questions: tuple[Question, ...]) -> VBox:
    """Return the questions with their buttons; right answers are kept for `progress()`."""
    right = right_prompts(name)  # shown even if it cannot be kept
    score = HTML()

    def show_score(problem: Text | None = None) -> None:
        count = sum(question.prompt.en in right for question in questions)
        score.value = status(SCORE.format(right=count, total=len(questions)), problem)

    def pressed(question: Question, option: Option) -> None:
        if option.right:
            right.add(question.prompt.en)
            show_score(record_right(name, question))

    show_score()
    return questionnaire([*cards(questions, pressed), score])


def questionnaire(parts: Sequence[Widget]) -> VBox:
    """Return the parts in a column, with a sentence shown only when their kernel is gone."""
    box = VBox([HTML(f'{LOST}<div class="posenc-gone">{_html(GONE)}</div>'), *parts])
    return box.add_class("posenc-quiz")


def cards(questions: Sequence[Question], pressed: Callable[[Question, Option], None]) -> list[VBox]:
    """Return each question with its buttons; `pressed` is called for each option chosen."""
    return [_card(number, one, pressed) for number, one in enumerate(questions, start=1)]


def status(*texts: Text | None) -> str:
    """Return HTML that a screen reader reads aloud when it changes."""
    return _status("".join(_html(text) for text in texts if text))


def _card(number: int, question: Question, pressed: Callable[[Question, Option], None]) -> VBox:
    because, reasons = HTMLMath(), {}

    def row(letter: str, option: Option) -> HBox:
        name = f"{CHOOSE.format(letter=letter).label()}: {option.text.label()}"
        button = Button(description=letter, tooltip=name, layout=Layout(width="4em", flex="none"))

        def press(_: Button) -> None:
            mark = "✓" if option.right else "✗"
            button.description = f"{letter} {mark}"
            button.button_style = "success" if option.right else "warning"
            reasons.pop(letter, None)
            earlier = "".join(reasons.values())
            reasons[letter] = _html(_led(f"**{letter} {mark}**", option.because))
            because.value = earlier + _status(reasons[letter])
            pressed(question, option)

        button.on_click(press)
        return HBox([button, HTMLMath(_html(option.text))], layout=Layout(align_items="center"))

    rows = [row(*pair) for pair in zip(ascii_uppercase, question.options, strict=False)]
    prompt = HTMLMath(_html(_led(f"**{number}.**", question.prompt)))
    return VBox([prompt, *rows, because], layout=Layout(margin="0 0 1.5em 0"))


def _led(mark: str, text: Text) -> Text:
    return Text(en=f"{mark} {text.en}", zh=f"{mark} {text.zh}")


def _html(text: Text) -> str:
    if text.en == text.zh:
        return f"<div>{MARKDOWN(text.en)}</div>"
    languages = page_languages()
    tag = "div" if len(languages) > 1 else "section"  # no switch may hide a single language
    parts = [(lang, MARKDOWN(text.in_language(lang))) for lang in languages]
    return "".join(f'<{tag} lang="{lang}">{content}</{tag}>' for lang, content in parts)


def _status(content: str) -> str:
    return f'<div role="status">{content}</div>'
