"""What a student leaves in the exchange after handing in brings nothing but their own work."""

import getpass
import os
from datetime import datetime

import pytest
from nbgrader.api import Gradebook
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeError
from nbgrader.utils import notebook_hash
from traitlets.config import Config

from autograde.handed_in.files import NO_PLAIN_FILE
from autograde.nbgrader.exchange import NEWER, NOT_LISTED, CollectAsTheirs
from autograde.nbgrader.exchange_feedback import (
    NOT_RELEASED,
    ONE_SECRET,
    OUT_OF_DATE,
    ReleaseFeedback,
)
from autograde.nbgrader.exchange_inbound import MORE, ODD_NAME
from autograde.nbgrader.exchange_list import ListAsTheirs
from autograde.nbgrader.feedback_folder import SECRET
from autograde.teacher.other_users import OPEN
from autograde.teacher.settings import CourseSettings
from bilingual import language
from tests.autograde.small_class import KIT, address, make_course
from tests.full_disk import fill_disk

ME = getpass.getuser()
TIME = "2025-11-01 10:00:00 UTC"


@pytest.fixture
def course(tmp_path):
    root = tmp_path / "course"
    course = CourseDirectory(
        root=str(root), db_url=f"sqlite:///{tmp_path}/gradebook.db", course_id="posenc",
        assignment_id="start",
    )  # fmt: skip
    with Gradebook(course.db_url, "posenc") as gradebook:
        gradebook.add_assignment("start")
    (root / "secret").mkdir(parents=True)
    (root / "secret" / "keys.txt").write_text("a teacher's")
    (tmp_path / "exchange" / "posenc" / "inbound").mkdir(parents=True)
    return course


def inbound(tmp_path, name):
    folder = tmp_path / "exchange" / "posenc" / "inbound" / name
    folder.mkdir()
    for file, words in {"start.ipynb": "{}", "timestamp.txt": TIME, SECRET: "s3"}.items():
        (folder / file).write_text(words)
    return folder


def run(kind, course, tmp_path, **settings):
    step = kind(
        coursedir=course, authenticator=Authenticator(), root=str(tmp_path / "exchange"), **settings
    )
    step.ensure_root = step.ensure_directory = lambda *ignored: None  # modes of a real exchange
    return step.start()


def collect(course, tmp_path, **settings):
    run(CollectAsTheirs, course, tmp_path, **settings)
    folder = tmp_path / "course" / "submitted"
    return {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if p.is_file()}


def warnings(log):
    return [one.getMessage() for one in log.records if one.levelname == "WARNING"]


def test_links_and_pipes_are_not_copied_and_stop_nobody(course, tmp_path, log):
    folder = inbound(tmp_path, f"{ME}+start+{TIME}+x")
    (folder / "notes").mkdir()
    (folder / "notes" / "mine.txt").write_text("mine")
    (folder / "stolen.txt").symlink_to(tmp_path / "course" / "secret" / "keys.txt")
    (folder / "all").symlink_to(tmp_path / "course" / "secret")
    os.mkfifo(folder / "endless")
    (folder / "other.ipynb").symlink_to(tmp_path / "course" / "secret" / "keys.txt")
    os.mkfifo(folder / "endless.ipynb")
    assert collect(course, tmp_path) == {
        f"{ME}/start/start.ipynb": "{}", f"{ME}/start/timestamp.txt": TIME,
        f"{ME}/start/{SECRET}": "s3", f"{ME}/start/notes/mine.txt": "mine",
    }  # fmt: skip
    assert len(warnings(log)) == 2
    assert all(NO_PLAIN_FILE.en in warning for warning in warnings(log))


def test_a_name_is_not_taken_for_whose_it_is(course, tmp_path):
    inbound(tmp_path, f"ada+start+{TIME}+x")
    inbound(tmp_path, f"{ME}+start+{TIME}+x")
    for odd in (f"..+start+{TIME}+x", f"*+start+{TIME}+x", "bob+start+yesterday+x", "bob+start+x"):
        inbound(tmp_path, odd)
    link = tmp_path / "exchange" / "posenc" / "inbound" / f"eve+start+{TIME}+x"
    link.symlink_to(tmp_path / "course" / "secret")
    students = {name.split("/")[0] for name in collect(course, tmp_path)}
    assert students == {ME}
    students = {name.split("/")[0] for name in collect(course, tmp_path, check_owner=False)}
    assert students == {ME, "ada"}
    assert not (tmp_path / "course" / "start").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs another user")
def test_a_hard_link_to_a_file_of_another_user_is_not_copied(course, tmp_path):
    folder = inbound(tmp_path, f"ada+start+{TIME}+x")
    os.link(tmp_path / "course" / "secret" / "keys.txt", folder / "stolen.txt")
    for path in (folder, *(one for one in folder.iterdir() if one.name != "stolen.txt")):
        os.chown(path, 4321, 4321)
    assert "stolen.txt" not in str(collect(course, tmp_path, check_owner=False))


def test_an_earlier_timestamp_that_cannot_be_read_does_not_stop_the_next_collect(course, tmp_path):
    folder = inbound(tmp_path, f"{ME}+start+{TIME}+x")
    (folder / "timestamp.txt").write_text("no moment")
    for _ in range(2):
        names = collect(course, tmp_path, update=True)
        assert f"{ME}/start/start.ipynb" in names
        assert f"{ME}/start/timestamp.txt" not in names


def test_the_newest_counts_or_the_newest_in_time(course, tmp_path):
    for day in ("01", "03", "02"):
        folder = inbound(tmp_path, f"{ME}+start+2026-11-{day} 10:00:00 UTC+x")
        (folder / "start.ipynb").write_text(day)
    with Gradebook(course.db_url, "posenc") as gradebook:
        gradebook.update_or_create_assignment("start", duedate=datetime(2026, 11, 2, 12))
    notebook = f"{ME}/start/start.ipynb"
    assert collect(course, tmp_path)[notebook] == "03"
    assert collect(course, tmp_path, before_duedate=True)[notebook] == "02"


def test_a_time_that_has_not_come_yet_is_said(course, tmp_path, log):
    """Seen: a folder of 2099 won over all that was really handed in, without a word."""
    for year in (2020, 2099):
        inbound(tmp_path, f"{ME}+start+{year}-04-01 09:00:00 UTC+x")
    collect(course, tmp_path)
    (warning,) = (one for one in warnings(log) if "is in the future" in one)
    assert f"'{ME}+start+2099-04-01 09:00:00 UTC+x'" in warning


def test_a_flood_of_folders_is_counted_and_what_counts_is_collected(course, tmp_path, log):
    """Seen: 20,000 folders, 40,000 lines of log, and every other warning lost in it."""
    inbound(tmp_path, f"{ME}+start+{TIME}+x")
    for number in range(10):
        inbound(tmp_path, f"s{number}+start+{TIME}+x")
        inbound(tmp_path, f"bob+start+{number}")
        inbound(tmp_path, f"{ME}+start+{2090 + number}-04-01 09:00:00 UTC+x")
    assert f"{ME}/start/start.ipynb" in collect(course, tmp_path)
    assert len(warnings(log)) == 6  # the last: its file timestamp.txt has another time
    assert MORE.format(number=17, owner=ME).en in warnings(log)


def test_who_is_not_on_the_class_list_is_said_when_collected(course, tmp_path, log):
    """Seen: `root`, whom nobody taught, in the gradebook after grading."""
    for student in ("ada", "zoe"):
        inbound(tmp_path, f"{student}+start+{TIME}+x")
    with Gradebook(course.db_url, "posenc") as gradebook:
        gradebook.add_student("ada")
    collect(course, tmp_path, check_owner=False)
    assert warnings(log) == [NOT_LISTED.format(students="zoe").en]


def test_the_list_shows_what_collect_would_take(course, tmp_path, log):
    """Seen: an escape sequence reached the terminal, and a link to /etc was bob's work."""
    name = f"{ME}+start+{TIME}+x"
    inbound(tmp_path, name)
    for odd in (f"{name}\x1b[2J", f"{ME}+start+not a time", f"ada+start+{TIME}"):
        inbound(tmp_path, odd)
    (tmp_path / "exchange/posenc/inbound" / f"bob+start+{TIME}").symlink_to(tmp_path / "course")
    listed = run(ListAsTheirs, course, tmp_path, inbound=True)  # formgrader reads the result
    assert [entry["submissions"][0]["student_id"] for entry in listed] == [ME]
    assert len(warnings(log)) == 4
    entries = [one.getMessage() for one in log.records if one.levelname == "INFO"]
    assert entries[1:] == [f"posenc {ME} start {TIME} (no feedback available)"]
    assert "\x1b" not in log.text


def test_who_handed_in_again_is_said_with_the_option_that_takes_it(course, tmp_path, log):
    """Seen: a line for each student, those with nothing newer too, and no document had it."""
    inbound(tmp_path, f"{ME}+start+{TIME}+x")
    for _ in range(2):
        collect(course, tmp_path)
    assert warnings(log) == []
    later = inbound(tmp_path, f"{ME}+start+2025-11-02 10:00:00 UTC+x")
    (later / "timestamp.txt").write_text("2025-11-02 10:00:00 UTC")
    collect(course, tmp_path)
    assert warnings(log) == [NEWER.format(students=ME, chapter="start").en]
    log.clear()
    for options in ({"update": True}, {}):
        collect(course, tmp_path, **options)
    assert warnings(log) == []


def test_a_course_folder_that_every_user_can_enter_is_said(course, tmp_path, log, monkeypatch):
    """Seen: made as documented, with the usual umask, and a student read the gradebook."""
    monkeypatch.setattr("autograde.nbgrader.exchange.others_can_enter", lambda folder: True)
    collect(course, tmp_path)
    assert warnings(log)[-1] == OPEN.format(folder=tmp_path / "course").en


def test_the_language_is_that_of_course_toml_unless_the_reader_has_one(
    course, tmp_path, log, monkeypatch
):
    config = Config({"ReadsCourse": {"course": CourseSettings(language="zh")}})
    for readers, expected in (("both", ODD_NAME.zh), ("en", ODD_NAME.en)):
        monkeypatch.setenv("POSENC_LANGUAGE", readers)
        inbound(tmp_path, f"{ME}+start+{readers}")
        log.clear()
        collect(course, tmp_path, config=config)
        assert warnings(log)[0].startswith(expected.partition("{")[0])
        assert "\n" not in warnings(log)[0]
        assert language() == readers


@pytest.mark.parametrize(("course_id", "words"), [("", "--course"), ("none", "none/inbound")])
def test_an_inbound_folder_that_is_not_there_is_said(course, tmp_path, log, course_id, words):
    course.course_id = course_id
    with pytest.raises(ExchangeError):
        collect(course, tmp_path)
    assert words in log.text


def test_files_whose_names_a_terminal_obeys_are_not_copied_and_said_in_escapes(
    course, tmp_path, log
):
    folder = inbound(tmp_path, f"{ME}+start+{TIME}+x")
    (folder / "\x1b[31m").mkdir()
    for name in (
        "\x1b[31m/mine.txt",
        "a\nb.txt",
        "\u202egpj.exe",
        "\x1b[2J.ipynb",
    ):
        (folder / name).touch()
    (folder / "Bildschirmfoto 12\u202fPM.png").touch()  # as macOS writes the time
    names = {name.removeprefix(f"{ME}/start/") for name in collect(course, tmp_path)}
    expected = {"start.ipynb", "timestamp.txt", SECRET, "Bildschirmfoto 12\u202fPM.png"}
    assert names == expected
    (warning,) = warnings(log)
    assert warning.isprintable()
    assert "files (4)" in warning
    assert "'\\x1b[2J.ipynb'" in warning


def feedback(tmp_path, student, secret):
    folder = tmp_path / "course" / "feedback" / student / "start"
    folder.mkdir(parents=True)
    (folder / "start.html").write_text(student)
    (folder / "timestamp.txt").write_text(TIME)
    if secret:
        (folder / SECRET).write_text(secret)
    return folder


def release(course, tmp_path):
    released = tmp_path / "exchange" / "posenc" / "feedback"
    released.mkdir()
    run(ReleaseFeedback, course, tmp_path)
    return {path.stem: path.read_text() for path in released.iterdir()}


def test_who_has_no_secret_gets_no_page_and_the_others_do(course, tmp_path, log):
    for student, secret in [("ada", "s1"), ("bob", None), ("eve", "s2"), ("fay", "s3 \x1b[2J")]:
        feedback(tmp_path, student, secret)
    assert release(course, tmp_path) == {
        notebook_hash(secret="s1", notebook_id="start"): "ada",
        notebook_hash(secret="s2", notebook_id="start"): "eve",
    }
    assert warnings(log) == [NOT_RELEASED.format(student=one).en for one in ("bob", "fay")]


def test_two_students_of_one_secret_get_no_page_and_are_named(course, tmp_path, log):
    """Seen: a student who had copied another's secret, whose page the own one then replaced."""
    for student, secret in [("ada", "s1"), ("bob", "s2"), ("eve", "s1")]:
        feedback(tmp_path, student, secret)
    assert list(release(course, tmp_path).values()) == ["bob"]
    course.student_id = "eve"
    run(ReleaseFeedback, course, tmp_path)
    assert len(list((tmp_path / "exchange" / "posenc" / "feedback").iterdir())) == 1
    errors = [one.getMessage() for one in log.records if one.levelname == "ERROR"]
    assert errors == [ONE_SECRET.format(students="ada, eve").en] * 2


def test_a_page_that_is_out_of_date_is_held_back_and_the_command_fails(tmp_path, log):
    """Seen: points changed and graded, a warning, and the pages of before were released."""
    folder = make_course(tmp_path / "course")
    course = CourseDirectory(
        root=str(folder), db_url=address(folder), course_id="posenc", assignment_id=KIT,
        release_directory="notebooks",
    )  # fmt: skip
    points = {"ada": "4.5/5", "dot": "0/5", "eve": "1/5"}
    for student, total in points.items():
        place = folder / "feedback" / student / KIT
        place.mkdir(parents=True)
        (place / f"{KIT}.html").write_text(f'<meta name="total" content="{total}">')
        (place / SECRET).write_text(f"of-{student}")
    os.utime(folder / "feedback" / "dot" / KIT / f"{KIT}.html", (1, 1))
    (tmp_path / "exchange" / "posenc").mkdir(parents=True)
    held_back = OUT_OF_DATE.format(students="dot, eve", chapter=KIT).en
    with pytest.raises(ExchangeError) as error:
        release(course, tmp_path)
    assert str(error.value) == held_back
    (page,) = (tmp_path / "exchange" / "posenc" / "feedback").iterdir()
    assert points["ada"] in page.read_text()
    log.clear()
    course.student_id = "ada"
    run(ReleaseFeedback, course, tmp_path)
    assert held_back not in log.text


def test_nothing_but_the_chapter_s_page_is_released(course, tmp_path, log):
    folder = feedback(tmp_path, "ada", "s1")
    (folder / "zzz.html").mkdir()
    (folder / "zzz.html" / "x.txt").touch()
    (folder / "extra.html").write_text("<script>")
    (folder / os.fsdecode(b"\xff.html")).write_text("<script>")
    feedback(tmp_path, "eve", "s2")
    assert sorted(release(course, tmp_path).values()) == ["ada", "eve"]
    assert "eve" in log.text
    assert "extra" not in log.text


def test_a_page_that_cannot_be_released_stops_no_other(course, tmp_path, log):
    for student in ("ada", "bob", "cai", "eve"):
        feedback(tmp_path, student, f"of-{student}")
    pages = {
        one: tmp_path / "course/feedback" / one / "start/start.html"
        for one in ("ada", "bob", "cai")
    }
    for page in pages.values():
        page.unlink()
    pages["ada"].mkdir()
    pages["bob"].symlink_to(tmp_path / "course" / "secret" / "keys.txt")
    assert list(release(course, tmp_path).values()) == ["eve"]
    errors = [one.getMessage() for one in log.records if one.levelname == "ERROR"]
    assert [student in error for student, error in zip(pages, errors, strict=True)] == [True] * 3


def test_a_full_disk_leaves_the_earlier_page_and_nothing_beside_it(course, tmp_path, monkeypatch):
    page = feedback(tmp_path, "ada", "s1") / "start.html"
    first = release(course, tmp_path)
    page.write_text("graded again")
    fill_disk(monkeypatch)
    run(ReleaseFeedback, course, tmp_path)
    released = tmp_path / "exchange" / "posenc" / "feedback"
    assert {path.stem: path.read_text() for path in released.iterdir()} == first


def test_students_can_read_a_page_whatever_the_teacher_s_umask(course, tmp_path):
    (feedback(tmp_path, "ada", "s1") / "start.html").chmod(0o644)
    umask = os.umask(0o077)
    try:
        release(course, tmp_path)
    finally:
        os.umask(umask)
    (page,) = (tmp_path / "exchange" / "posenc" / "feedback").iterdir()
    assert page.stat().st_mode & 0o777 == 0o644
