"""What a bug report starts with: whole, short, in the reader's language, whatever is broken."""

import sys
from importlib import import_module
from importlib.metadata import version

import pytest
import torch

from autograde import environment


def printed(capsys, **options):
    environment(**options)
    return capsys.readouterr().out


def test_the_report_lists_the_versions_the_course_depends_on(capsys):
    out = printed(capsys)
    for package in ("torch", "numpy", "matplotlib", "jupyterlab", "ipywidgets", "nbgrader"):
        assert f"\n{package}: {version(package)}\n" in out
    assert f"course: posenc-course {version('posenc-course')}\n" in out
    assert f"CPU threads: {torch.get_num_threads()}\n" in out
    assert "Paste these lines" in out


def test_a_missing_package_is_reported_as_not_installed(monkeypatch, capsys):
    # by import_module: the name `autograde.notebook.environment` is the function
    room = import_module("autograde.notebook.environment")
    monkeypatch.setattr(room, "PACKAGES", ("no-such-package",))
    assert "no-such-package: not installed" in printed(capsys)


def test_the_device_is_the_one_of_the_course(monkeypatch, capsys):
    monkeypatch.setenv("POSENC_DEVICE", "cpu")
    assert "\ndevice: cpu\n" in printed(capsys)


def test_an_impossible_device_is_reported_not_raised(monkeypatch, capsys):
    monkeypatch.setenv("POSENC_DEVICE", "abacus")
    out = printed(capsys)
    assert "POSENC_DEVICE='abacus' is not available" in out
    assert "CPU threads" in out


@pytest.mark.parametrize(
    "error", [ImportError("No module named 'torch'"), OSError("libtorch_cpu.so: cannot open")]
)
def test_a_torch_that_cannot_be_loaded_is_reported_not_raised(monkeypatch, capsys, error):
    class Refuses:
        def find_spec(self, name, path=None, target=None):
            if name == "torch":
                raise error

    monkeypatch.delitem(sys.modules, "torch")
    monkeypatch.setattr(sys, "meta_path", [Refuses(), *sys.meta_path])
    out = printed(capsys)
    assert f"\ndevice: {error}\n" in out
    assert "Paste these lines" in out


@pytest.mark.parametrize(
    ("font", "line"),
    [(True, "Chinese in figures: yes\n"), (False, "Chinese in figures: no font"), (None, None)],
)
def test_the_font_is_reported_when_the_caller_knows_it(font, line, capsys):
    out = printed(capsys, chinese_in_figures=font)
    assert line in out if line else "Chinese in figures" not in out


def test_the_report_exists_in_chinese(monkeypatch, capsys):
    monkeypatch.setenv("POSENC_LANGUAGE", "zh")
    out = printed(capsys)
    assert "计算设备：" in out
    assert "请附上以上各行" in out
    assert "Paste" not in out
