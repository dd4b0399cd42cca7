"""One grader for all attacks, on a course that has something to steal."""

import contextlib
import dataclasses
import os
import subprocess

import pytest

from autograde.grading import notebook
from autograde.grading.fork_servers import HIDDEN_FROM_ANSWERS
from autograde.grading.notebook import NotebookGrader
from autograde.grading.options import GradingOptions
from autograde.kit.catalogue import exercise
from confined import worker_handle
from confined.confine import tier
from confined.fork_server_handle import ForkServer
from confined.limits import Limits
from tests.security.spoils import CANARY, make_course

SHORT = Limits(cell_seconds=1.5, submission_seconds=6.0, memory=1024, processes=24, output=200_000)
WITHOUT_NAMESPACES = "POSENC_WITHOUT_NAMESPACES"
MARK = "MPLCONFIGDIR"  # the grader hands it on to its processes, by which they are found


@pytest.fixture(scope="session")
def course(tmp_path_factory):
    return make_course(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="session")
def mark(tmp_path_factory):
    return str(tmp_path_factory.mktemp("mark"))


@pytest.fixture(scope="session")
def grader(mark):
    namespaces = not os.environ.get(WITHOUT_NAMESPACES)  # the system refuses them: tier 2
    with contextlib.ExitStack() as started:
        with pytest.MonkeyPatch.context() as patch:  # the tests of other rooms run in between
            patch.setenv(MARK, mark)
            patch.setenv("COURSE_TOKEN", CANARY)
            server = ForkServer(HIDDEN_FROM_ANSWERS, namespaces=namespaces)
            started.enter_context(server)
            patch.setattr(notebook, "fork_server", lambda hidden: server)
            options = GradingOptions(SHORT, pictures=False, lowest_tier=3)
            grader = started.enter_context(NotebookGrader(options))
        yield grader


@pytest.fixture(scope="session")
def zygote(grader):
    """Start one whose workers have ordinary time, for honest code on a busy machine."""
    patient = dataclasses.replace(SHORT, cell_seconds=60.0, submission_seconds=180.0)
    with grader.scoring.server.zygote(patient) as started:
        yield started


@pytest.fixture(autouse=True)
def short(monkeypatch, mark):
    """Give an attack less time than an answer has."""
    monkeypatch.setenv(MARK, mark)
    monkeypatch.setenv("COURSE_TOKEN", CANARY)
    monkeypatch.setattr(worker_handle, "GRACE", 0.5)
    monkeypatch.setattr(
        notebook, "exercise", lambda name: dataclasses.replace(exercise(name), seconds=1.0)
    )


@pytest.fixture
def folder(tmp_path):
    """A submission's folder, removed by a program that does not mind how deep it is."""
    yield tmp_path / "submitted"
    subprocess.run(["rm", "-rf", tmp_path / "submitted"], check=True)


@pytest.fixture(scope="session")
def strength(grader):
    with grader.scoring.worker() as worker:
        return tier(worker.layers)
