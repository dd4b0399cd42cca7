"""A grader that ends, or is killed, leaves no processes, folders or cgroups behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from autograde.grading.options import GradingOptions
from autograde.grading.pool import SCORING, GradingPool
from autograde.grading.submission import _grader_of_this_process
from confined import control_group
from confined.control_group import PREFIX, ROOT, new_group, owner
from confined.limits import Limits

GRADER = """
import sys
from confined.fork_server_handle import ForkServer
from confined.limits import Limits

with (
    ForkServer((), namespaces=bool(int(sys.argv[1]))) as server,
    server.zygote(Limits()) as zygote,
    zygote.worker() as worker,
):
    print(worker.run("_ = open('own.txt', 'w').write('x')"), flush=True)
    sys.stdin.read()
"""


def groups(grader):
    folders = (folder for _, names, _ in os.walk(ROOT) for folder in names)  # others come and go
    return [folder for folder in folders if folder.startswith(f"{PREFIX}{grader}-")]


def start_grader():
    """In a process of a pool: start what it would grade with, and tell who it is."""
    grader, _ = _grader_of_this_process(GradingOptions(Limits(), pictures=False, lowest_tier=3))
    with grader.scoring.worker():
        return owner(os.getpid()), groups(owner(os.getpid()))


def why_no_groups():
    """Return why no group can be made here; an empty string where one can."""
    try:
        new_group(Limits()).close()
    except (OSError, ValueError) as error:
        return f"no cgroup here: {error}"
    return ""


@pytest.fixture
def cgroups():
    if reason := why_no_groups():
        pytest.skip(reason)


@pytest.mark.usefixtures("cgroups")
def test_a_pool_that_ends_leaves_no_groups():
    with GradingPool(1, SCORING) as pool:
        grader, there = pool.submit(start_grader).result()
    assert there
    assert groups(grader) == []


@pytest.mark.usefixtures("cgroups")
def test_a_group_goes_though_its_graders_number_was_given_again(monkeypatch):
    monkeypatch.setattr(control_group, "owner", lambda process: f"{process}-0")  # long ago
    monkeypatch.setattr(control_group, "_remove_orphans", lambda parent: None)  # it asks the same
    left = new_group(Limits())
    monkeypatch.undo()
    ours = new_group(Limits())
    try:
        assert not any(folder.exists() for folder in left.folders)
        new_group(Limits()).close()
        assert all(folder.exists() for folder in ours.folders)
    finally:
        ours.close()


@pytest.mark.parametrize("namespaces", [True, False])
def test_a_grader_that_is_killed_leaves_no_files_and_its_groups_to_the_next(namespaces, tmp_path):
    if not hasattr(os, "fork"):
        pytest.skip("grading needs fork")
    grader = subprocess.Popen(
        [sys.executable, "-c", GRADER, str(int(namespaces))], cwd=Path(__file__).parents[2],
        env={**os.environ, "TMPDIR": str(tmp_path)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    with grader:
        assert grader.stdout.readline() == b"[]\n"
        who = owner(grader.pid) if sys.platform == "linux" else ""
        there = groups(who)
        started = psutil.Process(grader.pid).children(recursive=True)
        assert namespaces or list(tmp_path.rglob("own.txt"))
        grader.send_signal(signal.SIGKILL)
    _, alive = psutil.wait_procs(started, timeout=60)
    assert not alive
    assert list(tmp_path.iterdir()) == []
    assert bool(there) is not bool(why_no_groups())  # which makes a group, and removes those
    assert groups(who) == []
