"""Fork servers and zygotes for all tests of this folder, which grade the course's own exercises."""

import pytest

from autograde.grading.fork_servers import HIDDEN_FROM_ANSWERS, fork_server
from confined import worker_handle
from confined.fork_server_handle import ForkServer
from confined.limits import Limits

LIMITS = Limits(cell_seconds=5.0)


@pytest.fixture(autouse=True)
def catalogue():
    """Leave the real catalogue in place."""


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Wait until a worker says that it is late, however busy the machine."""
    monkeypatch.setattr(worker_handle, "GRACE", 60.0)


@pytest.fixture(scope="session")
def zygote():
    with fork_server(HIDDEN_FROM_ANSWERS).zygote(LIMITS) as started:
        yield started


@pytest.fixture(scope="session", params=[True, False], ids=["namespaces", "without namespaces"])
def any_server(request):
    """Start one with all layers, and one as where the system refuses namespaces."""
    if request.param:
        yield fork_server(HIDDEN_FROM_ANSWERS)
    else:
        with ForkServer(HIDDEN_FROM_ANSWERS, namespaces=False) as server:
            yield server


@pytest.fixture(scope="session")
def any_zygote(any_server):
    with any_server.zygote(LIMITS) as started:
        yield started
