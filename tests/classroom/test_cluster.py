"""A class graded on a Dask cluster over TLS, one of whose workers is killed meanwhile."""

import os
import signal
import subprocess
import sys
import time

import pytest
import trustme
import yaml

from autograde.grading.cluster import cluster
from autograde.grading.submissions import GradeError
from tests.classroom.one_chapter import CHAPTER, hand_in, scores, solved_text
from tests.classroom.test_grade import journal

pytestmark = pytest.mark.slow
PATIENCE = 600  # seconds: several processes import torch on a machine that may be busy
STUDENTS = [f"s{number}" for number in range(4)]


@pytest.fixture
def settings(tmp_path_factory):
    """The environment in which Dask finds its certificates."""
    folder = tmp_path_factory.mktemp("certificates")
    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "ca.pem")
    issued = authority.issue_cert("localhost", "127.0.0.1")
    issued.private_key_and_cert_chain_pem.write_to_path(folder / "own.pem")
    both = {"cert": str(folder / "own.pem")}
    tls = {
        "ca-file": str(folder / "ca.pem"), "scheduler": both, "worker": both, "client": both,
    }  # fmt: skip
    comm = {"require-encryption": True, "tls": tls}
    (folder / "dask.yaml").write_text(yaml.safe_dump({"distributed": {"comm": comm}}))
    return {**os.environ, "DASK_CONFIG": str(folder), "OMP_NUM_THREADS": "1"}


def start(settings, *command):
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + command[0], *command[1:]],
        env=settings,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.fixture
def scheduler(settings, tmp_path):
    """The address of a scheduler with two workers, and the workers."""
    file = tmp_path / "scheduler.json"
    options = ("--protocol", "tls", "--host", "127.0.0.1", "--no-dashboard")
    started = [
        start(settings, "dask_scheduler", *options, "--port", "0", "--scheduler-file", str(file))
    ]
    try:
        until = time.monotonic() + PATIENCE
        # The scheduler opens its file first and fills it then.
        while not (file.exists() and yaml.safe_load(file.read_text())):
            assert time.monotonic() < until
            time.sleep(0.05)
        for _ in range(2):
            one = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
            one += ("--scheduler-file", str(file), "--protocol", "tls")
            started.append(start(settings, "dask_worker", *one))
        yield yaml.safe_load(file.read_text())["address"], started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_a_lost_workers_submissions_are_graded_elsewhere(course, scheduler, settings):
    address, workers = scheduler
    right = solved_text(course)
    for student in STUDENTS:
        hand_in(course, student, right)
    grading = subprocess.Popen(
        [sys.executable, "-m", "autograde", "grade", CHAPTER, "--scheduler", address],
        cwd=course,
        env=settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    until = time.monotonic() + PATIENCE
    while not journal(course):
        assert time.monotonic() < until
        assert grading.poll() is None, grading.stdout.read()
        time.sleep(0.05)
    workers[0].send_signal(signal.SIGKILL)
    printed, _ = grading.communicate(timeout=PATIENCE)
    assert grading.returncode == 0, printed
    assert sorted(journal(course)) == STUDENTS
    points = scores(course)
    assert points.keys() == {*STUDENTS}
    assert min(points.values()) == max(points.values()) > 0


def test_a_scheduler_address_without_tls_is_refused():
    with pytest.raises(GradeError, match="tls"), cluster("tcp://127.0.0.1:1"):
        pass
