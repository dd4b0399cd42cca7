"""What one submission can do to another that is graded at the same time, or to the zygote."""

import os
from pathlib import Path

import psutil

from confined.confine import NOBODY


def test_two_workers_share_no_user_and_no_session(grader):
    with grader.scoring.worker() as first, grader.scoring.worker() as second:
        processes = [psutil.Process(one.process) for one in (first, second)]
        children = [process.children()[0] for process in processes]
        sessions = {os.getsid(process.pid) for process in [*processes, psutil.Process()]}
        assert len(sessions) == 3
        if os.geteuid() == 0 and not first.layers["user"]:
            users = [child.uids().real for child in children]
            assert users[0] != users[1]
            assert all(user > NOBODY for user in users)


def test_what_a_worker_writes_to_stderr_fills_no_pipe(zygote):
    flood = "import os\n\nfor _ in range(100):\n    os.write(2, b'x' * 4096)"
    with zygote.worker() as worker:
        assert worker.run(flood) == []


def test_a_worker_goes_before_the_grader_when_memory_runs_out(grader):
    with grader.scoring.worker() as worker:
        score = Path(f"/proc/{worker.process}/oom_score_adj")
        assert not score.exists() or int(score.read_text()) == 1000
