"""The questions that a teacher grades: their titles and words, as the course's notebook has them.

A question stands in the prose right above the cell for its answer, once in each language. In the
course's own notebook that cell holds the key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from nbgrader.coursedir import CourseDirectory

from autograde.kit.cell_role import CellRole, cell_role
from autograde.teacher.course_folder import notebook_of
from autograde.teacher.errors import CannotBegin
from bilingual import Text

DIV = re.compile(r'\A<div lang="\w+"[^>]*>\s*(.*?)\s*</div>\s*\Z', re.DOTALL)
DIVS = re.compile(r'<div lang="(en|zh)">\s*(.*?)\s*</div>', re.DOTALL)
BREAK = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])\n(?=\S)")  # shown as a blank between hanzi
HEADING = re.compile(r"\A#+ +(.+)\n*")

NOT_A_NOTEBOOK = Text(
    en="{path} is not a notebook; was its saving cut short? Save it again, or restore it.",
    zh="{path}不是notebook，可能保存时中断了：请重新保存，或恢复原文件。",
)


@dataclass(frozen=True)
class HandGradedQuestion:
    """A question: its heading, what it asks, and the key to its points, as Markdown."""

    title: Text
    task: Text
    key: Text


def questions(course: CourseDirectory, chapter: str) -> dict[str, HandGradedQuestion]:
    """Return a chapter's questions by the name that nbgrader knows; none without its source.

    Raises `CannotBegin` for a source that is not whole.
    """
    path = notebook_of(course, course.source_directory, ".", chapter)
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError) as error:  # no JSON, no text, not a notebook's
        raise CannotBegin(NOT_A_NOTEBOOK.format(path=path)) from error
    return questions_of(cells)


def questions_of(cells: Iterable[dict[str, Any]]) -> dict[str, HandGradedQuestion]:
    """Return the questions of the course's own notebook, by the name that nbgrader knows."""
    by_name, above = {}, {}
    for cell in cells:
        role = cell_role(cell) or CellRole("code")
        if role.role == "thinking" and {"en", "zh"} <= above.keys():
            title = Text(**{language: words[0] for language, words in above.items()})
            task = Text(**{language: words[1] for language, words in above.items()})
            by_name[role.exercise] = HandGradedQuestion(title, task, _key("".join(cell["source"])))
        elif role.role == "prose" and role.lang:
            above[role.lang] = _words("".join(cell["source"]))
        else:
            above = {}
    return by_name


def _key(source: str) -> Text:
    """Return the model answer and what each point is for; a teacher's own may be in no `<div>`."""
    words = dict(DIVS.findall(source))
    en, zh = (words.get(language) or source or "–" for language in ("en", "zh"))
    return Text(en=en, zh=BREAK.sub("", zh))


def _words(source: str) -> tuple[str, str]:
    """Return the heading of a prose cell and what stands below; either may be all there is."""
    wrapped = DIV.match(source)
    text = wrapped.group(1) if wrapped else source.strip()
    heading = HEADING.match(text)
    return (heading.group(1), text[heading.end() :] or text) if heading else (text, text)
