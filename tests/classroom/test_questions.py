"""The questions that a teacher grades have their titles and their words in both languages."""

import json

import pytest
from nbgrader.coursedir import CourseDirectory

from autograde.teacher.questions import questions
from tests.all_chapters import CHAPTERS
from tools.build.contents import ROOT

COURSE = CourseDirectory(root=str(ROOT), source_directory="solutions")


def by_hand(chapter):
    """Return the names of the cells of a chapter that a teacher grades."""
    path = ROOT / "solutions" / chapter / f"{chapter}.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    facts = [cell["metadata"].get("nbgrader", {}) for cell in cells]
    return [one["grade_id"] for one in facts if one.get("grade") and one.get("solution")]


@pytest.mark.parametrize("chapter", [chapter.name for chapter in CHAPTERS])
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


def test_without_the_source_there_are_none(tmp_path):
    assert questions(CourseDirectory(root=str(tmp_path)), "05_rope") == {}
