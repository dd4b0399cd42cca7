"""tools/browser.py: which Chromium is found, where one is installed, when its lack is a failure."""

import subprocess
from pathlib import Path

import pytest

from tools import browser


@pytest.fixture
def bare(monkeypatch):
    """A machine with no browser, of a user who is not root, outside CI."""
    monkeypatch.setattr(browser.shutil, "which", lambda name: None)
    monkeypatch.setattr(browser, "APPLICATIONS", ())
    monkeypatch.setattr(browser.os, "geteuid", lambda: 1000, raising=False)
    monkeypatch.delenv("POSENC_CHROMIUM", raising=False)
    monkeypatch.delenv("POSENC_REQUIRE_BROWSER", raising=False)


def test_the_first_name_on_the_path_is_found(bare, monkeypatch, tmp_path):
    there = tmp_path / "google-chrome"
    there.touch()
    monkeypatch.setattr(browser.shutil, "which", {"google-chrome": str(there)}.get)
    assert browser.chromium() == there


def test_the_users_choice_wins(bare, monkeypatch):
    monkeypatch.setenv("POSENC_CHROMIUM", "my/chrome")
    assert browser.chromium() == Path("my/chrome")


def test_without_one_it_says_how_in_both_languages(bare, capsys):
    assert browser.main() == 0
    printed = capsys.readouterr().out
    assert "browser tests are skipped" in printed
    assert "浏览器测试将被跳过" in printed


def test_in_ci_the_lack_is_a_failure(bare, monkeypatch):
    monkeypatch.setenv("POSENC_REQUIRE_BROWSER", "1")
    assert browser.main() == 1


@pytest.mark.parametrize(
    ("system", "user", "calls"), [("debian", 0, 2), ("ubuntu", 0, 0), ("debian", 1000, 0)]
)
def test_only_root_on_debian_installs(bare, monkeypatch, system, user, calls):
    commands = []
    monkeypatch.setattr(browser.os, "geteuid", lambda: user, raising=False)
    monkeypatch.setattr(browser.platform, "freedesktop_os_release", lambda: {"ID": system})
    monkeypatch.setattr(subprocess, "run", lambda command, **_: commands.append(command))
    browser.main()
    assert commands == [["apt-get", "update"], ["apt-get", "install", "-y", "chromium"]][:calls]
