"""One fork server for many graders: each has its own zygote, and what befalls one is its own."""

import os
import signal
import socket

import psutil
import pytest

from confined import fork_server_handle, zygote_handle
from confined.failures import GraderError, PermanentError
from confined.fork_server_handle import START, ForkServer
from confined.limits import Limits
from confined.view import COURSE

FILL_WITH_PROCESSES = """
import os, time
while True:
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
"""
START_ONE = """
import os
child = os.fork()
if child == 0:
    os._exit(0)
_ = os.waitpid(child, 0)
"""
STEPS = ("_close_stderr", "own_world", "confine")
FAIL_AT_ONE = f"""
import os
from confined import zygote

def failing(step, sound):
    return lambda *args: 1 / 0 if os.environ["POSENC_LANGUAGE"] == step else sound(*args)

for step in {STEPS}:
    setattr(zygote, step, failing(step, getattr(zygote, step)))
"""
TOO_LITTLE = r"内存不足.* · .*too little memory"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """The home of the grader, which keeps its temporary files there."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "temporary").mkdir()
    return folder


@pytest.fixture(scope="module")
def server(home):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.setenv("TMPDIR", str(home / "temporary"))
        started = ForkServer((), namespaces=False)
    with started:
        yield started


@pytest.fixture(scope="module")
def failing_server():
    """Start one whose workers fail at a step: its name comes as the language, which each gets."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fork_server_handle, "START", FAIL_AT_ONE + START)
        started = ForkServer((), namespaces=False)
    with started:
        yield started


def value(outputs):
    (output,) = outputs
    return output["data"]["text/plain"]


def test_a_machine_that_is_too_busy_to_start_is_not_the_students_fault(server, monkeypatch):
    monkeypatch.setattr(zygote_handle, "STARTING", 0.0)
    with pytest.raises(GraderError, match=r"太忙.* · .*too busy"):
        server.zygote(Limits())


def test_a_zygote_that_the_kernel_has_ended_tells_of_memory_and_others_go_on(server):
    with server.zygote(Limits()) as zygote, server.zygote(Limits()) as other:
        os.kill(zygote.process, signal.SIGKILL)  # as the kernel does, and nothing else
        with pytest.raises(GraderError, match=TOO_LITTLE):
            zygote.worker()
        with other.worker() as worker:
            assert value(worker.run("1 + 1")) == "2"


def test_each_grader_hears_of_its_own_zygote_in_whichever_order_they_ask(server, home):
    with (
        server.zygote(Limits()) as one,
        server.zygote(Limits()) as two,
        server.zygote(Limits()) as third,
    ):
        (home / "temporary").rename(home / "gone")
        for zygote in (one, two):
            socket.send_fds(zygote.control, [b"S"], [zygote.control.fileno()])
            assert zygote.control.recv(1) == b""  # it has ended
        (home / "gone").rename(home / "temporary")
        os.kill(third.process, signal.SIGKILL)  # as the kernel does
        with pytest.raises(GraderError, match=TOO_LITTLE):
            third.worker()
        for zygote in (one, two):
            with pytest.raises(GraderError, match=r"No such file or directory: .*temporary"):
                zygote.worker()


def test_a_worker_that_is_ended_twice_takes_no_other_along(server):
    with server.zygote(Limits()) as zygote:
        with zygote.worker() as worker:
            zygote.end(worker.process)
        with zygote.worker() as worker:
            assert value(worker.run("1 + 1")) == "2"


@pytest.mark.parametrize("step", STEPS)
def test_a_worker_that_does_not_start_says_why(failing_server, monkeypatch, step):
    monkeypatch.setenv("POSENC_LANGUAGE", step)
    with (
        failing_server.zygote(Limits()) as zygote,
        pytest.raises(GraderError, match=r"did not start: ZeroDivisionError\('division by zero'\)"),
    ):
        zygote.worker()


def test_each_zygote_has_limits_and_a_language_of_its_own(server, monkeypatch):
    source = "import os, resource\nos.environ.get('POSENC_LANGUAGE'), resource.getrlimit({})[0]"
    pairs = []
    for language, file in (("zh", 3), ("en", 5)):
        monkeypatch.setenv("POSENC_LANGUAGE", language)
        with server.zygote(Limits(file=file)) as zygote, zygote.worker() as worker:
            pairs.append(value(worker.run(source.format("resource.RLIMIT_FSIZE"))))
    assert pairs == [f"('zh', {3 << 20})", f"('en', {5 << 20})"]


def test_a_zygote_that_is_closed_has_ended_and_so_have_its_workers(server):
    with server.zygote(Limits()) as zygote:
        worker = zygote.worker()
        processes = [psutil.Process(one.process) for one in (zygote, worker)]
    worker.channel.close()
    _, alive = psutil.wait_procs(processes, timeout=60)
    assert not alive


def test_what_one_worker_does_to_its_view_and_its_users_limit_no_other_graders_worker_notices():
    """Told apart by users where the grader is root; an ordinary user's are told apart by views."""
    with (
        ForkServer(COURSE) as server,
        server.zygote(Limits()) as one,
        server.zygote(Limits()) as two,
        one.worker() as attacker,
        two.worker() as other,
    ):
        attacker.run("import os\nos.chmod('/', 0)")
        attacker.run(FILL_WITH_PROCESSES)
        assert other.run("open('own.txt', 'w').write('x')\nimport sqlite3") == []
        assert other.run(START_ONE) == []
        with server.zygote(Limits()) as third, third.worker() as new:
            assert value(new.run("1 + 1")) == "2"


def test_nothing_is_written_to_the_graders_home(server, home):
    with server.zygote(Limits()):
        assert not (home / ".ipython").exists()


def test_a_fork_server_that_the_kernel_has_ended_is_gone_and_tells_of_memory():
    with ForkServer((), namespaces=False) as server:
        assert not server.is_gone()
        server.process.kill()
        server.process.wait()
        assert server.is_gone()
        with pytest.raises(GraderError, match=TOO_LITTLE):
            server.zygote(Limits())


def test_a_fork_server_that_fails_says_why_to_every_grader(monkeypatch):
    monkeypatch.setattr(fork_server_handle, "START", "import not_there")
    with ForkServer((), namespaces=False) as server:
        for _ in range(2):
            with pytest.raises(GraderError, match="No module named 'not_there'"):
                server.zygote(Limits())


def test_the_code_of_another_folder_is_refused_for_good(monkeypatch, tmp_path):
    """As with last year's copy of the course beside this year's, and one environment for both."""
    ours = fork_server_handle.HERE
    monkeypatch.setattr(fork_server_handle, "HERE", str(tmp_path))
    with ForkServer((), namespaces=False) as server:
        for _ in range(2):
            with pytest.raises(PermanentError, match=f"of {tmp_path}, but .* that of {ours} inst"):
                server.zygote(Limits())
