"""Which submissions wait for a grader, and what of them the gradebook keeps; no code is run."""

import io
import json
import re
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from datetime import timedelta

import pytest
from nbformat.v4 import new_code_cell, new_output
from rich.console import Console

from autograde.grading import display
from autograde.grading.class_grading import LOOK_AHEAD, ClassGrading
from autograde.grading.submissions import GradeError, take_in
from autograde.handed_in.files import NotGradable
from autograde.teacher.collected import RECORD, Collected, write_collected
from autograde.teacher.course_folder import course_api
from autograde.teacher.errors import CannotBegin
from confined.failures import GraderError, PermanentError
from tests.autograde.late_class import CONFIG, choose
from tests.autograde.small_class import KIT, gradebook, graded, make_course, notebook

MOMENT = "2026-09-15 12:00:00"


class Pool(Executor):
    """In place of processes that grade: each submission gets what `grade` returns or raises."""

    workers = 1

    def __init__(self, grade):
        self.grade = grade

    def submit(self, function, submission, *others):
        future = Future()
        try:
            future.set_result(self.grade(submission))
        except (NotGradable, GraderError) as error:
            future.set_exception(error)
        return future


def two_points(submission):
    value = new_output("execute_result", data={"text/plain": "2.0"})
    cells = [new_code_cell(submission.notebook.decode()), graded("double", [value])]
    cells[1].metadata.nbgrader |= {"points": 2.0, "locked": True, "cell_type": "code"}
    cells[1].metadata.nbgrader |= {"schema_version": 3, "checksum": "", "task": False}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


def not_gradable(submission):
    raise NotGradable("it takes too much of the grader")


def grader_fails(submission):
    raise GraderError("a worker could not write files")


@pytest.fixture
def course(tmp_path):
    folder = make_course(tmp_path / "course", graded_too=False)
    hand_in(folder, "first")
    return folder


def hand_in(course, text, moment=None, student="ada"):
    folder = course / "submitted" / student / KIT
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{KIT}.ipynb").write_text(text, encoding="utf-8")
    (folder / "timestamp.txt").write_text(moment or "", encoding="utf-8")


def grade(course, result=two_points, **choices):
    """Grade what waits; return who waited."""
    grading = ClassGrading(course_api(course), KIT, **choices)
    try:
        return [one.student for one in grading.grade(Pool(result), grading.waiting)]
    finally:
        grading.journal.lock.release()


def printed(course, result, **choices):
    """Grade what waits; return what is shown of it."""
    console = Console(file=io.StringIO(), width=120)
    display.grade(course, KIT, console, Pool(result), **choices)
    return console.file.getvalue()


def graded_text(course):
    return (course / "autograded" / "ada" / KIT / f"{KIT}.ipynb").read_text(encoding="utf-8")


def test_a_chapter_with_a_slip_in_its_name_gets_the_nearest(course):
    with pytest.raises(CannotBegin, match=f"named '77_kid'. Did you mean '{KIT}'"):
        ClassGrading(course_api(course), "77_kid")


def test_a_chapter_that_is_not_generated_yet_is_not_taken_for_a_slip(course):
    notebook(course, "source", ".", chapter="78_kit")
    with pytest.raises(CannotBegin, match="run `nbgrader generate_assignment 78_kit` first"):
        ClassGrading(course_api(course), "78_kit")


def test_before_collecting_the_way_to_do_it_is_told(tmp_path):
    folder = make_course(tmp_path / "course", graded_too=False)
    way = f"/archive/ and run python -m autograde collect {KIT} first, .* nbgrader collect {KIT}"
    with pytest.raises(GradeError, match=way):
        ClassGrading(course_api(folder), KIT)


def test_what_is_graded_waits_no_more_until_it_is_handed_in_again(course):
    assert grade(course) == ["ada"]
    assert grade(course) == []
    hand_in(course, "second")
    assert grade(course) == ["ada"]
    assert "second" in graded_text(course)


def test_what_is_handed_in_while_its_predecessor_is_graded_still_waits(course):
    def meanwhile(submission):
        hand_in(course, "second")
        return two_points(submission)

    assert grade(course, meanwhile) == ["ada"]
    assert "first" in graded_text(course)
    assert grade(course) == ["ada"]
    assert "second" in graded_text(course)


class Seeds(Pool):
    """Keeps the seeds that it is given."""

    def __init__(self):
        super().__init__(two_points)
        self.seeds = []

    def submit(self, function, submission, record, seed, options):
        self.seeds.append(seed)
        return super().submit(function, submission)


def test_what_was_graded_with_other_points_is_graded_again_with_the_same_inputs(course):
    with gradebook(course) as book:
        book.add_source_cell("double", KIT, KIT, cell_type="code")
    pool, waited = Seeds(), []
    for points in (2, 2, 5):
        set_points(course, points)
        grading = ClassGrading(course_api(course), KIT)
        waited.append([one.student for one in grading.grade(pool, grading.waiting)])
        grading.journal.lock.release()
    assert waited == [["ada"], [], ["ada"]]
    assert pool.seeds[0] == pool.seeds[1]
    set_points(course, 4)
    assert "Regraded" not in printed(course, grader_fails)
    sentence = "Regraded with the same inputs, because point values have changed: ada"
    assert sentence in printed(course, two_points)


def set_points(course, points):
    with gradebook(course) as book:
        book.find_graded_cell("double", KIT, KIT).max_score = points
        book.db.commit()


class Slow(Pool):
    """Grades the submission that came first once no other is left."""

    def __init__(self, grade):
        super().__init__(grade)
        self.first, self.begun = None, 0

    def submit(self, function, submission, *others):
        self.begun += 1
        if self.first is None:
            self.first = Future()
            return self.first
        return super().submit(function, submission, *others)


def test_no_submission_waits_for_a_slow_one_before_it(course):
    students = ["ada", *(f"s{number:02}" for number in range(2 * LOOK_AHEAD))]
    for student in students[1:]:
        hand_in(course, "first", student=student)
    slow, grading = Slow(two_points), ClassGrading(course_api(course), KIT)
    saved = []
    for one in grading.grade(slow, students):
        saved.append(one.student)
        if len(saved) == len(students) - 1:
            slow.first.set_result(two_points(take_in(grading.submitted["ada"], course)[0]))
    grading.journal.lock.release()
    assert saved == [*students[1:], "ada"]


def test_as_many_are_begun_as_grade_at_a_time_and_some_more(course):
    for number in range(3 * LOOK_AHEAD):
        hand_in(course, "first", student=f"s{number:02}")
    slow, grading = Slow(two_points), ClassGrading(course_api(course), KIT)
    slow.workers = LOOK_AHEAD + 3
    next(grading.grade(slow, grading.waiting))
    grading.journal.lock.release()
    assert slow.begun == 2 * LOOK_AHEAD + 3


def test_what_fails_for_every_submission_ends_the_class_with_its_reason(course):
    def too_weak(submission):
        raise PermanentError("this machine confines graded code only in tier 3")

    hand_in(course, "first", student="bob")
    with pytest.raises(GradeError, match="only in tier 3"):
        grade(course, too_weak)
    assert not (course / "autograded").exists()
    assert grade(course) == ["ada", "bob"]


def test_what_a_failed_regrade_took_away_is_graded_again(course):
    grade(course)
    assert grade(course, not_gradable, again=True) == ["ada"]
    assert not (course / "autograded" / "ada" / KIT).exists()
    assert grade(course) == ["ada"]
    assert "first" in graded_text(course)


@contextmanager
def full_disk(size):
    """Let no file grow beyond so many bytes."""
    resource = pytest.importorskip("resource", reason="Windows has no limits for a process")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_what_a_full_disk_kept_a_regrade_from_writing_is_graded_again(course):
    """Seen: a cut notebook counted as graded, and `--repeat` could not read it."""
    hand_in(course, "位置编码" * (1 << 17))
    grade(course)
    with full_disk(1 << 20), pytest.raises(OSError, match="File too large"):
        grade(course, repeat=True)
    assert grade(course) == ["ada"]


def marks(course):
    """Return what the gradebook and the feedback have of ada."""
    with gradebook(course) as book:
        one = book.find_submission(KIT, "ada")
        return one.score, one.late_submission_penalty, one.timestamp, graded_text(course)


@pytest.mark.parametrize("text", ['{"cells": []}', '{"cells": [], "again": 1}'])
def test_when_the_grader_fails_an_earlier_grade_stands(course, text):
    hand_in(course, '{"cells": []}', MOMENT)
    hand_in(course, "never graded", student="bob")
    grade(course, only=["ada"])
    before = marks(course)
    hand_in(course, text, MOMENT.replace("2026", "2027"))
    summary = printed(course, grader_fails, repeat=True)
    assert "ada: GraderError a worker could not write files" in summary
    assert "The grader failed, not the submission: ada, bob." in summary
    assert "New inputs" not in summary
    assert marks(course) == before
    assert before[0] == 2.0
    assert grade(course, repeat=True) == ["ada", "bob"]
    assert json.loads(graded_text(course))["cells"][0]["source"] == [text]


def test_of_a_file_that_cannot_be_graded_its_own_line_is_shown_alone(course):
    for _ in range(2):
        summary = printed(course, not_gradable, repeat=True)
        assert "1 could not be graded" in summary
        assert "ada: " in summary
        assert not re.search("New inputs|No points|grader failed", summary)


def test_a_new_gradebook_gets_all_points(course):
    grade(course)
    (course / "gradebook.db").rename(course / "old.db")
    new = make_course(course.with_name("new"), graded_too=False)
    (new / "gradebook.db").rename(course / "gradebook.db")
    assert grade(course) == ["ada"]
    with gradebook(course) as book:
        assert book.find_submission(KIT, "ada").score == 2.0


def test_a_submission_that_says_no_moment_does_not_keep_an_earlier_ones(course):
    hand_in(course, "first", MOMENT)
    for moment in (MOMENT, None):
        hand_in(course, f"at {moment}", moment)
        grade(course)
        with gradebook(course) as book:
            timestamp = book.find_submission(KIT, "ada").timestamp
        assert str(timestamp or "") == (moment or "")


def test_whose_penalty_a_moved_deadline_changed_is_printed_though_nothing_is_graded(
    course, monkeypatch
):
    """Seen: "0 graded, 9 skipped", and 18.9 points had become 21."""
    monkeypatch.setattr("autograde.teacher.settings.chapter_names", lambda: [KIT])
    (course / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    hand_in(course, "first", "2026-09-16 12:00:00 UTC")
    text = "[late]\nper_day = 0.01\n[deadlines]\n{} = 2026-09-{}T15:00:00Z\n"
    choose(course, text.format(KIT, 15))
    assert "penalties changed" not in printed(course, two_points)
    choose(course, text.format(KIT, 14))
    summary = printed(course, two_points)
    assert "0 graded, 1 skipped" in summary
    assert f"{KIT}: late penalties changed for 1:\n  ada: 0.05 → 0.1" in summary


def test_points_are_printed_with_their_maximum_and_the_penalty_that_changed_with_them(
    course, monkeypatch
):
    """Seen: "18 → 16" for full marks, and of the penalty, 1.8 → 1.6, no word."""
    monkeypatch.setattr("autograde.teacher.settings.chapter_names", lambda: [KIT])
    (course / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    hand_in(course, "first", MOMENT)
    choose(course, f"[late]\nper_day = 0.1\n[deadlines]\n{KIT} = 2026-09-14T15:00:00Z\n")
    with gradebook(course) as book:
        book.add_source_cell("double", KIT, KIT, cell_type="code")
        book.add_source_cell("a_why", KIT, KIT, cell_type="markdown")
    printed(course, two_points)
    set_points(course, 4)
    summary = printed(course, lambda submission: two_points(submission).replace("2.0", "4.0"))
    assert "1:\n  ada: 2 / 5 → 4 / 7 (after the late penalty 1.5 → 3.3)\n" in summary
    assert f"{KIT}: late penalties changed for 1:\n  ada: 0.5 → 0.7" in summary


def test_what_a_platform_called_late_without_a_time_is_a_day_late(course, monkeypatch):
    monkeypatch.setattr("autograde.teacher.settings.chapter_names", lambda: [KIT])
    (course / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    choose(course, f"[late]\nper_day = 0.01\n[deadlines]\n{KIT} = 2026-09-14T15:00:00Z\n")
    (course / "downloaded" / KIT).mkdir(parents=True)
    write_collected(course, KIT, {"ada": Collected("a file", "canvas", marked_late=True)})
    grade(course)
    assert marks(course)[1] == pytest.approx(0.05)


def test_a_broken_record_of_collect_stops_before_anything_is_removed(course):
    """Seen: the graded notebook of whoever was graded first was gone."""
    assert grade(course) == ["ada"]
    hand_in(course, "second")
    (course / "downloaded" / KIT).mkdir(parents=True)
    (course / "downloaded" / KIT / RECORD).write_text("{")
    with pytest.raises(CannotBegin, match=r"collected\.json"):
        grade(course)
    assert "first" in graded_text(course)


def test_an_extension_counts_with_any_plugin_for_late_work(course, monkeypatch):
    monkeypatch.setattr("autograde.teacher.settings.chapter_names", lambda: [KIT])
    other = "\nfrom nbgrader.plugins import LateSubmissionPlugin\n"
    other += "c.AssignLatePenalties.plugin_class = LateSubmissionPlugin\n"
    (course / "nbgrader_config.py").write_text(CONFIG + other, encoding="utf-8")
    choose(course, f"[deadlines]\n{KIT} = 2026-09-14T15:00:00Z\n[extensions.{KIT}]\nada = 5\n")
    assert grade(course) == ["ada"]
    with gradebook(course) as book:
        assert book.find_submission(KIT, "ada").extension == timedelta(days=5)
