"""One fork server for a process and its forks, until it is gone."""

import pytest

from autograde.grading import fork_servers
from autograde.grading.fork_servers import close_fork_servers, fork_server
from confined.limits import Limits


@pytest.fixture(autouse=True)
def none_before(monkeypatch):
    monkeypatch.setattr(fork_servers, "_STARTED", {})
    yield
    close_fork_servers()


def test_the_same_one_is_used_again_until_the_kernel_ends_it_or_it_is_closed():
    first = fork_server(())
    assert fork_server(()) is first
    first.process.kill()
    first.process.wait()
    second = fork_server(())
    assert second is not first
    with second.zygote(Limits()) as zygote, zygote.worker() as worker:
        assert worker.run("print(1 + 1)")[0]["text"] == "2\n"
    close_fork_servers()
    assert second.process.poll() is not None
