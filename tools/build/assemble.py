"""Turns a chapter's text into nbgrader's source notebook, each cell with its role.

The fields that `chapter_text.py` reads become `metadata.posenc` (see
`autograde/kit/cell_role.py`). All later code takes a cell's role from there.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook

from autograde.kit.catalogue import exercise
from autograde.kit.cell_role import CellRole, Role, cell_role
from autograde.kit.chapter import section_id, section_link
from autograde.kit.task import task
from bilingual import Language, Text
from bilingual.hanzi import join_lines
from tools.build.chapter_text import read_chapter
from tools.build.contents import Chapter, navigation
from tools.build.marks import marked_cells, with_ways_leaving
from tools.build.roles import finished
from tools.build.unseen import fold_answers

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
METADATA = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
GRADED = {"answer": "exercise", "check": "check", "thinking": "thinking"}  # role: id's beginning
START = Text(
    en="**Start here, today and every day:** run the next cell. It imports what the chapter uses. "
    "To go on further down, click into the cell where you stopped, then menu Run, Run All Above "
    "Selected Cell.",
    zh="**每天从这里开始**：运行下一个单元格，导入本章要用的东西。要从中途接着做，"
    "就点一下上次停下的单元格，再选菜单Run里的Run All Above Selected Cell。",
)
ALONE = Text(
    en='Once your answer stands above and is saved, `answer("{name}")` in a new cell shows a model '
    "answer, and what each point is for.",
    zh='上面的答案写好并保存之后，新建一个单元格运行`answer("{name}")`，'
    "就能看到参考答案和评分标准。",
)
SHORT = 3  # line breaks; a longer first cell is folded


def assemble(chapter: Chapter) -> NotebookNode:
    """Return the source notebook of a chapter, with nbgrader's metadata, not yet executed."""
    cells: list[NotebookNode] = []
    for cell in marked_cells(chapter, address_in_jupyter):
        cell.metadata.pop("slide", None)
        cells += _task(cell, hint=True)
        done = finished(cell)
        if cell_role(done).role == "switch" and done.source.count("\n") > SHORT:
            cells += _prose("navigation", START)
            done.metadata["jupyter"] = {"source_hidden": True}  # JupyterLab folds it
        cells.append(done)
        if cell_role(done).role == "thinking":
            cells += _prose("prose", ALONE.format(name=cell_role(done).exercise))
    cells += _prose("navigation", navigation(chapter))
    fold_answers(cells)
    return _notebook([_in_div(cell, chapter) for cell in cells])


def assemble_page(chapter: Chapter) -> NotebookNode:
    """Return the notebook for web pages and slides, with nothing for a kernel or a teacher."""
    cells: list[NotebookNode] = []
    for cell in marked_cells(chapter, address_on_page):
        cells += _task(cell, hint=False)
        if not {"check", "thinking"} & cell.metadata.keys():
            cells.append(finished(cell))
    fold_answers(cells)
    return _notebook([_with_label(cell, chapter) for cell in cells])


def address_in_jupyter(chapter: Chapter, number: int, language: Language) -> str:
    """Return the link from the notebook of a chapter to a section of the course."""
    return f"../{section_link(chapter.name, number, language)}"


def address_on_page(chapter: Chapter, number: int, language: Language) -> str:
    """Return the link from a page of the site to a section; tools/site/conf.py knows `page:`."""
    return f"page:{chapter.name}#{_label(chapter, number)}"


def _label(chapter: Chapter, number: int) -> str:
    return f"section-{chapter.name.replace('_', '-')}-{number}"


def _with_label(cell: NotebookNode, chapter: Chapter) -> NotebookNode:
    """Give the heading of a section the name that `address_on_page` links to."""
    number = cell_role(cell).section
    if number is not None:
        cell.source = f"({_label(chapter, number)})=\n{cell.source}"
    return cell


def _task(cell: NotebookNode, *, hint: bool) -> list[NotebookNode]:
    """Return the task of the exercise that a cell of a chapter's text answers; [] for any other."""
    name = cell.metadata.get("exercise")
    if name is None:
        return []
    text, leaving = task(exercise(name), hint=hint), cell.metadata.pop("leaving", [])
    return _prose("task", with_ways_leaving(text, leaving) if leaving else text, name)


def assemble_index(path: Path, parts: Mapping[str, Text]) -> NotebookNode:
    """Return the table-of-contents notebook; `<!-- NAME -->` in its text becomes `parts[NAME]`."""
    cells = read_chapter(path)
    for cell in cells:
        for name, text in parts.items():
            if cell.cell_type == "markdown":
                part = text.in_language(cell.metadata["lang"])
                cell.source = cell.source.replace(f"<!-- {name} -->", part)
    return _notebook([_in_div(finished(cell)) for cell in cells])


def _notebook(cells: list[NotebookNode]) -> NotebookNode:
    seen: Counter[str] = Counter()
    for cell in cells:
        cell.id = _identity(cell, seen)
    notebook = new_notebook(cells=cells, metadata=METADATA, nbformat_minor=5)
    nbformat.validate(notebook)
    return notebook


def _in_div(cell: NotebookNode, chapter: Chapter | None = None) -> NotebookNode:
    """Wrap prose in a `<div lang>`, so that the language buttons find it in the page.

    The div of a section's heading has an id: bilingual/page/sections.js keeps it in sight.
    """
    role = cell_role(cell)
    if role.lang:
        at = "" if role.section is None else f' id="{_label(chapter, role.section)}"'
        cell.source = f'<div lang="{role.lang}"{at}>\n\n{cell.source}\n\n</div>'
    return cell


def _prose(role: Role, text: Text, exercise_id: str | None = None) -> list[NotebookNode]:
    return [
        new_markdown_cell(source, metadata=CellRole(role, exercise_id, lang).metadata())
        for lang, source in (("en", text.en), ("zh", join_lines(text.zh)))
    ]


def _identity(cell: NotebookNode, seen: Counter[str]) -> str:
    """Return an id that other cells do not affect: learners' copies are matched by it."""
    role = cell_role(cell)
    if role.role in GRADED:
        return f"{GRADED[role.role]}-{role.exercise}"
    if role.section is not None:
        return section_id(role.section, role.lang)
    digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
    seen[digest] += 1
    return digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
