"""A process of the pool that dies takes nobody's grade with it."""

import os
import subprocess
import sys
import time
import warnings
from argparse import ArgumentParser
from concurrent.futures.process import BrokenProcessPool

import pytest

from autograde.grading import command
from autograde.grading.cores import cores
from autograde.grading.grader_limits import time_limit
from autograde.grading.limits import MEMORY
from autograde.grading.pool import SCORING, SCORING_AND_PICTURES, GradingPool

WRITER = """
import contextlib
from argparse import Namespace

from autograde.grading import command, display
from autograde.grading.limits import MEMORY

command._pool = lambda workers: contextlib.nullcontext()
display.grade = lambda *args, **kwargs: bytearray(MEMORY)
command._run(Namespace(
    scheduler=None, workers=1, chapter="05_rope", student=[], again=False, repeat=False,
))
"""


def spin(seconds):
    with time_limit(seconds):
        while True:
            pass


def fill_memory():
    return len(bytearray(MEMORY))


def warnings_shown(message):
    with warnings.catch_warnings(record=True) as messages:
        warnings.warn(message, stacklevel=1)
    return len(messages)


def test_nothing_warns_when_ctrl_c_ends_the_fork_servers_of_graded_code():
    """Seen: “forkserver: waitpid returned unexpected pid” twice, above the sentence on Ctrl-C."""
    with GradingPool(1, SCORING) as pool:
        texts = ("forkserver: waitpid returned unexpected pid 7", "another one")
        assert [pool.submit(warnings_shown, text).result() for text in texts] == [0, 1]


def test_a_process_that_grades_has_limits_of_its_own_and_is_replaced_beyond_them():
    with GradingPool(1, SCORING) as pool:
        with pytest.raises(MemoryError):
            pool.submit(fill_memory).result()
        with pytest.raises(BrokenProcessPool):
            pool.submit(spin, 0.2).result(60)
        assert pool.submit(abs, -4).result() == 4


def test_the_process_that_writes_grades_has_a_limit_of_memory():
    done = subprocess.run([sys.executable, "-c", WRITER], capture_output=True, text=True)
    assert "MemoryError" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_time_of_one_submission_is_not_taken_from_the_next():
    with GradingPool(1, SCORING) as pool:
        for _ in range(2):
            assert pool.submit(_short).result() is True


def _short():
    with time_limit(0.5):
        end = time.process_time() + 0.3
        while time.process_time() < end:
            pass
    return True


@pytest.mark.parametrize(
    ("settings", "preloaded"),
    [
        ("", SCORING_AND_PICTURES),
        ("c.SubmittedNotebook.pictures = True", SCORING_AND_PICTURES),
        ("c.SubmittedNotebook.pictures = False", SCORING),
    ],
)
def test_what_is_preloaded_follows_the_settings_of_the_course(
    settings, preloaded, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nbgrader_config.py").write_text(settings, encoding="utf-8")
    with command._pool(1) as pool:
        assert pool.preloaded == preloaded


def test_a_process_that_may_use_a_few_cores_counts_those(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {3, 5}, raising=False)
    assert cores() == 2


def test_a_cluster_and_a_number_of_processes_here_are_not_asked_for_together(capsys):
    parser = ArgumentParser()
    command.add_arguments(parser)
    with pytest.raises(SystemExit):
        parser.parse_args(["start", "--workers", "2", "--scheduler", "tls://127.0.0.1:1"])
    assert "not allowed with argument" in capsys.readouterr().err
