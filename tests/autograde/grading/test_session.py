"""What befalls a worker is the student's doing only where a student's line, or file, did it."""

import errno
import re
import time

import pytest

from autograde.grading.session import Session
from autograde.kit.catalogue import exercise
from confined import worker_handle
from confined.failures import NO_MEMORY, GraderError, WorkerLost
from confined.limits import MEBI, Limits
from confined.worker_handle import Worker
from confined.zygote_handle import Zygote

EXIT = "import os\nos._exit(1)"
COUNT = "import os\nprint(sum(len(names) for _, _, names in os.walk('.')))"


@pytest.fixture
def small(any_server):
    """Start a zygote whose workers may write 1 MiB."""
    with any_server.zygote(Limits(file=1)) as zygote:
        yield zygote


def test_a_worker_that_memory_ended_is_closed_once_and_the_next_one_starts(zygote, monkeypatch):
    session = Session(zygote, {}).__enter__()
    at_limit, ended = session.worker.memory_events
    monkeypatch.setattr(Zygote, "memory_events", lambda zygote: (at_limit, ended + 1))
    with pytest.raises(GraderError, match=re.escape(NO_MEMORY)):
        session.run(EXIT)
    session.__exit__()
    monkeypatch.undo()
    with Session(zygote, {}) as session:
        assert session.run("print(1)")[0]["text"] == "1\n"


def test_a_machine_too_slow_to_write_the_files_is_not_the_students_fault(zygote, monkeypatch):
    monkeypatch.setattr(worker_handle, "WRITING", -worker_handle.GRACE)
    session = Session(zygote, {"helper.py": b"x = 1"})
    with pytest.raises(GraderError, match="could not write files"):
        session.__enter__()
    assert session.worker is None


def test_after_a_cell_has_ended_a_worker_the_machine_may_still_fail(zygote, monkeypatch):
    with Session(zygote, {}) as session:
        monkeypatch.setattr(worker_handle, "WRITING", -worker_handle.GRACE)
        with pytest.raises(GraderError, match="could not write files"):
            session.run(EXIT)


def test_what_a_busy_machine_takes_to_start_is_not_of_the_submissions_time(zygote, monkeypatch):
    start, moments = Session._start, []

    def busy(session):
        start(session)
        moments.append(time.monotonic())

    monkeypatch.setattr(Session, "_start", busy)
    with Session(zygote, {}) as session:
        assert session.until >= moments[0] + zygote.limits.submission_seconds


def test_a_worker_may_look_an_answer_up_for_as_long_as_the_submission_has(zygote, monkeypatch):
    monkeypatch.setattr("autograde.grading.session.ORDER_SECONDS", -worker_handle.GRACE)
    with Session(zygote, {}) as session:
        session.run("def answer(q, k):\n    return k[None, :] - q[:, None]")
        assert session.verdict(exercise("key_minus_query"), "answer", 7).full


def test_a_full_disk_of_the_machine_is_not_the_students_fault_a_full_view_is(zygote, monkeypatch):
    full = {"errno": errno.ENOSPC, "error": "OSError(28, 'No space left on device')"}
    monkeypatch.setattr(Worker, "ask", lambda *args: (full, b""))
    with zygote.worker() as worker:
        worker.layers["namespaces"] = "not asked for"
        with pytest.raises(GraderError, match="No space left"):
            worker.write({"data": b"1"})
        worker.layers["namespaces"] = ""
        with pytest.raises(WorkerLost):
            worker.write({"data": b"1"})


def test_files_larger_than_a_worker_may_write_earn_nothing(small):
    with Session(small, {"data.bin": bytes(MEBI + 1)}) as session:
        (error,) = session.run("1 + 1")
        assert error["ename"] == "NotRun"
        assert session.verdict(exercise("key_minus_query"), "answer", 7).score == 0


def test_files_of_the_longest_and_oddest_names_do_not_stop_a_submission(any_zygote):
    folder = "/".join(["\x01" * 255] * 7)  # six characters each in JSON
    files = {f"{folder}/{number:0>255}": b"x" for number in range(200)}
    files |= {"\udcff": b"x", "\udcfe/below": b"x"}  # one name, if both became a question mark
    with Session(any_zygote, files) as session:
        assert session.run(COUNT)[0]["text"] == "202\n"
