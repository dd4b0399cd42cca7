"""Memory that the machine lacks is not the fault of the student whose process ended for it."""

import subprocess
import sys

import pytest

from autograde.grading.fork_servers import fork_server
from confined.control_group import HANDED_DOWN, ControlGroup, new_group
from confined.limits import Limits
from confined.view import COURSE

TAKE = "import numpy as np\ntaken = np.ones(100 << 20)"  # 800 MiB
GRADER = f"""
import sys
from confined.failures import GraderError
from confined.fork_server_handle import ForkServer
from confined.limits import Limits

sys.stdin.readline()  # this process is in its group
with ForkServer(()) as server, server.zygote(Limits(memory=4096)) as zygote:
    try:
        with zygote.worker() as worker:
            worker.run({TAKE!r})
            worker.run("1 + 1")
    except GraderError as error:
        print(error)
"""


def test_what_a_submission_takes_of_a_container_whose_memory_all_share_is_not_its_fault():
    try:
        group = new_group(Limits(memory=600, processes=200))
    except (OSError, ValueError) as error:
        pytest.skip(f"no cgroup here: {error}")
    own = within(group)
    try:
        with subprocess.Popen(
            [sys.executable, "-c", GRADER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as grader:
            own.add(grader.pid)
            assert "too little memory" in grader.communicate("go\n")[0]
    finally:
        own.close()
        group.close()


def test_what_it_takes_beyond_its_own_limit_is_an_error_of_its_cell():
    with fork_server(COURSE).zygote(Limits(memory=600)) as zygote, zygote.worker() as worker:
        (error,) = worker.run(TAKE)
        assert error["ename"] == "MemoryError"
        (value,) = worker.run("1 + 1")
        assert value["data"]["text/plain"] == "2"


def within(group):
    """Return where a grader is put that makes groups in this one."""
    (folder, *others) = group.folders
    if others:  # version 1
        return group
    (folder / HANDED_DOWN).write_text("+memory +pids")
    (folder / "grader").mkdir()
    return ControlGroup((folder / "grader",))
