"""The seed of a grade is found where it stands, and nowhere that a student can write."""

import json

import pytest
from filelock import FileLock

from autograde.grading.journal import Journal
from autograde.grading.regrade import stored_seed
from autograde.kit.cell_role import KEY
from autograde.kit.verdict_record import VerdictRecord
from autograde.teacher.errors import CannotBegin


def cell(seed, **nbgrader):
    nbgrader["grade_id"] = f"{len(nbgrader)}-{seed}"
    verdict = VerdictRecord("first_rise", seed=seed).to_json()
    output = {"output_type": "display_data", "metadata": {KEY: verdict}}
    return {"metadata": {"nbgrader": nbgrader}, "outputs": [{"output_type": "stream"}, output]}


def graded(folder, *cells):
    path = folder / "graded.ipynb"
    path.write_text(json.dumps({"cells": cells}, ensure_ascii=False), encoding="utf-8")
    return path


@pytest.mark.parametrize("seed", [0, 7])
def test_a_check_cell_has_the_seed(tmp_path, seed):
    forged = cell(99, grade=False), cell(99, grade=True, solution=True), cell(99)
    text = {"metadata": {}, "source": "words"}
    assert stored_seed(graded(tmp_path, text, *forged, cell(seed, grade=True))) == seed


def test_without_a_graded_notebook_there_is_no_seed(tmp_path):
    assert stored_seed(tmp_path / "none.ipynb") is None
    assert stored_seed(graded(tmp_path, {"metadata": {}})) is None


def test_a_graded_notebook_that_is_cut_off_has_no_seed(tmp_path):
    path = graded(tmp_path, cell(7, grade=True), {"metadata": {}, "source": "位置"})
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert stored_seed(path) is None


def test_a_second_grader_of_the_chapter_is_refused(tmp_path):
    (tmp_path / "grading").mkdir()
    with (
        FileLock(tmp_path / "grading" / "start.lock"),
        pytest.raises(CannotBegin, match="at work on start"),
    ):
        Journal(tmp_path, "start")
    assert Journal(tmp_path, "start").done == {}


def test_a_line_that_a_kill_cut_off_costs_its_own_student_alone(tmp_path):
    journal = Journal(tmp_path, "start")
    journal.add("ada", "as handed in", 3, {})
    whole = journal.path.read_bytes()
    for length in (0, 1, len(whole) // 2, len(whole) - 2, len(whole) - 1, len(whole)):
        journal.path.write_bytes(whole[:length])
        Journal(tmp_path, "start").add("zoe", "as handed in", 0, {})
        students = {"ada", "zoe"} if length >= len(whole) - 1 else {"zoe"}
        assert set(Journal(tmp_path, "start").done) == students


def test_the_journal_keeps_the_last_seed_and_points_and_reads_lines_without_them(tmp_path):
    journal = Journal(tmp_path, "start")
    journal.add("ada", "as handed in", 3, {})
    journal.add("ada", "handed in again", 0, {"a": 2.0})
    with journal.path.open("a", encoding="utf-8") as file:
        file.write('{"student": "old", "submission": "as before seeds were kept"}\n[1]\n{"stud')
    read = Journal(tmp_path, "start")
    assert read.done.keys() == {"ada", "old"}
    assert read.seeds == {"ada": 0}
    assert not read.is_outdated("ada", {"a": 2.0})
    assert read.is_outdated("ada", {"a": 3.0})
    assert not read.is_outdated("old", {"a": 3.0})
