"""Downloads of a learning management system become grades: zip_collect, then grade."""

import os
import zipfile
from datetime import datetime
from pathlib import PurePosixPath

import pytest
from autograde.nbgrader.downloads import SHAPES, Named, named

from tests.classroom.one_chapter import (
    CHAPTER,
    FILE,
    blank_text,
    release,
    run,
    scores,
    solved_text,
)

MONDAY, TUESDAY = (2026, 9, 14, 22, 0, 0), (2026, 9, 15, 8, 0, 0)


@pytest.mark.parametrize(
    ("path", "student"),
    [
        (f"Ada Lovelace_1234567_assignsubmission_file_{FILE}", "Ada Lovelace_1234567"),
        (f"all/Ada Lovelace_1234567_assignsubmission_file_/{FILE}", "Ada Lovelace_1234567"),
        (f"李雷_7654321_assignsubmission_file_{FILE}", "李雷_7654321"),
        (f"lovelaceada_12345_67890_{FILE}", "12345"),
        (f"lovelaceada_LATE_12345_67890_{CHAPTER}-1.ipynb", "12345"),
        (f"Start here_ada_attempt_2026-09-14-22-00-00_{FILE}", "ada"),
        (f"ada_{FILE}", "ada"),
        (f"20260001-张三-{CHAPTER} (1).ipynb", "20260001-张三"),
        (f"zipped by hand/张三_{FILE}", "张三"),
        # what the system wrote stands in front; what the student wrote does not count
        (f"Ada_1_assignsubmission_file_bob_{FILE}", "Ada_1"),
        (f"Ada_1_assignsubmission_file_Bob_2_assignsubmission_file_{FILE}", "Ada_1"),
        (f"Ada_1_assignsubmission_file_/bob_5_6_{FILE}", "Ada_1"),
        (f"lovelaceada_12345_67890_bob_attempt_{FILE}", "12345"),
        (f"eve_12345_67890_bob_99_00_{FILE}", "12345"),
    ],
)
def test_a_file_name_gives_the_student(path, student):
    assert named(PurePosixPath(path), CHAPTER, SHAPES).student == student


@pytest.mark.parametrize(
    "path",
    [
        FILE,  # nobody's
        "ada_01_permutation.ipynb",
        f"ada_{CHAPTER}.pdf",
        f"__MACOSX/ada_{FILE}",
        f"._ada_{FILE}",
        f".._{FILE}",
        f"ad*a_{FILE}",
        f"a\\b_{FILE}",
        f"Ada_1_assignsubmission_file_/.ipynb_checkpoints/{CHAPTER}-checkpoint.ipynb",
    ],
)
def test_files_of_other_names_belong_to_no_student(path):
    assert named(PurePosixPath(path), CHAPTER, SHAPES) is None


def test_a_file_name_gives_the_time():
    moodle = named(
        PurePosixPath(f"Start_ada_attempt_2026-09-14-22-00-00_{CHAPTER}-2.ipynb"), CHAPTER, SHAPES
    )
    assert moodle == Named("ada", datetime(2026, 9, 14, 22).astimezone(), 0, 2)
    canvas = named(PurePosixPath(f"lovelaceada_12345_67890_{FILE}"), CHAPTER, SHAPES)
    assert canvas == Named("12345", None, 67890, 0)


def write(archive, name, text, when=MONDAY):
    archive.writestr(zipfile.ZipInfo(name, when), text)


def student_zip(path, *members):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members:
            write(archive, name, text)
    return path.read_bytes()


@pytest.fixture
def downloads(tmp_path):
    """A course, a class list, and what its teacher has downloaded; the course stands in a folder
    of its own, so that what is written outside of it can be seen."""
    course = tmp_path / "course"
    course.mkdir()
    release(course)
    (course / "students.csv").write_text(
        "id,first_name,last_name\n20260001,三,张\nada,Ada,Lovelace\n12345,,\n", encoding="utf-8"
    )
    assert run(course, "nbgrader", "db", "student", "import", "students.csv").returncode == 0
    archives = course / "downloaded" / CHAPTER / "archive"
    archives.mkdir(parents=True)
    blank, right = blank_text(course), solved_text(course)
    inner = student_zip(tmp_path / "inner.zip", (f"work/{FILE}", right), ("notes.txt", "mine"))
    evil = student_zip(
        tmp_path / "evil.zip",
        (f"../../../../../../submitted/ada/{CHAPTER}/{FILE}", blank),
        (f"/{tmp_path.as_posix().strip('/')}/absolute_{FILE}", blank),
        ("..\\..\\windows_" + FILE, blank),
        (f"eve_{FILE}", blank),
    )
    with zipfile.ZipFile(archives / f"posenc-{CHAPTER}-42.zip", "w") as archive:
        moodle = "Ada Lovelace_1234567_assignsubmission_file_"
        write(archive, f"{moodle}{CHAPTER} (1).ipynb", right, TUESDAY)  # the later one counts
        write(archive, f"{moodle}{FILE}", blank)
        write(archive, f"张三_7654321_assignsubmission_file_/{FILE}", right)
        write(archive, f"Bo_222_assignsubmission_file_/{CHAPTER}.zip", inner)
        write(archive, f"Cy_333_assignsubmission_file_/{CHAPTER}.zip", inner[: len(inner) // 2])
        write(archive, f"Eve_444_assignsubmission_file_/{CHAPTER}.zip", evil)
        write(archive, f"Flo_555_assignsubmission_file_{CHAPTER}.pdf", "a scan")
        write(archive, f"Gil_666_assignsubmission_file_{FILE}", "not a notebook")
        write(archive, f"../../../outside_{FILE}", right)
        write(archive, f"/{tmp_path.as_posix().strip('/')}/rooted_{FILE}", right)
    with zipfile.ZipFile(archives / "canvas.zip", "w") as archive:
        write(archive, f"doejane_12345_99_{FILE}", blank, TUESDAY)
        write(archive, f"doejane_12345_100_{CHAPTER}-1.ipynb", right)  # Canvas counts upwards
    (archives / f"hana_{FILE}").write_text(right, encoding="utf-8")
    (archives / "cut.zip").write_bytes(b"PK\3\4 and no more")
    return course


def collected(course):
    return {path.parent.parent.name for path in (course / "submitted").glob(f"*/{CHAPTER}/{FILE}")}


@pytest.mark.slow
def test_a_folder_of_downloads_is_collected_and_graded(downloads):
    course = downloads
    before = {path for path in course.parent.rglob("*") if course not in path.parents}
    done = run(course, "nbgrader", "zip_collect", CHAPTER)
    assert done.returncode == 0, done.stderr
    assert collected(course) == {
        "ada", "20260001", "Bo_222", "Eve_444", "Gil_666", "12345", "hana",
    }  # fmt: skip
    for left_out in (
        "Cy_333",
        "Flo_555",
        "cut.zip",
        "outside_",
        "rooted_",
        "windows_",
        "absolute_",
    ):
        assert left_out in done.stderr
    assert {path for path in course.parent.rglob("*") if course not in path.parents} == before
    names = {path.name for path in course.rglob("*.ipynb")}
    assert not {f"{who}_{FILE}" for who in ("outside", "rooted", "absolute")} & names

    graded = run(course, "autograde", "grade", CHAPTER)
    assert graded.returncode == 1
    assert "Gil_666" in graded.stdout
    points = scores(course)
    most = points["hana"]
    assert most > 0
    assert points == {
        "ada": most, "20260001": most, "Bo_222": most, "12345": most, "hana": most,
        "Eve_444": 0, "Gil_666": 0,
    }  # fmt: skip


@pytest.mark.slow
def test_a_time_in_the_name_is_when_it_was_handed_in(tmp_path):
    release(tmp_path)
    archives = tmp_path / "downloaded" / CHAPTER / "archive"
    archives.mkdir(parents=True)
    for hour, text in (("23", "later"), ("07", "earlier")):
        name = f"Start_ada_attempt_2026-09-14-{hour}-30-00_{FILE}"
        (archives / name).write_text(text, encoding="utf-8")
    shanghai = {**os.environ, "TZ": "Asia/Shanghai"}
    done = run(tmp_path, "nbgrader", "zip_collect", CHAPTER, env=shanghai)
    assert done.returncode == 0, done.stderr
    handed_in = tmp_path / "submitted" / "ada" / CHAPTER
    assert (handed_in / FILE).read_text(encoding="utf-8") == "later"
    assert (handed_in / "timestamp.txt").read_text(encoding="utf-8") == "2026-09-14 15:30:00"


@pytest.mark.slow
def test_a_teachers_own_pattern_and_names_in_gbk_work(tmp_path):
    release(tmp_path)
    with (tmp_path / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write(r'c.Downloads.shapes.prepend([r"class\d-(?P<student_id>[^-]+)-"])' "\n")
    archives = tmp_path / "downloaded" / CHAPTER / "archive"
    archives.mkdir(parents=True)
    path = archives / "windows.zip"
    with zipfile.ZipFile(path, "w") as archive:
        write(archive, f"class3-NAME-{FILE}", "{}")
    path.write_bytes(path.read_bytes().replace(b"NAME", "李雷".encode("gbk")))  # as Explorer does
    done = run(tmp_path, "nbgrader", "zip_collect", CHAPTER)
    assert done.returncode == 0, done.stderr
    assert collected(tmp_path) == {"李雷"}
