"""The questions that a teacher grades: titles, tasks and keys, from the course's notebook.

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
from bilingual.hanzi import join_lines

DIV = re.compile(r'\A<div lang="\w+"[^>]*>\s*(.*?)\s*</div>\s*\Z', re.DOTALL)
DIVS = re.compile(r'<div lang="(en|zh)">\s*(.*?)\s*</div>', re.DOTALL)
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


def questions(folders: CourseDirectory, chapter: str) -> dict[str, HandGradedQuestion]:
    """Return a chapter's questions by nbgrader's name; {} if its source notebook is missing.

    Raises `CannotBegin` for a source that is not a whole notebook.
    """
    path = notebook_of(folders, folders.source_directory, ".", chapter)
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError) as error:  # not JSON, not text, not a notebook
        raise CannotBegin(NOT_A_NOTEBOOK.format(path=path)) from error
    return questions_of(cells)


def questions_of(cells: Iterable[dict[str, Any]]) -> dict[str, HandGradedQuestion]:
    """Return the questions of the course's own notebook, by nbgrader's name."""
    by_name, above = {}, {}
    for cell in cells:
        role = cell_role(cell) or CellRole("code")
        if role.role == "thinking" and {"en", "zh"} <= above.keys():
            title = Text(**{language: heading for language, (heading, _) in above.items()})
            task = Text(**{language: text for language, (_, text) in above.items()})
            by_name[role.exercise] = HandGradedQuestion(title, task, _key("".join(cell["source"])))
        elif role.role == "prose" and role.lang:
            above[role.lang] = _heading_and_text("".join(cell["source"]))
        else:
            above = {}
    return by_name


def _key(source: str) -> Text:
    """Return the model answer and what each point is for; a teacher's own may lack the `<div>`."""
    divs = dict(DIVS.findall(source))
    en, zh = (divs.get(language) or source or "–" for language in ("en", "zh"))
    return Text(en=en, zh=join_lines(zh))


def _heading_and_text(source: str) -> tuple[str, str]:
    """Return a prose cell's heading and the text below; for a missing one, the whole text."""
    wrapped = DIV.match(source)
    text = wrapped.group(1) if wrapped else source.strip()
    heading = HEADING.match(text)
    return (heading.group(1), text[heading.end() :] or text) if heading else (text, text)
