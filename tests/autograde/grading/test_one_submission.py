"""One submission takes no more time and memory than its own limits, and nobody else's."""

import functools
import json
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.util import _finalizer_registry as closed_at_the_end
from threading import Thread
from types import SimpleNamespace

import pytest

from autograde.grading import submission
from autograde.grading.class_grading import Begun, ClassGrading
from autograde.grading.notebook import TooWeak
from autograde.grading.options import GradingOptions
from autograde.grading.record import Record, RecordedCell
from autograde.handed_in.files import NotGradable, Submission
from confined.failures import GraderError, PermanentError
from confined.limits import Limits
from confined.zygote_handle import TOO_BUSY

NOTHING = Record((), {})
BRIEF = GradingOptions(Limits(submission_seconds=0.1), pictures=False)


class Grader:
    """Stands for the grader of a process; its `grade` is what a submission makes of it."""

    def __init__(self, grade):
        self.grade, self.closings = grade, 0

    def close(self):
        self.closings += 1


def endless(*args):
    while True:
        try:
            pass
        except BaseException:  # as careless as code can be
            continue


def greedy(*args):
    raise MemoryError


@pytest.mark.parametrize(("grade", "why"), [(endless, "TooSlow"), (greedy, "MemoryError")])
def test_too_much_time_or_memory_ends_the_submission_and_not_the_process(grade, why, monkeypatch):
    monkeypatch.setattr(GradingOptions, "seconds", lambda options: 0.1)
    graders, before = [], set(closed_at_the_end)
    monkeypatch.setattr(
        "autograde.grading.notebook.NotebookGrader",
        lambda options: graders.append(Grader(grade)) or graders[-1],
    )
    for _ in range(2):
        with pytest.raises(NotGradable, match=why):
            submission.grade_submission(Submission(b'{"cells": []}'), NOTHING, 7, BRIEF)
    assert [grader.closings for grader in graders] == [1, 1]
    assert set(closed_at_the_end) <= before  # nor do they stay until the process ends


def test_a_notebook_without_a_cell_of_the_chapter_is_not_graded_as_blank():
    kind = {"grade": True, "solution": False, "task": False, "locked": True, "points": 2.0}
    record = Record((RecordedCell("key_minus_query", "code", "", "", **kind),), {})
    for name, is_of_chapter in (("key_minus_query", True), ("shaw_rows", False)):
        cell = {"cell_type": "code", "source": "", "metadata": {"nbgrader": {"grade_id": name}}}
        content = json.dumps({"cells": [cell]}).encode()
        if is_of_chapter:
            assert len(submission.submitted_cells(content, record)) == 1
        else:
            with pytest.raises(NotGradable, match="another chapter's notebook"):
                submission.submitted_cells(content, record)


@pytest.mark.parametrize(
    ("failing", "calls"),
    [("start", ["start", "start", "grade"]), ("grade", ["start", "grade", "start", "grade"])],
)
def test_what_fails_on_the_graders_side_is_tried_once_more(monkeypatch, failing, calls):
    steps = []

    def step(name):
        steps.append(name)
        if name == failing and steps.count(name) == 1:
            raise GraderError(TOO_BUSY)

    def start(options):
        step("start")
        return Grader(lambda *args: step("grade"))

    monkeypatch.setattr("autograde.grading.notebook.NotebookGrader", start)
    fresh = functools.cache(submission._grader_of_this_process.__wrapped__)
    monkeypatch.setattr(submission, "_grader_of_this_process", fresh)
    assert submission.grade_submission(Submission(b'{"cells": []}'), NOTHING, 7, BRIEF)
    assert steps == calls


def test_what_no_second_try_mends_is_tried_once_and_the_grader_stays(monkeypatch):
    graders, tries = [], []

    def grade(*args):
        tries.append(args)
        raise TooWeak("this machine confines graded code only in tier 3")

    monkeypatch.setattr(
        "autograde.grading.notebook.NotebookGrader",
        lambda options: graders.append(Grader(grade)) or graders[-1],
    )
    fresh = functools.cache(submission._grader_of_this_process.__wrapped__)
    monkeypatch.setattr(submission, "_grader_of_this_process", fresh)
    for count in (1, 2):
        with pytest.raises(PermanentError):
            submission.grade_submission(Submission(b'{"cells": []}'), NOTHING, 7, BRIEF)
        assert len(tries) == count
    assert [grader.closings for grader in graders] == [0]


def test_the_deadline_is_that_of_the_runs_and_what_stands_around_them():
    assert GradingOptions(Limits(submission_seconds=180.0), pictures=True).seconds() == 600.0
    assert GradingOptions(Limits(submission_seconds=180.0), pictures=False).seconds() == 240.0


def test_a_submission_whose_process_died_is_tried_again_when_no_other_is_graded():
    others, broken, again = [Future(), Future()], Future(), Future()
    broken.set_exception(BrokenProcessPool("died"))
    again.set_result("graded")
    running = []

    def submit(*args):
        running.extend(not other.done() for other in others)
        return again

    Thread(target=lambda: [other.set_result("theirs") for other in others]).start()
    begun = Begun("ada", Submission(b""), "", 7, broken)
    text = ClassGrading._text(SimpleNamespace(_submit=submit), None, begun, others)
    assert (text, running) == ("graded", [False, False])
