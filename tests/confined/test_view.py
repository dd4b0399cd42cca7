"""What a confined process sees of the disk, wherever the course lies."""

import json
import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from autograde.grading.fork_servers import fork_server
from confined.limits import Limits
from confined.view import COURSE
from tests.confined import sights
from tools.dist import PACKAGES

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def folder_in_tmp():
    with TemporaryDirectory(dir="/tmp") as folder:
        yield Path(folder)


@pytest.fixture
def worker():
    with fork_server(COURSE).zygote(Limits()) as zygote, zygote.worker() as started:
        yield started


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
def test_a_course_in_tmp_is_confined_like_any_other(worker, folder_in_tmp):
    """With an environment of its own there, as `git clone` into /tmp gives."""
    venv.create(folder_in_tmp / ".venv", symlinks=True)
    base = {"base": str(folder_in_tmp / ".venv")}
    packages = Path(sysconfig.get_path("purelib", vars=base))
    packages.rmdir()
    packages.symlink_to(sysconfig.get_path("purelib"))
    there = subprocess.run(
        [folder_in_tmp / ".venv" / "bin" / "python", sights.__file__],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    both = [sights.seen(worker), json.loads(there.stdout)]
    for _, *errors, at_the_end in both:
        assert errors == [[], [], []]
        assert at_the_end in (["OSError"], ["PermissionError"])
    assert both[0][0] == both[1][0]


def test_every_package_of_ours_is_known():
    """What a wheel or a checkout brings is hidden from answers; tests/tools looks into a wheel."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = settings["tool"]["setuptools"]["packages"]["find"]["include"]
    checkout = {file.parent.name for file in ROOT.glob("*/__init__.py")}
    packages = {*COURSE, "confined"}
    assert packages == set(PACKAGES) == {name.rstrip("*") for name in included}
    assert packages == checkout - {"tools"}  # for us who write the course: never installed


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
def test_of_all_packages_of_ours_a_worker_gets_stand_ins(worker):
    for name in COURSE:
        (output,) = worker.run(f"import {name}.anything\n{name}.anything.at_all")
        assert "posenc_ref" in output["data"]["text/plain"]  # how a stand-in calls itself
