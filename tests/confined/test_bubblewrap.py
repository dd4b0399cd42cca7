"""The zygote inside bubblewrap: it sees no home and no course, and all layers hold within."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from confined import bubblewrap
from confined.bubblewrap import wrapped
from confined.confine import tier
from confined.fork_server_handle import ForkServer
from confined.limits import Limits
from confined.view import COURSE

READ = "import sys; open(sys.argv[1])"


@pytest.fixture
def program():
    """Skip where bubblewrap is not installed or refused."""
    _, why_not = wrapped(["true"], COURSE)
    if why_not:
        pytest.skip(why_not)


@pytest.mark.usefixtures("program")
def test_what_is_not_shown_cannot_be_opened(tmp_path):
    secret = tmp_path / "gradebook.db"
    secret.write_text("points")
    for path, opened in [(secret, False), (Path(bubblewrap.__file__), True)]:
        command, _ = wrapped([sys.executable, "-I", "-c", READ, str(path)], COURSE)
        assert (subprocess.run(command, capture_output=True).returncode == 0) is opened


@pytest.mark.usefixtures("program")
def test_every_layer_holds_within():
    with (
        ForkServer(COURSE) as server,
        server.zygote(Limits()) as zygote,
        zygote.worker() as worker,
    ):
        assert worker.layers["bubblewrap"] == ""
        if not worker.layers["namespaces"]:
            assert tier(worker.layers) == 1
        assert worker.run("import torch\n\ntorch.save(torch.ones(1), 'own.pt')") == []


@pytest.mark.parametrize("program", [None, shutil.which("false")])
def test_a_machine_without_it_starts_the_zygote_all_the_same(monkeypatch, program):
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: program)
    command, why_not = wrapped(["true"], COURSE)
    assert command == ["true"]
    assert why_not
