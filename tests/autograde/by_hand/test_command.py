"""The command: where it listens, what it tells whom, and how it ends."""

import os
import re
import signal
import socket
import stat
import subprocess
import sys
import webbrowser
from functools import partial
from pathlib import Path
from queue import Queue

import psutil
import pytest

from autograde import __main__
from autograde.by_hand.command import open_browser
from tests.autograde.by_hand.desk import make_class
from tests.autograde.small_class import KIT, gradebook, make_course

ROOT = Path(__file__).parents[3]
BROWSER = """import sys
from urllib.request import urlopen

print(sys.argv[1])
address = urlopen(sys.argv[1]).read().decode().partition("url=")[2].partition('"')[0]
try:
    print("Order is lost." in urlopen(address, timeout=60).read().decode())
except OSError as error:
    print(error)
"""


def run(folder, *options):
    """Start the command in a course folder, as from a terminal: tests may run in the background."""
    command = [sys.executable, "-m", "autograde", "by-hand", KIT, *options]
    there = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    hears = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    return subprocess.Popen(command, cwd=folder, env=there, preexec_fn=hears, **pipes)


def test_the_token_is_in_no_command_line_and_no_file_of_others(tmp_path, monkeypatch):
    opened = Queue()
    monkeypatch.setattr(webbrowser, "open", opened.put)
    folder = tmp_path / "own"
    folder.mkdir()
    open_browser("http://127.0.0.1:1/secret/", folder)
    (file,) = folder.iterdir()
    address = opened.get(timeout=60)
    assert address == file.as_uri()
    assert "secret" not in address
    assert "http://127.0.0.1:1/secret/" in file.read_text(encoding="utf-8")
    assert os.name == "nt" or stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_browser_that_reads_the_home_alone_has_the_page_of_this_machine(tmp_path, monkeypatch):
    """The command waits for it, listens on this machine alone, and ends without a word."""
    script, home = tmp_path / "browser.py", tmp_path / "home"
    script.write_text(BROWSER, encoding="utf-8")
    home.mkdir()
    monkeypatch.setenv("BROWSER", f"{sys.executable} -u {script} %s")
    monkeypatch.setenv("HOME", str(home))
    folder = make_class(tmp_path / "course", {"ada": "Order is lost."})
    with run(folder) as server:
        _, address, _, opened, has_page = (server.stdout.readline().strip() for _ in range(5))
        sockets = psutil.Process(server.pid).net_connections("inet")
        server.send_signal(signal.SIGINT)
        _, errors = server.communicate(timeout=60)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{43}/", address)
    listening = {one.laddr.ip for one in sockets if one.status == psutil.CONN_LISTEN}
    assert listening == {"127.0.0.1"}
    assert opened.startswith(f"{home.as_uri()}/posenc-by-hand-")
    assert has_page == "True"
    assert (server.returncode, errors) == (0, "")
    assert list(home.glob("posenc*")) == []


def test_a_chapter_that_is_not_there_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(make_class(tmp_path / "course", {}))
    monkeypatch.setattr(sys, "argv", ["autograde", "by-hand", "77_kat"])
    with pytest.raises(SystemExit, match=f"Did you mean '{KIT}'"):
        __main__.main()


def test_a_chapter_without_a_written_question_needs_no_page(tmp_path, monkeypatch, capsys):
    folder = make_course(tmp_path / "course", graded_too=False)
    with gradebook(folder) as book:
        book.db.delete(book.find_solution_cell("a_why", KIT, KIT))
        book.db.commit()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["autograde", "by-hand", KIT])
    __main__.main()
    assert "has no written question" in capsys.readouterr().out


def test_before_anything_is_graded_it_says_what_to_run(tmp_path, monkeypatch):
    monkeypatch.chdir(make_course(tmp_path / "course", graded_too=False))
    monkeypatch.setattr(sys, "argv", ["autograde", "by-hand", KIT])
    with pytest.raises(SystemExit, match=f"run python -m autograde grade {KIT}"):
        __main__.main()


def test_a_port_that_is_taken_is_told(tmp_path):
    """In a process of its own: Playwright may run an event loop in this one."""
    folder = make_class(tmp_path / "course", {})
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        with run(folder, "--no-browser", "--port", port) as ended:
            _, errors = ended.communicate(timeout=120)
    assert (ended.returncode, errors.startswith(f"Port {port} cannot be used: ")) == (1, True)
