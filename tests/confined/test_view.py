"""What a confined process sees of the disk, wherever the course lies."""

import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from confined.fork_server_handle import ForkServer
from confined.limits import Limits
from confined.view import COURSE
from tools.dist import PACKAGES

ROOT = Path(__file__).resolve().parents[2]
WORKER = """
from confined.confine import tier
from confined.fork_server_handle import ForkServer
from confined.limits import Limits
import sys

if __name__ == "__main__":
    with (
        ForkServer(("posenc_ref", "autograde")) as server,
        server.zygote(Limits()) as zygote,
        zygote.worker() as worker,
    ):
        print(tier(worker.layers))
        for source in ("import fileinput", "open('own.txt', 'w').write('x')",
                       f"import os; os.listdir({sys.prefix!r})",
                       f"open({sys.prefix!r} + '/own.txt', 'w')"):
            print([one["ename"] for one in worker.run(source) if "ename" in one])
"""


@pytest.fixture
def folder_in_tmp():
    with TemporaryDirectory(dir="/tmp") as folder:
        yield Path(folder)


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
def test_a_course_in_tmp_is_confined_like_any_other(folder_in_tmp):
    tiers = []
    for folder in (ROOT, folder_in_tmp):
        python = sys.executable
        if folder == folder_in_tmp:  # an environment of its own, as `git clone` into /tmp gives
            venv.create(folder / ".venv", symlinks=True)
            packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder / ".venv")}))
            packages.rmdir()
            packages.symlink_to(sysconfig.get_path("purelib"))
            python = str(folder / ".venv" / "bin" / "python")
        (folder_in_tmp / "worker.py").write_text(WORKER, encoding="utf-8")
        result = subprocess.run(
            [python, str(folder_in_tmp / "worker.py")], env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True, text=True, check=True,
        ).stdout.split("\n")  # fmt: skip
        tiers.append(result[0])
        assert result[1:4] == ["[]"] * 3
        assert "OSError" in result[4] or "PermissionError" in result[4]
    assert tiers[0] == tiers[1]


def test_every_package_of_ours_is_known():
    """What a wheel or a checkout brings is hidden from answers; tests/tools looks into a wheel."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = settings["tool"]["setuptools"]["packages"]["find"]["include"]
    checkout = {file.parent.name for file in ROOT.glob("*/__init__.py")}
    packages = {*COURSE, "confined"}
    assert packages == set(PACKAGES) == {name.rstrip("*") for name in included}
    assert packages == checkout - {"tools"}  # for us who write the course: never installed


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
def test_of_all_packages_of_ours_a_worker_gets_stand_ins():
    with (
        ForkServer(COURSE) as server,
        server.zygote(Limits()) as zygote,
        zygote.worker() as worker,
    ):
        for name in COURSE:
            (output,) = worker.run(f"import {name}.anything\n{name}.anything.at_all")
            assert "posenc_ref" in output["data"]["text/plain"]  # how a stand-in calls itself
