"""The demo class, graded by nbgrader: every cell of the table, and what lies around it."""

import csv
import html
import io
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from rich.console import Console

from autograde.demo import command, steps
from autograde.demo.folder import DemoError, make_folder
from autograde.kit.catalogue import exercise
from autograde.teacher.results import UNSOLVED

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
        "mend_batch_axis": (0.25, "all_at_zero"),
        "mend_low_precision": (1, "rounded_frequencies"),
    },
    "mistaken_3": {
        **FULL,
        "sinusoidal_frequencies": (0.25, "channel_index"),
        "sinusoidal_table": (2, "counts_rows"),
        "sinusoidal_shift": (1.5, "one_angle"),
        "sinusoidal_similarity": (0.25, "twice"),
        "first_rise": (1.5, "looked_at_fifty"),
        "sinusoidal_layout": (0.5, "swapped_halves"),
        "mend_batch_axis": (0.25, "runs_on"),
        "mend_low_precision": (0.5, "frequencies_decide"),
    },
    "mistaken_4": {
        **FULL,
        "sinusoidal_frequencies": (0.25, "tensor2tensor"),
        "sinusoidal_table": (0.25, "normalised"),
        "sinusoidal_shift": (1.5, "half_layout"),
        "sinusoidal_similarity": (0, "wrong_axis"),
        "first_rise": (0, "fastest_pair"),
        "sinusoidal_layout": (0.5, "swapped_pairs"),
        "mend_batch_axis": (0.25, "multiplied"),
        "mend_low_precision": (1, "rounded_angles"),
    },
    "mistaken_5": {
        **FULL,
        "sinusoidal_frequencies": (0, "one_per_channel"),
        "sinusoidal_table": (0.5, "cosine_exponent"),
        "sinusoidal_shift": (1.25, "sine_on_the_diagonal"),
        "sinusoidal_similarity": (1, "plus_sign"),
        "first_rise": (0, "first_negative"),
        "sinusoidal_layout": (0.5, "nothing_moves"),
        "mend_batch_axis": (0, "appended"),
        "mend_low_precision": (1.75, "never_cast"),
    },
    "mistaken_6": {
        **FULL,
        "sinusoidal_frequencies": (0.25, "no_parentheses"),
        "sinusoidal_table": (1.25, "plus_sign"),
        "sinusoidal_shift": (1.25, "minus_on_the_cosine"),
        "sinusoidal_similarity": (0.25, "every_channel"),
        "first_rise": (1.5, "nothing_to_take"),
        "sinusoidal_layout": (0, "sines_alone"),
        "mend_batch_axis": (0, "axis_in_the_middle"),
        "mend_low_precision": (0.75, "always_bfloat16"),
    },
    "mistaken_7": {
        **FULL,
        "sinusoidal_frequencies": (0.75, "from_one"),
        "sinusoidal_table": (1.25, "doubled_index"),
        "sinusoidal_shift": (1.5, "doubled_index"),
        "sinusoidal_similarity": (0.25, "cosine_of_the_sum"),
        "first_rise": (1.5, "argmax_of_nothing"),
        "mend_batch_axis": (1, "concatenated"),
        "mend_low_precision": (1, "bfloat16_first"),
    },
    "mistaken_8": {
        **FULL,
        "sinusoidal_frequencies": (0.75, "turns_per_token"),
        "sinusoidal_table": (1.25, "tensor2tensor"),
        "sinusoidal_shift": (3.25, "whole_steps"),
        "sinusoidal_similarity": (1, "sines_as_well"),
        "first_rise": (0, "one_too_far"),
        "mend_batch_axis": (1, "encoding_alone"),
        "mend_low_precision": (1, "doubled_index"),
    },
    "mistaken_9": {
        **FULL,
        "sinusoidal_frequencies": (0, "exponent_per_channel"),
        "sinusoidal_table": (0.5, "cut_to_integers"),
        "sinusoidal_shift": (0, "blocks_alone"),
        "sinusoidal_similarity": (1, "doubled_index"),
        "first_rise": (0.5, "base_unused"),
        "mend_batch_axis": (1, "hundred_rows"),
        "mend_low_precision": (1, "positions_in_float16"),
    },
    "mistaken_10": {
        **FULL,
        "sinusoidal_frequencies": (0.25, "wavelengths"),
        "sinusoidal_table": (1.25, "no_two"),
        "first_rise": (0, "first_fall"),
        "mend_batch_axis": (1, "scaled"),
    },
    "mistaken_11": {
        **FULL,
        "sinusoidal_frequencies": (0.25, "whole_exponents"),
        "sinusoidal_table": (0.25, "sines_only"),
        "first_rise": (0, "height_of_the_rise"),
        "mend_batch_axis": (1, "from_one"),
    },
    "mistaken_12": {
        **FULL,
        "sinusoidal_frequencies": (0, "for_every_channel"),
        "sinusoidal_table": (0.25, "rows_mixed"),
        "first_rise": (0, "slope"),
    },
    "mistaken_13": {
        **FULL,
        "sinusoidal_table": (1.25, "degrees"),
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


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Run the demo once, in a folder with a space in its name."""
    folder = tmp_path_factory.mktemp("class") / "the demo"
    printed = io.StringIO()
    before = tree(*TREE)
    with pytest.MonkeyPatch.context() as patch:
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
def test_every_misconception_of_the_chapter_is_made_and_named(graded):
    diagnoses = {(e, d) for row in EXPECTED.values() for e, (_, d) in row.items()}
    for name in POINTS:
        for misconception in exercise(name).misconceptions:
            assert (name, misconception.name) in diagnoses
            assert misconception.name in graded["printed"]
            assert misconception.sentence.zh in graded["printed"]


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
    with pytest.raises(DemoError, match="not made by the demo"):
        make_folder(own, ROOT, CHAPTER)
    assert (own / "thesis.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(("course", "chapter"), [("nowhere", CHAPTER), (str(ROOT), "99_unknown")])
def test_a_missing_course_or_chapter_is_named(tmp_path, course, chapter):
    with pytest.raises(DemoError, match=r"nbgrader_config\.py|99_unknown\.ipynb"):
        make_folder(tmp_path / "demo", tmp_path / course, chapter)
    assert not (tmp_path / "demo").exists()


def test_the_demo_says_where_nbgrader_has_no_exchange(tmp_path, monkeypatch):
    monkeypatch.setattr(steps.sys, "platform", "win32")
    with pytest.raises(DemoError, match="Linux and macOS"):
        steps.teacher(tmp_path)
