"""A platform's download becomes grades, by the commands that a teacher types."""

import csv
import errno
import os
import zipfile

import pytest

from autograde.collecting.submitted import Submitted
from autograde.nbgrader.export import Spreadsheet
from autograde.teacher.course_folder import course_api
from tests.classroom.one_chapter import (
    CHAPTER,
    FILE,
    blank_text,
    grade,
    hand_in,
    in_process,
    run,
    scores,
    solved_text,
)

LIST = """\
20260001,三,张
ada,Ada,Lovelace
20260003,小明,王
gil,Gil,=1+1
kim,Kim,"Lee, Jr"
"""


@pytest.fixture
def course(course):
    """A course with a class list and a deadline."""
    with course_api(course).gradebook as gradebook:
        for student, first, last in csv.reader(LIST.splitlines()):
            gradebook.add_student(student, first_name=first, last_name=last)
        due = "2026-09-14T23:00:00+08:00"
        gradebook.update_or_create_assignment(CHAPTER, duedate=due)
    (course / "downloaded" / CHAPTER / "archive").mkdir(parents=True)
    return course


def download(course, files):
    path = course / "downloaded" / CHAPTER / "archive" / "posenc.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 9, 20, 8, 0, 0)), text)


def collected(course):
    return {path.parts[-3] for path in (course / "submitted").glob(f"*/{CHAPTER}/{FILE}")}


@pytest.mark.slow
def test_a_download_is_collected_by_nbgraders_own_command_and_graded(course, monkeypatch):
    right = solved_text(course)
    blackboard = "第0章_{}_attempt_2026-09-14-{}-00-00_{}"
    download(
        course,
        {
            blackboard.format("20260001", "22", FILE): blank_text(course),
            blackboard.format("20260001", "23", f"{CHAPTER} (1).ipynb"): right,
            blackboard.format("ada", "20", FILE): right,
            blackboard.format("gil", "20", FILE): "not a notebook",
            blackboard.format("kim", "20", FILE): blank_text(course),
            blackboard.format("eve", "20", f"ada_{FILE}"): blank_text(course),
            f"../../../outside_{FILE}": right,
        },
    )
    hand_in(course, "*", right)  # S15: the whole class was graded again, as one student
    hand_in(course, "a\nb", right)
    before = {path for path in course.parent.rglob("*") if course not in path.parents}
    # one name leads out of the archive: it is of no platform, which has to be named
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write("c.Collect.platform = 'blackboard'\n")
    monkeypatch.setenv("POSENC_LANGUAGE", "en")
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    result = run(course, "nbgrader", "zip_collect", CHAPTER)
    assert result.returncode == 0, result.stderr
    counts = "Handed in: 4 of 5, but 1 of these files cannot be graded (0 late, "
    assert f"{counts}0 without a time, 1 with several files" in result.stdout
    assert "“*”, which is not a student id" in result.stderr
    assert collected(course) == {"20260001", "ada", "gil", "kim"}
    stamp = course / "submitted" / "20260001" / CHAPTER / "timestamp.txt"
    assert stamp.read_text(encoding="utf-8") == "2026-09-14 15:00:00 UTC"
    assert {path for path in course.parent.rglob("*") if course not in path.parents} == before

    assert not grade(course)[0]  # gil's
    points = scores(course)
    assert points.keys() == {"20260001", "ada", "gil", "kim"}
    assert points["20260001"] == points["ada"] > 0
    assert points["gil"] == points["kim"] == 0

    api = course_api(course)
    with api.gradebook as gradebook:
        Spreadsheet(to=str(course / "grades.csv"), parent=api).export(gradebook)
    content = (course / "grades.csv").read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    rows = {
        one["student_id"]: one for one in csv.DictReader(content.decode("utf-8-sig").splitlines())
    }
    assert {student: row["state"] for student, row in rows.items()} == {
        "20260001": "graded", "ada": "graded", "gil": "could not be graded",
        "kim": "blank: as it was released", "20260003": "nothing handed in",
    }  # fmt: skip
    assert rows["kim"]["last_name"] == "Lee, Jr"
    assert rows["gil"]["last_name"] == "'=1+1"
    assert float(rows["ada"]["score"]) == points["ada"]


@pytest.mark.slow
def test_where_it_cannot_write_it_says_so(course, monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "submitted")

    monkeypatch.setattr(Submitted, "apply", refuse)
    download(course, {f"20260003_{FILE}": "{}"})
    words = in_process(course, monkeypatch, "collect", CHAPTER, "--platform", "files")
    assert "Collecting was stopped: PermissionError" in words


@pytest.mark.slow
def test_a_look_comes_first_where_students_chose_the_names(course, monkeypatch, capsys):
    download(course, {f"20260003_{FILE}": "{}"})
    for extra in ((), ("--dry-run",)):
        assert in_process(course, monkeypatch, "collect", CHAPTER, *extra) == (0 if extra else 1)
        assert "20260003" in capsys.readouterr().out
        assert collected(course) == set()
    assert in_process(course, monkeypatch, "collect", CHAPTER, "--platform", "files") == 0
    assert collected(course) == {"20260003"}
