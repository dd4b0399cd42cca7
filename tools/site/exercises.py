"""Hints and quiz questions as HTML that opens on a click. It holds no exercise's solution."""

from __future__ import annotations

from string import ascii_uppercase

from markupsafe import Markup

from autograde.kit.catalogue import exercise, questions
from autograde.kit.question import Option, Question
from autograde.pages.markup import markdown
from bilingual import Language, Text
from tools.build.contents import public_links
from tools.site.words import HINT, OPEN, OR_HERE, QUIZ, RIGHT, WRONG

MARK = Markup('<strong role="img" aria-label="{}">{}</strong>').format
DETAILS = Markup('<details class="{}"><summary>{}</summary>{}</details>').format


def hints(exercise_id: str, path: str, language: Language) -> Markup:
    """Return the hints of an exercise, each folded behind a line, and where to answer it."""
    task = exercise(exercise_id)
    total = len(task.hints)
    ladder = [
        DETAILS(
            "course-hint",
            HINT.format(level=level, total=total).in_language(language),
            _html(hint, language),
        )
        for level, hint in enumerate(task.hints, start=1)
    ]
    return Markup('<div class="course-exercise">{}{}</div>').format(
        Markup("").join(ladder), markdown(where(OPEN, path, language))
    )


def where(sentence: Text, path: str, language: Language) -> str:
    """Return Markdown that says how to open a notebook, with public links if there are any."""
    links = [f"[{name.in_language(language)}]({address})" for name, address in public_links(path)]
    also = f"{OR_HERE.in_language(language)} {' · '.join(links)}" if links else ""
    return f"{sentence.format(path=path).in_language(language)} {also}".strip()


def quiz(name: str, language: Language) -> Markup:
    """Return the questions of a quiz; each option opens to show its explanation."""
    sections = [_question(n, each, language) for n, each in enumerate(questions(name), start=1)]
    return Markup('<div class="course-quiz"><p>{}</p>{}</div>').format(
        QUIZ.in_language(language), Markup("").join(sections)
    )


def _question(number: int, question: Question, language: Language) -> Markup:
    options = [
        _option(letter, option, language)
        for letter, option in zip(ascii_uppercase, question.options, strict=False)
    ]
    prompt = markdown(f"**{number}.** {question.prompt.in_language(language)}")
    return Markup("<section>{}{}</section>").format(prompt, Markup("").join(options))


def _option(letter: str, option: Option, language: Language) -> Markup:
    verdict = (RIGHT if option.right else WRONG).in_language(language)
    because = option.because.in_language(language)
    mark = MARK(verdict, "✓" if option.right else "✗")
    text = markdown(option.text.in_language(language)).strip()
    summary = Markup("{}. {}").format(letter, Markup(text.removeprefix("<p>").removesuffix("</p>")))
    return DETAILS("course-option", summary, mark + markdown(because))


def _html(text: Text, language: Language) -> Markup:
    return markdown(text.in_language(language))
