"""What the doctor finds on a whole machine, and on one that lacks one thing at a time."""

import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
from packaging.requirements import Requirement

from autograde.doctor import command as doctor
from autograde.doctor import machine, requirements
from autograde.doctor.machine import findings
from confined.failures import GraderError

PYPROJECT = '[project]\nversion = "{version}"\ndependencies = [{dependencies}]\n'


@pytest.fixture(autouse=True)
def activated(monkeypatch):
    """Put this environment's commands on PATH, as `activate` does."""
    monkeypatch.setenv("PATH", sysconfig.get_path("scripts"))


def only(look):
    """Return what is said of one thing, mark and remedy included."""
    return str(look()).split("\n")


def starts(monkeypatch, argv):
    manager = SimpleNamespace(get_kernel_spec=lambda name: SimpleNamespace(argv=argv))
    monkeypatch.setattr(machine, "KernelSpecManager", lambda: manager)


def test_this_machine_lacks_nothing():
    lines = [str(finding) for finding in findings()]
    assert len(lines) == 5
    for line in lines:
        assert line.startswith("✓") or "tested versions" in line
    assert f"✓ kernel of the notebooks: {sys.executable}" in lines


def test_a_missing_kernel_is_reported_with_the_command_that_installs_it(monkeypatch):
    def nothing(name):
        raise NoSuchKernel(name)

    monkeypatch.setattr(
        machine, "KernelSpecManager", lambda: SimpleNamespace(get_kernel_spec=nothing)
    )
    line, remedy = only(machine.kernel)
    assert line == "✗ kernel of the notebooks: not found"
    assert remedy == f"  → no notebook can run: {sys.executable} -m pip install ipykernel"


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"argv": []}', '{"argv": 3}', "\udcff"])
def test_a_damaged_kernel_is_reported_with_the_command_that_writes_it(monkeypatch, tmp_path, text):
    (tmp_path / "python3").mkdir()
    file = tmp_path / "python3" / "kernel.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    manager = KernelSpecManager(kernel_dirs=[str(tmp_path)])
    monkeypatch.setattr(machine, "KernelSpecManager", lambda: manager)
    line, remedy = only(machine.kernel)
    assert line == "✗ kernel of the notebooks: damaged"
    assert "ipykernel install --sys-prefix" in remedy


@pytest.mark.parametrize(
    ("platform", "path", "word"),
    [
        ("linux", "/opt/li wei/bin/python", "'/opt/li wei/bin/python'"),
        ("win32", r"C:\Li Wei\python.exe", r'"C:\Li Wei\python.exe"'),
        ("win32", r"C:\course\python.exe", r"C:\course\python.exe"),
    ],
)
def test_a_python_in_a_folder_with_a_blank_is_quoted(monkeypatch, platform, path, word):
    starts(monkeypatch, ["/opt/other/bin/python3"])
    monkeypatch.setattr(machine, "sys", SimpleNamespace(platform=platform, executable=path))
    assert f": {word} -m ipykernel install" in only(machine.kernel)[1]


def test_a_kernel_of_another_python_is_reported(monkeypatch):
    starts(monkeypatch, ["/opt/other/bin/python3", "-m", "ipykernel_launcher"])
    line, remedy = only(machine.kernel)
    assert line == "✗ kernel of the notebooks: /opt/other/bin/python3"
    assert "ipykernel install --sys-prefix" in remedy


@pytest.mark.parametrize("argv", [["python"], ["python3"], [sys.executable]])
def test_a_kernel_of_this_python_is_right_however_it_is_named(monkeypatch, argv):
    starts(monkeypatch, argv)
    assert only(machine.kernel) == [f"✓ kernel of the notebooks: {sys.executable}"]


def test_a_course_newer_than_its_install_is_reported(monkeypatch, tmp_path):
    text = PYPROJECT.format(version="99.0", dependencies='"torch>=1", "no-such-package>=2"')
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(machine, "needed", lambda: requirements.needed(tmp_path))
    line, remedy = only(machine.packages)
    assert line.startswith("✗ packages: 1 / 3, posenc-course==99.0 (")
    assert "no-such-package>=2 (not found)" in line
    assert "the install is older than the course: run `make lab`" in remedy


def test_without_a_checkout_the_install_says_what_it_needs(tmp_path):
    names = {one.name for one in requirements.needed(tmp_path)}
    assert {"torch", "jupyterlab", "nbgrader"} <= names
    assert "pytest" not in names  # an extra
    assert requirements.pins(tmp_path) == {}


def test_without_a_checkout_what_is_missing_is_named_to_pip(monkeypatch):
    monkeypatch.setattr(machine, "needed", lambda: [Requirement("no-such-package>=2")])
    monkeypatch.setattr(machine, "pins", dict)
    _, remedy = only(machine.packages)
    assert remedy.endswith(f"{sys.executable} -m pip install 'no-such-package>=2'")


def test_requirements_of_another_system_are_skipped(tmp_path):
    elsewhere = "\"pywin32; sys_platform == 'no-such-system'\""
    text = PYPROJECT.format(version="1", dependencies=elsewhere)
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    assert [one.name for one in requirements.needed(tmp_path)] == ["posenc-course"]


def test_untested_versions_are_listed_beside_the_tested_ones(monkeypatch):
    monkeypatch.setattr(machine, "needed", lambda: [Requirement("numpy>=1"), Requirement("rich")])
    here = requirements.installed("rich")
    monkeypatch.setattr(machine, "pins", lambda: {"numpy": "0.1", "rich": here})
    line, remedy = only(machine.versions)
    assert line == f"✗ tested versions: 1 / 2, numpy {requirements.installed('numpy')} (0.1)"
    assert "these may well work" in remedy


def test_a_local_version_tag_makes_no_other_version(monkeypatch):
    monkeypatch.setattr(requirements, "version", lambda package: "2.13.0+cpu")
    assert requirements.installed("torch") == "2.13.0"


def test_a_missing_font_is_reported(monkeypatch, tmp_path):
    spec = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(machine, "find_spec", lambda name: spec)
    line, remedy = only(machine.font)
    assert line == "✗ Chinese font of the figures: not found"
    assert "labels are in English" in remedy


def test_a_folder_that_cannot_be_written_is_reported(data):
    data.write_text("a file where the folder should be")
    line, remedy = only(machine.progress_folder)
    assert line.startswith(f"✗ folder of your progress: {data} (")
    assert "POSENC_DATA_DIR" in remedy


def test_commands_that_are_not_on_the_path_are_reported(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    line, remedy = only(lambda: machine.command("alembic"))
    assert line == "✗ command alembic: not found"
    assert sysconfig.get_path("scripts") in remedy


@pytest.mark.skipif(sys.platform == "win32", reason="its modes say nothing of other users")
def test_a_course_folder_that_every_user_can_enter_is_reported(monkeypatch):
    """Seen: made as documented, with the usual umask, and a student read the gradebook."""
    with TemporaryDirectory(dir="/tmp") as place:
        course = Path(place, "a class").resolve()
        course.mkdir()
        monkeypatch.chdir(course)
        lines = {}
        for outer, inner in ((0o755, 0o755), (0o700, 0o755), (0o755, 0o700)):
            course.parent.chmod(outer)
            course.chmod(inner)
            lines[outer, inner] = only(machine.course_folder)
        monkeypatch.undo()
    line, remedy = lines.pop((0o755, 0o755))
    assert line == f"✗ folder of the course: {course}"
    assert remedy.endswith(f"chmod 700 '{course}'")
    assert [*lines.values()] == [[f"✓ folder of the course: {course}"]] * 2


def test_the_doctor_prints_every_finding_in_the_readers_language(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "findings", lambda: [machine.font()])

    def no_server(*arguments):
        raise OSError("no processes here")

    monkeypatch.setattr(doctor, "ForkServer", no_server)
    monkeypatch.setenv("POSENC_LANGUAGE", "zh")
    assert doctor.doctor(teacher=True) is False
    out = capsys.readouterr().out
    places = [
        out.index(text) for text in ("计算设备", "✓ 图中的中文字体：", "no processes", "请附上以上")
    ]
    assert places == sorted(places)


def test_why_grading_does_not_work_is_told_once_in_each_language(monkeypatch, capsys):
    """Seen: the English line held the Chinese reason too, and the Chinese line the English one."""
    monkeypatch.setattr(doctor, "findings", list)

    def no_server(*arguments):
        raise GraderError("没有进程 · there are no processes")

    monkeypatch.setattr(doctor, "ForkServer", no_server)
    monkeypatch.setenv("POSENC_LANGUAGE", "both")
    assert doctor.doctor(teacher=True) is False
    lines = capsys.readouterr().out.splitlines()
    assert "本机无法评分：没有进程" in lines
    assert "Grading does not work here: there are no processes" in lines


def test_a_learner_is_told_nothing_of_grading(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "findings", lambda: [machine.font()])
    monkeypatch.setattr(doctor, "ForkServer", None)  # would fail if it were called
    assert doctor.doctor() is True
    out = capsys.readouterr().out
    assert "command" not in out
    assert "doctor --teacher" in out
    lacking = machine.Finding(machine.FONT, "", machine.NO_FONT)
    monkeypatch.setattr(doctor, "findings", lambda: [lacking])
    assert doctor.doctor() is False
