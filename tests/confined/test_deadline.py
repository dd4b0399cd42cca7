"""`deadline` ends what does not end, leaves the rest alone and clears up after itself."""

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from confined import deadline
from confined.deadline import TooSlow, call_within, call_within_cpu

pytestmark = pytest.mark.usefixtures("no_collection")
ROOT = Path(__file__).parents[2]


def endless():
    """Swallow what interrupts it, twenty times."""
    for _ in range(20):
        try:
            while True:  # interrupted here alone, inside of the `try`
                pass
        except BaseException:
            continue


def on_a_thread(work):
    results = []

    def run():
        try:
            results.append(work())
        except BaseException as error:
            results.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(30)
    assert not thread.is_alive()
    return results[0]


def test_a_loop_that_swallows_everything_ends():
    with pytest.raises(TooSlow):
        call_within(0.1, endless)


def test_a_loop_that_swallows_everything_ends_on_another_thread():
    assert isinstance(on_a_thread(lambda: call_within(0.1, endless)), TooSlow)


@pytest.mark.parametrize("where", [lambda work: work(), on_a_thread])
def test_work_within_the_deadline_is_untouched(where):
    assert where(lambda: call_within(30.0, lambda: 7)) == 7


@pytest.mark.parametrize("where", [lambda work: work(), on_a_thread])
def test_an_error_of_the_block_is_passed_on(where):
    def fails():
        try:
            call_within(30.0, lambda: 1 / 0)
        except ZeroDivisionError:
            return "as it was"

    assert where(fails) == "as it was"


def test_no_alarm_is_left_behind():
    handler, tracing = signal.getsignal(signal.SIGALRM), sys.gettrace()
    with pytest.raises(TooSlow):
        call_within(0.1, endless)
    # stopped as it is read: one that rang would end pytest, which could not say so
    assert signal.setitimer(signal.ITIMER_REAL, 0) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is handler
    assert sys.gettrace() is tracing


def test_a_timer_that_was_running_runs_on():
    signal.setitimer(signal.ITIMER_REAL, 1000.0)
    try:
        call_within(30.0, lambda: None)
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 900
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def test_no_watcher_is_left_behind():
    before = {*threading.enumerate()}
    on_a_thread(lambda: call_within(30.0, lambda: None))
    assert {*threading.enumerate()} <= before


def test_a_timer_that_is_late_rings_when_the_call_has_ended(monkeypatch):
    monkeypatch.setattr(deadline, "SOON", 0.05)  # until then the outer call has ended too
    with pytest.raises(TooSlow):
        call_within(0.1, lambda: call_within(30.0, time.sleep, 0.2))


def test_a_compiled_call_ends():
    with pytest.raises(TooSlow):
        call_within(0.1, time.sleep, 30)


@pytest.mark.parametrize("where", [lambda work: work(), on_a_thread])
def test_seconds_of_cpu_end_work_and_let_waiting_be(where):
    def both():
        waited = call_within_cpu(0.2, lambda: time.sleep(0.5) or "waited")
        try:
            call_within_cpu(0.2, endless)
        except TooSlow:
            return waited

    assert where(both) == "waited"


def test_rung_at_any_moment_it_leaves_everything_as_it_was():
    """In a process of its own, which an alarm left behind would end."""
    ring = [sys.executable, "-W", "error", "-m", "tests.confined.ring_alarms", "200"]
    done = subprocess.run(ring, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert 0 < int(done.stdout.split()[0]) < 200  # some calls were in time, some were not
