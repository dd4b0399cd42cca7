"""A class with attackers in it, graded from the command line: the others get what is theirs."""

import os
import shutil
import sqlite3
import subprocess
import sys

import pytest
from nbgrader.api import Gradebook

from autograde.demo.folder import make_folder
from autograde.demo.steps import generate
from autograde.teacher.course_folder import course_api
from tests.autograde.conftest import made_once as made_once
from tests.classroom.one_chapter import grade
from tests.security.conftest import MARK
from tests.security.handed_in import ROOT, attacks, honest_text
from tests.security.pieces import CHAPTER
from tests.security.spoils import CANARY, STOLEN, running

ATTACKERS = (
    "duplicated_answer", "schema_of_the_past", "odd_metadata", "deep_json", "no_notebook",
    "deep_folders", "odd_file_names", "endless_files", "link_to_gradebook", "linked_notebook",
    "shadowing_files", "gradebook", "settings", "daemon", "exit_in_cell", "html_words",
    "odd_timestamp", "enormous_timestamp", "timestamp_folder", "timestamp_pipe", "timestamp_link",
    "invalid_outputs", "sparse_notebook", "too_many_files",
)  # fmt: skip
BY_NBGRADER = (
    "duplicated_answer", "schema_of_the_past", "deep_json", "exit_in_cell", "many_files",
    "deep_folders", "odd_timestamp",
)  # fmt: skip


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """A course that holds nothing but this chapter."""
    folder = tmp_path_factory.mktemp("generated")
    make_folder(folder, ROOT, CHAPTER)
    with (folder / "nbgrader_config.py").open("a") as file:
        file.write("c.SubmittedNotebook.pictures = False\n")
    (folder / "home/.ssh").mkdir(parents=True)
    (folder / "home/.ssh/id").write_text(CANARY)
    generate(course_api(folder), CHAPTER)
    return folder


@pytest.fixture
def folder(generated, tmp_path):
    folder = shutil.copytree(generated, tmp_path / "course")
    yield folder
    subprocess.run(["rm", "-rf", folder], check=True)  # some of it is too deep for Python


def hand_in(folder, names):
    """Hand in for these attackers, and for an honest student before and after them."""
    by_name = {attack.name: attack for attack in attacks()}
    for name in names:
        by_name[name].hand_in(folder / "submitted" / f"m_{name}" / CHAPTER, folder)
    for student in ("a_honest", "z_honest"):
        place = folder / "submitted" / student / CHAPTER
        place.mkdir(parents=True)
        (place / f"{CHAPTER}.ipynb").write_text(honest_text(folder), encoding="utf-8")


def run(folder, mark, *command):
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env={**os.environ, MARK: mark, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def scores(folder):
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        graded = gradebook.notebook_submissions(CHAPTER, CHAPTER)
        return {one.student.id: one.score for one in graded}


def assert_unharmed(folder, mark, names, before):
    assert running(MARK, mark) == set()
    with sqlite3.connect(folder / "gradebook.db") as book:
        assert book.execute("pragma integrity_check").fetchall() == [("ok",)]
        assert not book.execute("select 1 from sqlite_master where name = 'mine'").fetchall()
    book.close()
    assert (folder / "nbgrader_config.py").read_text() == before
    points = scores(folder)
    assert points.pop("a_honest") == points.pop("z_honest") == 2.0
    assert all(value <= 0.25 for value in points.values())
    assert set(points) <= {f"m_{name}" for name in names}
    for student in ("a_honest", "z_honest"):
        place = folder / "submitted" / student / CHAPTER / f"{CHAPTER}.ipynb"
        assert place.read_text(encoding="utf-8") == honest_text(folder)
    for page in (folder / "autograded").rglob(f"*/{CHAPTER}.ipynb"):
        text = page.read_text(encoding="utf-8")
        lines = [line for line in text.split("\n") if "STOLEN" in line and "print" not in line]
        assert CANARY not in text
        assert not [line for line in lines if f'"{STOLEN}' in line]
    return points


def test_graded_by_us(folder, tmp_path):
    hand_in(folder, ATTACKERS)
    before = (folder / "nbgrader_config.py").read_text()
    mark = str(tmp_path / "mark")
    done = run(folder, mark, "autograde", "grade", CHAPTER, "--workers", "1")
    assert done.returncode == 1  # some could not be graded
    assert "Traceback" not in done.stderr
    points = assert_unharmed(folder, mark, ATTACKERS, before)
    assert {"m_duplicated_answer", "m_odd_metadata", "m_schema_of_the_past", "m_daemon"} <= set(
        points
    )
    # a second run grades nothing twice, and tries again what could not be graded
    _, again = grade(folder, CHAPTER)
    assert "\n0 graded, " in again
    assert assert_unharmed(folder, mark, ATTACKERS, before) == points


def test_graded_by_nbgrader(folder, tmp_path):
    hand_in(folder, BY_NBGRADER)
    before = (folder / "nbgrader_config.py").read_text()
    mark = str(tmp_path / "mark")
    run(folder, mark, "nbgrader", "autograde", CHAPTER)
    assert_unharmed(folder, mark, BY_NBGRADER, before)
    shutil.rmtree(folder / "autograded")
