"""The wheel for a class: what is in it, what is not, and what it switches off."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from jupyter_server.services.config import ConfigManager

from autograde.grading.fork_servers import HIDDEN_FROM_ANSWERS
from autograde.kit.catalogue import exercise_ids
from tools.dist import build

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def names(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_the_wheel_has_every_exercise_and_the_reference(names):
    assert {f"autograde/exercises/{one}.py" for one in exercise_ids()} <= set(names)
    weights, text = "posenc_glass/weights/induction-rope.safetensors", "posenc_glass/course.txt.xz"
    fonts, script = "posenc_viz/fonts/OFL.txt", "bilingual/page/switch.js"
    for file in ("posenc_ref/rope.py", fonts, script, weights, text):
        assert file in names


def test_a_worker_may_import_of_the_wheel_only_what_confines_it(names):
    rooms = {Path(name).parts[0] for name in names if not name.startswith("posenc_course-")}
    assert rooms == {*HIDDEN_FROM_ANSWERS, "confined"}


def test_the_wheel_has_no_solution_and_no_alternative(wheel, names):
    rooms = {Path(name).parts[0] for name in names}
    assert not rooms & {"solutions", "chapters", "tests", "tools", "experiments", "notebooks"}
    assert not [name for name in names if name.endswith(".ipynb")]
    with zipfile.ZipFile(wheel) as archive:
        sources = [archive.read(name) for name in names if name.startswith("autograde/exercises/")]
    assert not [source for source in sources if b"alternatives" in source]


def test_where_it_is_installed_formgrader_is_off_and_the_assignment_list_on(wheel, tmp_path):
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--ignore-installed"]
    subprocess.run([*install, "--prefix", str(tmp_path), str(wheel)], check=True)
    ours, nbgraders = tmp_path / "etc" / "jupyter", Path(sys.prefix) / "etc" / "jupyter"
    own = (nbgraders / "jupyter_server_config.d").glob("nbgrader*.json")
    for file in own:  # one environment holds both
        (ours / "jupyter_server_config.d" / file.name).write_bytes(file.read_bytes())
    settings = ConfigManager(read_config_path=[str(ours)]).get("jupyter_server_config")
    extensions = settings["ServerApp"]["jpserver_extensions"]
    assert extensions["nbgrader.server_extensions.formgrader"] is False
    assert extensions["nbgrader.server_extensions.assignment_list"] is True
    page = ConfigManager(read_config_path=[str(ours / "labconfig")]).get("page_config")
    assert page["disabledExtensions"]["@jupyter/nbgrader:formgrader"] is True
