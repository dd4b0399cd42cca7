"""Memory that the machine lacks is not the fault of the student whose process ended for it."""

import subprocess
import sys

import pytest

from confined.control_group import HANDED_DOWN, ControlGroup, new_group
from confined.limits import Limits

GRADER = """
import sys
from confined.failures import GraderError, WorkerLost
from confined.fork_server_handle import ForkServer
from confined.limits import Limits

sys.stdin.readline()  # this process is in its group
with ForkServer(()) as server, server.zygote(Limits(memory=int(sys.argv[1]))) as zygote:
    try:
        with zygote.worker() as worker:
            worker.run("import numpy as np\\ntaken = np.ones(100 << 20)")
            worker.run("1 + 1")
    except (GraderError, WorkerLost) as error:
        print("machine" if "too little memory" in str(error) else error)
"""


@pytest.mark.parametrize(
    ("container", "of_one", "whose"), [(600, 4096, "machine"), (4096, 600, "")]
)
def test_a_process_ends_for_memory(container, of_one, whose):
    """800 MiB are taken, of a container's memory that all share, or of one submission's own."""
    try:
        group = new_group(Limits(memory=container, processes=200))
    except (OSError, ValueError) as error:
        pytest.skip(f"no cgroup here: {error}")
    own = within(group)
    try:
        with subprocess.Popen(
            [sys.executable, "-c", GRADER, str(of_one)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        ) as grader:  # fmt: skip
            own.add(grader.pid)
            assert grader.communicate("go\n")[0].strip() == whose
    finally:
        own.close()
        group.close()


def within(group):
    """Return where a grader is put that makes groups in this one."""
    (folder, *others) = group.folders
    if others:  # version 1
        return group
    (folder / HANDED_DOWN).write_text("+memory +pids")
    (folder / "grader").mkdir()
    return ControlGroup((folder / "grader",))
