"""The demo class, graded by nbgrader: every cell of the table, and what lies around it."""

import csv
import html
import io
import sys
from copy import deepcopy
from functools import partial
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from rich.console import Console

from autograde.__main__ import main
from autograde.demo import command, steps
from autograde.demo.folder import make_folder
from autograde.demo.students import class_of
from autograde.demo.workbook import Workbook
from autograde.grading.diagnosis import UNSOLVED
from autograde.grading.pool import SCORING, GradingPool
from autograde.kit.catalogue import exercise
from autograde.kit.misconception_source import answer_source, written_alone
from autograde.teacher.errors import CannotBegin
from tests.full_disk import no_space

# nbgrader's release_feedback leaves files open
pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = "02_sinusoidal"
POINTS = {
    "sinusoidal_frequencies": 2,
    "sinusoidal_table": 3,
    "sinusoidal_shift": 4,
    "sinusoidal_similarity": 3,
    "first_rise": 3,
    "sinusoidal_layout": 2,
    "mend_batch_axis": 2,
    "mend_low_precision": 2,
}
FULL = {name: (points, None) for name, points in POINTS.items()}
BLANK = dict.fromkeys(POINTS, (0, UNSOLVED))  # what is to be mended too, as it was released

# Student by exercise: what differs from full marks, as (points, diagnosis). The points of a mistake
# are the weights of the checks that it passes, in quarters, e.g. 0.25 = 2 points * 1 (shape) / 8.
# What the code to be mended passes counts for nothing: 0.75 = 2 points * 2 (distinct) / (8 - 2).
EXPECTED = {
    "right": FULL,
    "half": {
        **BLANK,
        "sinusoidal_frequencies": (2, None),
        "sinusoidal_table": (3, None),
        "sinusoidal_shift": (4, None),
        "sinusoidal_similarity": (3, None),
    },
    "blank": BLANK,
    "mistaken_1": {
        **FULL,
        "sinusoidal_frequencies": (0.25, "plus_sign"),
        "sinusoidal_table": (1, "concatenated"),
        "sinusoidal_shift": (1.5, "transposed"),
        "sinusoidal_similarity": (0.25, "sines"),
        "first_rise": (0, "off_by_one"),
        "sinusoidal_layout": (0.5, "inverse"),
        "mend_batch_axis": (0, "unchanged"),
        "mend_low_precision": (0, "unchanged"),
    },
    "mistaken_2": {
        **FULL,
        "sinusoidal_frequencies": (0.25, "no_two"),
        "sinusoidal_table": (1, "cosine_first"),
        "sinusoidal_shift": (0.75, "no_minus"),
        "sinusoidal_similarity": (0.25, "cosine_similarity"),
        "first_rise": (0, "global_minimum"),
        "sinusoidal_layout": (0.5, "odd_first"),
        "mend_batch_axis": (0, "all_at_zero"),
        "mend_low_precision": (0.75, "rounded_frequencies"),
    },
    "mistaken_13": {
        **FULL,
        "sinusoidal_frequencies": (0, "for_every_channel"),
        "sinusoidal_table": (0.25, "rows_mixed"),
        "first_rise": (0, "no_two"),
    },
    "late": FULL,
    "chatty": FULL,
    "copied_cell": FULL,
    "syntax_error": {**FULL, "sinusoidal_frequencies": (0, "SyntaxError")},
    "failing_import": {**FULL, "sinusoidal_table": (0, "ModuleNotFoundError")},
    "endless_answer": {
        **FULL,
        "sinusoidal_shift": (0, "TooSlow"),
    },
    "endless_cell": {**FULL, "sinusoidal_similarity": (3, "TooSlow")},
    "broken_file": {},
}


def tree(*names):
    """Return what lies in the working tree under these names, and when it was written."""
    paths = [path for name in names for path in (ROOT / name, *(ROOT / name).rglob("*"))]
    return {str(path): path.stat().st_mtime_ns for path in paths if path.exists()}


TREE = ("solutions", "notebooks", "submitted", "autograded", "feedback", "exchange", "gradebook.db")


def some_of(chapter):
    """Return the class without most of those who are mistaken: one way to be named is enough."""
    return [student for student in class_of(chapter) if student.id in EXPECTED]


def without_pictures(folder, *course):
    """Make the demo's folder; to draw the class's figures takes half of the time."""
    make_folder(folder, *course)
    with (folder / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write("c.SubmittedNotebook.pictures = False\n")


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Run the demo once, in a folder with a space in its name."""
    folder = tmp_path_factory.mktemp("class") / "the demo"
    printed = io.StringIO()
    before = tree(*TREE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "class_of", some_of)
        patch.setattr(command, "make_folder", without_pictures)
        patch.setattr(steps, "GradingPool", partial(GradingPool, preloaded=SCORING))
        patch.setenv("POSENC_LANGUAGE", "both")
        patch.setenv("POSENC_DATA_DIR", str(folder.parent / "data"))
        patch.setenv("PATH", "/usr/bin:/bin")  # the environment is not activated
        console = Console(file=printed, width=120)
        submissions = command.demo(folder, ROOT, CHAPTER, console)
    return {
        "folder": folder,
        "printed": printed.getvalue(),
        "by_student": {one.student: one for one in submissions},
        "touched": tree(*TREE).items() ^ before.items(),
    }


@pytest.mark.slow
@pytest.mark.parametrize("student", EXPECTED)
def test_every_cell_of_the_table(graded, student):
    results = graded["by_student"][student].results
    assert {one.exercise: (one.score, one.diagnosis) for one in results} == EXPECTED[student]


@pytest.mark.slow
def test_the_class_is_whole_and_the_totals_add_up(graded):
    assert list(graded["by_student"]) == list(EXPECTED)
    for student, one in graded["by_student"].items():
        assert one.score == pytest.approx(sum(score for score, _ in EXPECTED[student].values()))
        assert one.max_score == sum(POINTS.values())
        assert {result.exercise: result.points for result in one.results} in (POINTS, {})


@pytest.mark.slow
def test_only_the_late_one_is_late(graded):
    late = {
        name: one.seconds_late for name, one in graded["by_student"].items() if one.seconds_late
    }
    assert late == {"late": 2.5 * 3600}  # due 23:00 in Shanghai, handed in at 17:30 UTC


@pytest.mark.slow
def test_only_the_broken_file_has_no_results_and_says_why(graded):
    problems = {name: one.problem for name, one in graded["by_student"].items() if one.problem}
    assert list(problems) == ["broken_file"]
    assert "not a notebook" in problems["broken_file"].en
    assert "JSONDecodeError" in (logs(graded) / "broken_file.log").read_text("utf-8")


@pytest.mark.slow
def test_every_misconception_that_was_made_is_named_in_the_table(graded):
    diagnoses = {(e, d) for row in EXPECTED.values() for e, (_, d) in row.items()}
    for name in POINTS:
        mistakes = [one for one in exercise(name).misconceptions if (name, one.name) in diagnoses]
        assert len(mistakes) >= 2
        for misconception in mistakes:
            assert misconception.name in graded["printed"]
            assert misconception.sentence.zh in graded["printed"]


def test_the_class_makes_every_misconception_of_the_chapter():
    place = f"{CHAPTER}/{CHAPTER}.ipynb"
    released = Workbook(ROOT / "notebooks" / place, ROOT / "solutions" / place)
    texts = []
    for student in class_of(CHAPTER):
        book = deepcopy(released)
        student.edit(book)
        texts.append("\n".join(cell.source for cell in book.notebook.cells))
    for name in POINTS:
        for misconception in written_alone(exercise(name)):
            source = answer_source(misconception.answer, name)
            assert any(source in text for text in texts), misconception.name


@pytest.mark.slow
def test_feedback_pages_give_the_reasons_in_both_languages(graded):
    pages = sorted(graded["folder"].glob(f"feedback/*/{CHAPTER}/{CHAPTER}.html"))
    assert {page.parts[-3] for page in pages} == EXPECTED.keys() - {"broken_file"}
    page = feedback(graded, "mistaken_1")
    read = BeautifulSoup(page, "html.parser").get_text()
    for name, (_, diagnosis) in EXPECTED["mistaken_1"].items():
        misconceptions = {wrong.name: wrong for wrong in exercise(name).misconceptions}
        assert misconceptions[diagnosis].sentence.en.replace("`", "") in read
        assert misconceptions[diagnosis].sentence.zh.replace("`", "") in read
    assert '"misconception"' not in page  # the payload for the table is not shown


def logs(graded):
    return graded["folder"] / "grading" / "logs" / CHAPTER


def feedback(graded, student):
    path = graded["folder"] / "feedback" / student / CHAPTER / f"{CHAPTER}.html"
    return html.unescape(path.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_an_endless_answer_is_reported_as_too_slow(graded):
    page = feedback(graded, "endless_answer")
    assert "no result after 10 s: does a loop never end?" in page
    assert "10秒后仍没有结果：是不是有循环停不下来？" in page


@pytest.mark.slow
def test_grades_csv_equals_the_gradebook(graded):
    with (graded["folder"] / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert rows.keys() == EXPECTED.keys()
    for student, row in rows.items():
        one = graded["by_student"][student]
        assert float(row["score"]) == one.score
        assert float(row["max_score"]) == one.max_score
        assert row["duedate"] == "2026-09-14 15:00:00"


@pytest.mark.slow
def test_copied_cells_are_graded_once_and_become_plain(graded):
    path = graded["folder"] / "autograded" / "copied_cell" / CHAPTER / f"{CHAPTER}.ipynb"
    cells = nbformat.read(path, as_version=4).cells
    ids = [cell.metadata.nbgrader.grade_id for cell in cells if "nbgrader" in cell.metadata]
    assert len(ids) == len(set(ids))
    assert sum(cell.source.startswith('check("sinusoidal_frequencies"') for cell in cells) == 2


@pytest.mark.slow
def test_students_get_their_feedback_back_through_the_exchange(graded):
    released = list((graded["folder"] / "exchange" / "posenc" / "feedback").glob("*.html"))
    assert len(released) == len(EXPECTED) - 1


@pytest.mark.slow
def test_the_working_tree_is_untouched(graded):
    assert graded["touched"] == set()


@pytest.mark.slow
def test_the_demo_prints_where_its_files_are(graded):
    for path in (graded["folder"] / "grades.csv", graded["folder"] / "feedback", logs(graded)):
        assert str(path) in graded["printed"]
        assert path.exists()
    assert "迟交2.5小时 · 2.5 h late" in graded["printed"]


def test_a_second_demo_replaces_the_first_and_nothing_else(tmp_path):
    folder = tmp_path / "demo"
    make_folder(folder, ROOT, CHAPTER)
    (folder / "old").write_text("from the first run", encoding="utf-8")
    make_folder(folder, ROOT, CHAPTER)
    assert not (folder / "old").exists()
    assert (folder / "solutions" / CHAPTER / f"{CHAPTER}.ipynb").is_file()
    own = tmp_path / "own"
    own.mkdir()
    (own / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(CannotBegin, match="not made by the demo"):
        make_folder(own, ROOT, CHAPTER)
    assert (own / "thesis.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(("course", "chapter"), [("nowhere", CHAPTER), (str(ROOT), "99_unknown")])
def test_a_missing_course_or_chapter_is_named(tmp_path, course, chapter):
    with pytest.raises(CannotBegin, match=r"nbgrader_config\.py|99_unknown\.ipynb"):
        make_folder(tmp_path / "demo", tmp_path / course, chapter)
    assert not (tmp_path / "demo").exists()


def test_the_demo_says_where_nbgrader_has_no_exchange_and_leaves_the_last_one(
    tmp_path, monkeypatch
):
    make_folder(tmp_path / "demo", ROOT, CHAPTER)
    (tmp_path / "demo" / "old").touch()
    monkeypatch.setattr(steps.sys, "platform", "win32")
    with pytest.raises(CannotBegin, match="Linux and macOS"):
        command.demo(tmp_path / "demo", ROOT, CHAPTER, Console(quiet=True))
    assert (tmp_path / "demo" / "old").exists()


def test_a_full_disk_is_told_in_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "make_folder", no_space)
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", ["autograde", "demo", "--folder", str(tmp_path / "demo")])
    with pytest.raises(SystemExit, match="No space left on device"):
        main()
