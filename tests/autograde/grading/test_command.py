"""The command `grade`: what it says when it is stopped."""

import contextlib
import signal
import sys
from types import SimpleNamespace

import pytest

from autograde import __main__
from autograde.grading import command
from tests.autograde.small_class import KIT


@pytest.fixture(autouse=True)
def handler():
    """Leave what this process does at a signal as it is."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize(
    ("options", "next_step"),
    [
        ([], "run the same command again for the rest."),
        (["--again"], "the same command begins with the first again."),
        (["--repeat"], "the same command begins with the first again."),
    ],
)
@pytest.mark.parametrize(
    ("error", "message"),
    [
        (signal.SIGTERM, "You stopped the grading. What has been graded is saved; "),
        (KeyboardInterrupt(), "You stopped the grading. What has been graded is saved; "),
        (OSError("disk full"), "stopped: OSError disk full. What has been graded is saved; once "),
    ],
)
def test_who_stops_it_reads_that_it_was_they_and_what_is_left(
    monkeypatch, error, message, options, next_step
):
    def stopped(*arguments, **choices):
        if isinstance(error, signal.Signals):
            signal.raise_signal(error)
        raise error

    monkeypatch.setattr(command, "limit_memory", lambda: None)
    monkeypatch.setattr(command, "gc", SimpleNamespace(disable=int, freeze=int, enable=int))
    monkeypatch.setattr(command, "_pool", lambda workers: contextlib.nullcontext(object()))
    monkeypatch.setattr("autograde.grading.display.grade", stopped)
    monkeypatch.setattr(sys, "argv", ["autograde", "grade", KIT, *options])
    with pytest.raises(SystemExit) as exit_:
        __main__.main()
    assert message in exit_.value.code
    assert exit_.value.code.endswith(next_step)
