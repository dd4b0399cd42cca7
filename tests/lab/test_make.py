"""The Makefile and .ci/run, with a Python that only notes what it is asked to do."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="Windows has no make")

NOT_OURS = ("MAKE", "MFLAGS", "ARGS", "CI", "POSENC_REQUIRE_BROWSER")  # of the make around us
PYTHON = """#!/bin/sh
case "$1 $2" in
  "-c "*version_info*) exec "{python}" -c "import sys; sys.version_info = {version}; $2" ;;
  "-c "*) exit ;;
esac
echo "$*" >> asked
if [ "$2" = venv ]; then mkdir -p .venv/bin; cp "$0" .venv/bin/python; fi
"""


@pytest.fixture
def course(tmp_path):
    """A copy of the repository's Makefile in a folder with a blank, as if just cloned."""
    folder = tmp_path / "my course 课程"
    (folder / ".ci").mkdir(parents=True)
    for name in ("Makefile", ".ci/run", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "constraints.txt").touch()
    return folder


def make(folder, *arguments, version=(3, 11), command=("make",), **variables):
    """Run make in `folder`; return its exit status, what Python was asked, and what was said."""
    python = folder / "python"
    python.write_text(PYTHON.format(python=sys.executable, version=version), encoding="utf-8")
    python.chmod(0o755)
    variables = {"PYTHON": "./python", **variables}
    clean = {k: v for k, v in os.environ.items() if not k.startswith(NOT_OURS)}
    run = subprocess.run(
        [*command, *arguments], cwd=folder, env=clean | variables, capture_output=True, text=True
    )
    log = folder / "asked"
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return run.returncode, lines, run.stdout + run.stderr


PIP = "-m pip install --no-compile"
MADE = ["-m venv --clear .venv", f"{PIP} -U pip<27"]
INSTALL = [*MADE, f"{PIP} -c constraints.txt -e ."]
TESTS = f"{PIP} -c constraints.txt -e .[test]"
INSTALL_TESTS = [*MADE, TESTS]
RUN_TESTS = [
    "tools/browser.py",
    "-m pytest -n 3 --max-worker-restart=0 --dist loadfile --no-loadscope-reorder",
]


def test_the_first_start_installs_and_the_second_only_starts(course):
    assert make(course, "lab")[:2] == (0, [*INSTALL, "-m tools.study.lab"])
    assert make(course, "lab")[:2] == (0, ["-m tools.study.lab"])


@pytest.mark.parametrize("changed", ["pyproject.toml", "constraints.txt"])
def test_a_changed_dependency_list_installs_again_into_an_environment_that_works(course, changed):
    """Seen: with another Python on the PATH by then, it was half of the one, half of the other."""
    make(course, "lab")
    os.utime(course / changed, (4e9, 4e9))
    assert make(course, "lab")[1][:3] == ["-m pip --version", *INSTALL[1:]]


def test_an_environment_that_was_moved_is_created_again(course):
    make(course, "test")
    moved = course.rename(course.with_name("elsewhere"))
    assert make(moved, "test")[1] == [*INSTALL_TESTS, *RUN_TESTS]
    assert make(moved, "test")[1] == RUN_TESTS


def test_an_install_that_failed_is_tried_again(course):
    make(course, "lab")
    for stamp in (".made", ".lab"):
        (course / ".venv" / stamp).unlink()
    (course / ".venv/bin/python").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    broken = "PYTHON=true"
    assert make(course, "lab", broken)[0] != 0
    assert make(course, "lab")[:2] == (0, [*INSTALL, "-m tools.study.lab"])


def test_arguments_pass_through(course):
    assert (
        make(course, "lab", "ARGS=--teacher --port 9000")[1][-1]
        == "-m tools.study.lab --teacher --port 9000"
    )


def test_an_old_python_is_refused_in_both_languages(course):
    status, calls, printed = make(course, "lab", version=(3, 10))
    assert status != 0
    assert calls == []
    assert "Python 3.11 or newer is needed" in printed
    assert "需要Python 3.11" in printed


def test_tests_install_their_tools_once_and_with_them_the_lab(course):
    assert make(course, "test")[1] == [*INSTALL_TESTS, *RUN_TESTS]
    assert make(course, "test")[1] == RUN_TESTS
    assert make(course, "lab")[1] == ["-m tools.study.lab"]


def test_where_the_lab_is_tests_add_their_tools(course):
    make(course, "lab")
    assert make(course, "test")[1] == [TESTS, *RUN_TESTS]


def test_the_daily_check_runs_its_own_list(course):
    assert make(course, "check")[1] == [*INSTALL_TESTS, "-m pytest -n 2 @tests/check.txt"]


def test_ci_runs_make_test_from_any_folder(course):
    status, calls, _ = make(course, command=("bash", "../my course 课程/.ci/run"))
    assert (status, calls[-len(RUN_TESTS) :]) == (0, RUN_TESTS)


@pytest.mark.parametrize(("ci", "required"), [("true", "1"), ("", "")])
def test_a_browser_is_required_in_ci(course, ci, required):
    make(course, "lab")
    (course / ".venv/.test").touch()
    script = '#!/bin/sh\necho "required=$POSENC_REQUIRE_BROWSER"\n'
    (course / ".venv/bin/python").write_text(script, encoding="utf-8")
    assert f"required={required}\n" in make(course, "test", CI=ci)[2]


def test_clean_leaves_what_a_learner_wrote(course):
    for name in (
        "study/01/01.ipynb",
        "study/01/__pycache__/a.pyc",
        "tools/__pycache__/a.pyc",
        "demo/a",
    ):
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        (course / name).touch()
    assert make(course, "clean")[0] == 0
    assert (course / "study/01/01.ipynb").exists()
    assert (course / "study/01/__pycache__/a.pyc").exists()
    assert not (course / "tools/__pycache__").exists()
    assert not (course / "demo").exists()


PAGES = ["-m tools.reference", "-m tools.gallery", "-m tools.museum"]


def test_a_build_needs_no_tool_of_the_tests_and_a_chapter_alone_no_page(course):
    assert make(course, "build")[:2] == (0, [*INSTALL, "-m tools.build", *PAGES])
    assert make(course, "build", "ARGS=05_rope")[:2] == (0, ["-m tools.build 05_rope"])


def test_a_check_of_the_build_writes_nothing(course):
    make(course, "build")
    checked = [f"{command} --check" for command in ("-m tools.build", *PAGES)]
    assert make(course, "build", "ARGS=--check")[:2] == (0, checked)
