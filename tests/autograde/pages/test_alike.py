"""The part on answers that are alike: pairs with their lines, a table, and nobody's name."""

import csv
import io
from datetime import UTC, datetime

import nbformat
from nbformat.v4 import new_code_cell

from autograde.kit.cell_role import ANSWER_HERE
from autograde.likeness.alike import Alike
from autograde.likeness.pairs import AlikeAnswers, Comparison, Line, Pair
from autograde.likeness.same_words import SameWords
from autograde.pages.class_report import words
from autograde.pages.class_report.alike_table import write_alike_table
from autograde.pages.class_report.command import report
from autograde.pages.class_report.page import write_page
from tests.autograde.page_reader import Reader
from tests.autograde.small_class import HOSTILE, KIT, SCRIPT
from tests.autograde.table_reader import read_table

NOW = datetime(2026, 9, 20, 8, 30, tzinfo=UTC)
MINE = """def double(x):
    halves = [part.clone().mul_(2) for part in x.flatten().split(3)]  # mine
    joined = torch.cat([part.reshape(-1) for part in halves], dim=0)
    return joined.reshape(x.shape).to(x.dtype).contiguous()
"""
LINES = (Line(f"even = x * 2  # {SCRIPT}", True), Line("return even", False))
PAIR = Pair(
    (HOSTILE, "ada"),
    (AlikeAnswers(Alike("double", (HOSTILE, "ada"), 0.875, 41.26, frozenset()), (LINES, LINES)),),
)


def test_a_pair_stands_with_its_lines_side_by_side_and_nothing_runs(register):
    page = write_page(register, "en", NOW, Comparison((PAIR,)))
    text = Reader(page).text
    assert "Double 88% alike" in text
    assert text.count(f"even = x * 2  # {SCRIPT}") == 2
    assert page.count("<mark>") == 2
    assert "<script" not in page
    assert words.ALIKE_WHY.en in text


def test_the_part_is_there_only_when_asked_for(register):
    assert words.ALIKE.en not in Reader(write_page(register, "en", NOW)).text
    assert words.NO_PAIR.en in Reader(write_page(register, "en", NOW, Comparison())).text


def test_pseudonyms_hide_who_is_alike_and_what_they_wrote(register):
    def name(student):
        return f"S-{len(student)}"

    comparison = Comparison((PAIR,), {"double": ["eve", HOSTILE]}).under(name)
    (pair,) = comparison.pairs
    text = Reader(write_page(register.under(name), "en", NOW, comparison)).text
    assert comparison.not_compared == {"double": ["S-12", "S-3"]}
    assert HOSTILE not in text
    assert pair.students == ("S-12", "S-3")
    assert "even = x * 2" not in text
    assert words.NO_LINES.en in text
    assert HOSTILE not in write_alike_table(Comparison((pair,)))


def test_the_table_has_a_row_for_each_exercise_and_no_formula():
    pair = Pair(("=1", "ada"), PAIR.answers * 2)
    rows = list(csv.DictReader(io.StringIO(write_alike_table(Comparison((pair,))))))
    assert [row["student"] for row in rows] == ["'=1", "'=1"]
    assert (rows[0]["share"], rows[0]["weight"]) == ("0.875", "41.3")
    assert rows[0]["weight_of_pair"] == "82.5"


def answer(course, student, source):
    """Put an answer into a student's graded notebook."""
    path = course / "autograded" / student / KIT / f"{KIT}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    facts = {"grade_id": "double-answer", "grade": False, "solution": True}
    notebook.cells.insert(0, new_code_cell(source, metadata={"nbgrader": facts}))
    nbformat.write(notebook, path)


def test_the_report_finds_a_copy_when_asked_to(course):
    answer(course, "ada", MINE)
    answer(course, "ben", MINE.replace("x", "tensor").replace("2", "7"))
    answer(course, "cai", "def double(x):\n    return torch.add(x, x)")
    answer(course, "dot", "def double(" + "(" * 9_000)
    answer(course, "eve", "def double(x):\n    raise NotImplementedError")
    answer(course, "fay", "def double(x):\n    return 2 * x")
    answer(course, HOSTILE, "double = lambda x: x + x")
    page, _, table = report(course, KIT, course / "reports", "en", alike=True)
    assert table.name == f"{KIT}-alike.csv"
    (row,) = read_table(table)
    assert (row["student"], row["other_student"], row["exercise"]) == ("ada", "ben", "double")
    assert "<mark>    halves = " in page.read_text(encoding="utf-8")
    text = " ".join(Reader(page.read_text(encoding="utf-8")).text.split())
    assert f"{words.NOT_COMPARED_WHY.en} Double students: 1 dot" in text
    assert len(report(course, KIT, course / "reports", "en")) == 2


def test_equal_answers_in_prose_are_one_group_and_those_left_blank_are_not(course):
    """Seen: one answer of four students, word for word, that made six pairs."""
    texts = {
        "ada": "Order is  lost.\nSo is place.",
        "ben": "Order is lost. So is\u200b place.\n",
        "cai": ANSWER_HERE.zh,
        "dot": ANSWER_HERE.zh,
        "eve": " ",
        "fay": "Order is lost. So is place.",
    }
    for student, text in texts.items():
        path = course / "autograded" / student / KIT / f"{KIT}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        notebook.cells[-1].source = text
        nbformat.write(notebook, path)
    page, _, table = report(course, KIT, course / "reports", "en", alike=True)
    rows = [[row["student"], row["other_student"], row["exercise"]] for row in read_table(table)]
    assert rows == [["ada", "ben", "a_why"], ["ada", "fay", "a_why"]]
    assert {(row["share"], row["weight"]) for row in read_table(table)} == {("1.0", "")}
    text = Reader(page.read_text(encoding="utf-8")).text
    assert text.count(words.SAME_WORDS.en.format(count=3)) == 1
    assert text.count("So is place.") == 1


def test_pseudonyms_hide_who_shares_an_answer_and_the_answer(register):
    group = SameWords("double", (HOSTILE, "ada", "eve"), f"my words {SCRIPT}")
    comparison = Comparison(groups=(group,))
    text = Reader(write_page(register, "en", NOW, comparison)).text
    assert SCRIPT in text
    hidden = comparison.under(lambda student: f"S-{len(student)}-{student[0]}")
    page = write_page(
        register.under(lambda student: f"S-{len(student)}-{student[0]}"), "en", NOW, hidden
    )
    assert "my words" not in page
    assert words.SAME_WORDS.en.format(count=3) in Reader(page).text
    assert HOSTILE not in write_alike_table(hidden)
