"""`python -m autograde …`: what it imports, and what it says where it cannot begin."""

import contextlib
import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from traitlets.config import PyFileConfigLoader

from autograde import __main__
from autograde.grading import command
from tests.classroom.one_chapter import in_process, run

ROOT = Path(__file__).resolve().parents[2]
WITHOUT_TORCH = (
    "import autograde.__main__",
    "import autograde.grading.command, autograde.grading.display",
    "import autograde.pages.class_report.command",
    "from pathlib import Path; from autograde.teacher.course_folder import course_api; "
    f"course_api(Path({str(ROOT)!r}))",
)


def test_commands_that_run_no_exercise_do_not_import_torch():
    lines = [f"{one}; assert 'torch' not in sys.modules" for one in WITHOUT_TORCH]
    code = "\n".join(["import sys", *lines])
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


@pytest.fixture
def refusal(tmp_path, monkeypatch, capsys):
    """What a command says that does not begin."""
    monkeypatch.setattr(command, "limit_memory", lambda: None)
    monkeypatch.setattr(command, "_pool", contextlib.nullcontext)

    def words(*command):
        status = in_process(tmp_path, monkeypatch, *command)
        return capsys.readouterr().err if isinstance(status, int) else status

    return words


def test_outside_a_course_the_command_says_where_to_run_it(tmp_path, refusal):
    done = run(tmp_path, "autograde", "grade", "02_sinusoidal")
    assert done.returncode > 0
    assert "Traceback" not in done.stderr
    for words in (done.stderr, refusal("report", "02_sinusoidal")):
        assert "run this in the course folder" in words


def test_grading_without_a_gradebook_makes_none(tmp_path, refusal):
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    assert "There is no gradebook" in refusal("grade", "02_sinusoidal")
    assert not (tmp_path / "gradebook.db").exists()


def test_a_demo_that_may_not_write_asks_for_another_folder(refusal, monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "demo")

    monkeypatch.setattr("autograde.demo.command.make_folder", refuse)
    assert "Permission denied: 'demo'. Choose another --folder" in refusal("demo")


@pytest.mark.parametrize("command", ["grade", "report"])
def test_a_misspelt_choice_is_named_with_the_right_one(tmp_path, refusal, command):
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    (tmp_path / "course.toml").write_text('langage = "zh"\n', encoding="utf-8")
    assert "Did you mean 'language'?" in refusal(command, "02_sinusoidal")


def test_with_a_misspelt_choice_nbgrader_does_not_go_on_without_its_configuration(tmp_path):
    """It would run submissions in its own way: in a kernel of the teacher's, unconfined."""
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    (tmp_path / "course.toml").write_text('langage = "zh"\n', encoding="utf-8")
    done = run(tmp_path, "nbgrader", "autograde", "02_sinusoidal")
    assert done.returncode > 0
    assert "Did you mean 'language'?" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "gradebook.db").exists()


def test_where_the_course_is_not_installed_nbgrader_does_not_go_on_either(tmp_path, monkeypatch):
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['autograde'] = None\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = run(tmp_path, "nbgrader", "autograde", "02_sinusoidal")
    assert done.returncode > 0
    assert "Activate .venv first" in done.stderr
    assert not (tmp_path / "gradebook.db").exists()


@pytest.mark.parametrize("change", [("STEPS, ", "STEPS, GONE, "), (".alembic_path ", ".gone ")])
def test_settings_of_another_version_ask_to_be_copied_again(tmp_path, change):
    settings = (ROOT / "nbgrader_config.py").read_text(encoding="utf-8")
    (tmp_path / "nbgrader_config.py").write_text(settings.replace(*change), encoding="utf-8")
    with pytest.raises(SystemExit, match="Copy it again"):
        PyFileConfigLoader("nbgrader_config.py", path=str(tmp_path)).load_config()


def test_a_misspelt_command_lists_the_right_ones(refusal):
    words = refusal("grde")
    assert all(f"'{command}'" in words for command in __main__.COMMANDS)


@pytest.mark.parametrize("number", ["0", "-1", "two"])
def test_a_number_of_workers_below_one_is_refused(refusal, number):
    assert "number of at least 1" in refusal("grade", "02_sinusoidal", "--workers", number)


def test_windows_is_sent_to_wsl(monkeypatch):
    monkeypatch.delattr(os, "fork")
    monkeypatch.setitem(sys.modules, "multiprocessing.forkserver", None)  # not to be had there
    monkeypatch.setattr(sys, "argv", ["autograde", "grade", "02_sinusoidal"])
    with pytest.raises(SystemExit, match="WSL"):
        __main__.main()
