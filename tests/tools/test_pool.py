"""Jobs side by side: one that fails is named, the others are finished."""

from pathlib import Path

import pytest

from tools.build.pool import JobsFailed, run_all


def write(path: Path) -> None:
    path.write_text("done")


def test_a_job_that_fails_is_named_and_the_others_are_done(tmp_path):
    jobs = {"first": (write, tmp_path / "no" / "folder"), "second": (write, tmp_path / "second")}
    with pytest.raises(JobsFailed, match=r"failed for first\nfirst: .*No such file"):
        run_all("jobs", jobs)
    assert (tmp_path / "second").read_text() == "done"
