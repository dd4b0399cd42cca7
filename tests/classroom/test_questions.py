"""The questions that a teacher grades have their titles and their words in both languages."""

import json

from nbformat.v4 import new_markdown_cell
from nbgrader.coursedir import CourseDirectory

from autograde.kit.cell_role import CellRole
from autograde.teacher.questions import questions, questions_of
from tests.all_chapters import CHAPTERS
from tests.one_test import one_test
from tools.build.contents import ROOT

COURSE = CourseDirectory(root=str(ROOT), source_directory="solutions")


def by_hand(chapter):
    """Return the names of the cells of a chapter that a teacher grades."""
    path = ROOT / "solutions" / chapter / f"{chapter}.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    facts = [cell["metadata"].get("nbgrader", {}) for cell in cells]
    return [one["grade_id"] for one in facts if one.get("grade") and one.get("solution")]


@one_test([(chapter.name,) for chapter in CHAPTERS], str)
def test_every_question_has_a_title_and_says_what_it_asks(chapter):
    by_name = questions(COURSE, chapter)
    assert list(by_name) == by_hand(chapter)
    for question in by_name.values():
        assert question.title.en.startswith("Think: ")
        assert question.title.zh.startswith("想一想：")
        assert len(question.task.en) > 100
        assert "<div" not in question.task.en + question.task.zh
        assert question.title.zh not in question.task.zh
        assert "**Points.**" in question.key.en
        assert "**评分。**" in question.key.zh
        assert "<div" not in question.key.en + question.key.zh


def test_a_list_and_code_in_a_key_stay_lines():
    """A line break between hanzi is shown as a blank; one before an item makes the list."""
    key = "答：\n- 甲得\n  一分。\n- 乙得一分。\n\n```python\n# 甲\n乙 = 1\n```"
    source = f'<div lang="zh">\n\n{key}\n\n</div>'
    prose = [
        new_markdown_cell("# 1", metadata=CellRole("prose", lang=one).metadata())
        for one in ("en", "zh")
    ]
    thinking = new_markdown_cell(source, metadata=CellRole("thinking", "why").metadata())
    joined = key.replace("\n  一分", "一分")
    assert questions_of([*prose, thinking])["why"].key.zh == joined


def test_without_the_source_there_are_none(tmp_path):
    assert questions(CourseDirectory(root=str(tmp_path)), "05_rope") == {}
