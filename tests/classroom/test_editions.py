"""A class that works in three editions is one class: same cells, same points, same diagnosis."""

import shutil
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograde.demo.workbook import Workbook
from autograde.grading.diagnosis import UNSOLVED
from autograde.grading.record import read_record
from autograde.register.results import read_results
from autograde.teacher.course_folder import course_api
from bilingual.setting import ONE_LANGUAGE
from tests.classroom.one_chapter import SETTINGS, grade
from tools.build.editions import headed

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = "01_permutation"
FILE = f"{CHAPTER}/{CHAPTER}.ipynb"
WRONG, BLANK = "causal_mask", "equivariance_gap"
SAID = {"both": (True, True), "zh": (False, True), "en": (True, False)}  # English, Chinese stub

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def courses(tmp_path_factory):
    """Return nbgrader's interface to three courses, by the language that each has released."""
    return {
        language: released(tmp_path_factory.mktemp(language), language)
        for language in ("both", *ONE_LANGUAGE)
    }


def released(folder, language):
    config = (ROOT / "nbgrader_config.py").read_text(encoding="utf-8") + SETTINGS
    (folder / "nbgrader_config.py").write_text(config, encoding="utf-8")
    (folder / "course.toml").write_text(f'language = "{language}"\n', encoding="utf-8")
    shutil.copytree(ROOT / "solutions" / CHAPTER, folder / "solutions" / CHAPTER)
    api = course_api(folder)
    result = api.generate_assignment(CHAPTER)
    assert result["success"], result["log"]
    return api


def answered(notebook, solved):
    """Return the file of a student: one mistake, one blank, all else right."""
    book = Workbook(notebook, solved)
    book.solve(*(name for name in book.exercises if name != BLANK))
    book.mistake(WRONG, 0)
    return book


def test_the_same_answers_in_three_editions_are_graded_alike(courses):
    api = courses["both"]
    course = Path(api.coursedir.root)
    for language, edition in courses.items():
        root = Path(edition.coursedir.root)
        book = answered(root / "notebooks" / FILE, root / "solutions" / FILE)
        if language != "both":
            headed(book.notebook, FILE, language)
        handed_in = course / "submitted" / language / FILE
        handed_in.parent.mkdir(parents=True)
        handed_in.write_text(book.text(), encoding="utf-8")
    assert grade(course, CHAPTER)[0]
    both, en, zh = read_results(api, CHAPTER)
    assert [one.student for one in (both, en, zh)] == ["both", "en", "zh"]
    assert table(both) == table(en) == table(zh)
    by_name = {result.exercise: result for result in both.results}
    assert by_name[WRONG].finding.kind == "misconception"
    assert by_name[WRONG].score < by_name[WRONG].points
    assert by_name[BLANK].diagnosis == UNSOLVED
    others = [result for result in both.results if result.exercise not in (WRONG, BLANK)]
    assert others
    assert all(result.score == result.points for result in others)


def table(submission):
    """Return what the teacher's table says of a submission, without its student."""
    return submission.score, submission.max_score, submission.problem, submission.results


def test_whatever_is_released_the_gradebook_records_the_same_cells(courses):
    records = {}
    for language, api in courses.items():
        with Gradebook(api.coursedir.db_url) as gradebook:
            record = read_record(gradebook, CHAPTER, CHAPTER, ROOT / "solutions" / CHAPTER)
        records[language] = [
            (c.name, c.cell_type, c.points, c.locked, c.solution) for c in record.cells
        ]
        stub = next(c.source for c in record.cells if c.name == f"{BLANK}-answer")
        assert ("YOUR CODE HERE" in stub, "在这里作答" in stub) == SAID[language]
    assert records["both"] == records["zh"] == records["en"]
