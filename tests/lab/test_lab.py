"""tools/study/lab.py: what it tells JupyterLab, and what a learner then sees."""

import errno
import json
import os
import re
import shutil
import subprocess
import sys
import time
import webbrowser
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

import psutil
import pytest
from nbformat.v4 import new_output
from playwright.sync_api import expect

from tests.study.course import cell, lesson, notebook, prose, save
from tools.study import lab

ROOT = Path(lab.__file__).parents[2]
KERNEL_SEEN = """
from jupyter_client.kernelspec import KernelSpecManager
print(KernelSpecManager().get_kernel_spec("python3").argv[0])
"""
SCRIPT = "<p id='drawn'>plain</p><script>drawn.textContent = 'script ran'</script>"


def test_a_full_disk_does_not_keep_a_learner_from_reading(tmp_path, monkeypatch, capsys):
    def refuse(index):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(index))

    (tmp_path / "index.ipynb").touch()
    served = []
    learner = replace(lab.LEARNER, folder=tmp_path)
    for name, stand_in in {
        "LEARNER": learner,
        "renew_study": lambda course, study: False,
        "show_progress": refuse,
        "environment": lambda door, inherited: {},
        "serve": served.append,
    }.items():
        monkeypatch.setattr(lab, name, stand_in)
    monkeypatch.setattr(sys, "argv", ["lab", "--no-browser"])
    monkeypatch.chdir(tmp_path)
    lab.main()
    assert f"--ServerApp.root_dir={tmp_path}" in served[0]
    assert "could not be given your progress" in capsys.readouterr().out


def test_a_language_that_there_is_not_is_named_before_anything_is_written(monkeypatch):
    monkeypatch.setenv("POSENC_LANGUAGE", "cn")
    monkeypatch.setattr(sys, "argv", ["lab", "--no-browser"])
    monkeypatch.setattr(lab, "renew_study", lambda course, study: pytest.fail("it was begun"))
    with pytest.raises(SystemExit, match="POSENC_LANGUAGE is 'cn'"):
        lab.main()


def test_the_users_arguments_come_last_and_root_is_allowed_only_to_root():
    arguments = lab.arguments(lab.LEARNER, root=False, browser=True, users=["--port", "9000"])
    assert arguments[-2:] == ["--port", "9000"]
    assert "--allow-root" not in arguments
    assert "--no-browser" not in arguments
    assert "--allow-root" in lab.arguments(lab.LEARNER, root=True, browser=True, users=[])
    assert "--no-browser" in lab.arguments(lab.LEARNER, root=False, browser=False, users=[])


def test_learners_get_the_study_folder_and_teachers_the_repository():
    assert lab.LEARNER.folder == ROOT / "study"
    assert lab.TEACHER.folder == ROOT


def test_the_environments_commands_lead_the_path():
    variables = lab.environment(lab.TEACHER, {"PATH": "before", "JUPYTER_CONFIG_PATH": "theirs"})
    commands, *rest = variables["PATH"].split(os.pathsep)
    assert shutil.which("alembic", path=commands)
    assert rest == ["before"]
    assert variables["JUPYTER_CONFIG_PATH"].split(os.pathsep)[-1] == "theirs"


def test_a_kernel_registered_from_another_python_does_not_come_first(tmp_path):
    spec = tmp_path / "kernels/python3/kernel.json"
    spec.parent.mkdir(parents=True)
    words = {"argv": ["/opt/other/python"], "display_name": "Other", "language": "python"}
    spec.write_text(json.dumps(words), encoding="utf-8")
    command = [sys.executable, "-c", KERNEL_SEEN]
    theirs = os.environ | {"JUPYTER_DATA_DIR": str(tmp_path), "JUPYTER_PREFER_ENV_PATH": "0"}
    ours = theirs | lab.environment(lab.LEARNER, theirs)
    run = partial(subprocess.check_output, command, text=True)
    kernels = [run(env=env).strip() for env in (theirs, ours)]
    assert kernels == ["/opt/other/python", "python"]


def test_a_learners_kernel_knows_first_aid_from_its_start():
    variables = lab.environment(lab.LEARNER, {"JUPYTER_PATH": "theirs"})
    share, theirs = variables["JUPYTER_PATH"].split(os.pathsep)
    assert theirs == "theirs"
    spec = json.loads((Path(share) / "kernels/python3/kernel.json").read_text(encoding="utf-8"))
    (extension,) = [one for one in spec["argv"] if one.startswith("--ext=")]
    assert callable(import_module(extension.partition("=")[2]).load_ipython_extension)


@pytest.mark.parametrize("own_token", [True, False])
def test_the_address_is_printed_where_jupyter_does_not(monkeypatch, capsys, own_token):
    calls = []
    server = SimpleNamespace(
        identity_provider=SimpleNamespace(token_generated=not own_token),
        public_url="http://127.0.0.1:8888/lab",
        start=lambda: calls.append("start"),
    )
    monkeypatch.setattr("jupyterlab.labapp.LabApp.initialize_server", lambda arguments: server)
    lab.serve(["--no-browser"])
    assert calls == ["start"]
    assert ("http://127.0.0.1:8888/lab" in capsys.readouterr().out) == own_token


@pytest.mark.parametrize(
    ("browser", "window"),
    [
        (webbrowser.BackgroundBrowser("firefox"), True),
        (webbrowser.GenericBrowser("w3m"), False),
        (None, False),
    ],
)
def test_only_a_browser_with_a_window_is_opened(monkeypatch, browser, window):
    def get():
        if browser is None:
            raise webbrowser.Error
        return browser

    monkeypatch.delenv("BROWSER", raising=False)
    monkeypatch.setattr(webbrowser, "get", get)
    assert lab.has_browser() is window


def wait_until_served(url):
    """JupyterLab prints its address a moment before it listens there."""
    for _ in range(100):
        try:
            return urlopen(url).close()
        except URLError:
            time.sleep(0.1)
    return pytest.fail(f"nothing answers at {url}")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """JupyterLab for a learner, from a folder with a blank in its name; yields process and URL."""
    home = tmp_path_factory.mktemp("a learner 学习")
    shutil.copytree(ROOT / "tools", home / "course/tools")
    chapter = lesson()
    cell(chapter, "figure").outputs = [new_output("display_data", data={"text/html": SCRIPT})]
    save(
        home / "course/notebooks/index.ipynb",
        notebook(prose("title", "[Rotation](02_rotate/02_rotate.ipynb)")),
    )
    save(home / "course/notebooks/02_rotate/02_rotate.ipynb", chapter)
    folders = {f"JUPYTER_{kind}_DIR": str(home / kind) for kind in ("CONFIG", "DATA", "RUNTIME")}
    process = subprocess.Popen(
        [sys.executable, "-m", "tools.study.lab", "--no-browser"],
        cwd=home / "course",
        env=os.environ | folders | {"POSENC_DATA_DIR": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    lines = []
    try:
        for line in process.stdout:
            lines.append(line)
            if "http://" in line:
                break
        else:
            pytest.fail("".join(lines))
        wait_until_served(line.strip())
        yield process, line.strip()
    finally:
        process.terminate()
        try:
            process.communicate(timeout=60)
        except subprocess.TimeoutExpired:  # rarely: Jupyter has stopped, a thread of it has not
            process.kill()
            process.communicate()


def test_it_is_served_on_this_machine_alone(server):
    process, _ = server
    connections = psutil.Process(process.pid).net_connections()
    assert {c.laddr.ip for c in connections if c.status == psutil.CONN_LISTEN} == {"127.0.0.1"}


def test_the_page_is_the_contents_behind_a_token(server):
    url = urlsplit(server[1])
    assert url.path == "/lab/tree/index.ipynb"
    assert re.fullmatch(r"token=[0-9a-f]{48}", url.query)
    with urlopen(server[1]) as page:
        assert page.status == 200


def test_the_teachers_tools_are_off_and_validate_is_on(server):
    with urlopen(server[1]) as page:
        (config,) = re.findall(
            r'id="jupyter-config-data"[^>]*>(.*?)</script>', page.read().decode(), re.S
        )
    off = set(json.loads(config)["disabledExtensions"])
    tools = ("formgrader", "create-assignment", "course-list", "assignment-list")
    assert {f"@jupyter/nbgrader:{tool}" for tool in tools} <= off
    assert "@jupyter/nbgrader:validate-assignment" not in off


@pytest.mark.browser
def test_a_learner_sees_the_contents_and_validate_and_nothing_in_the_way(server, page):
    addresses = []
    page.on("request", lambda request: addresses.append(urlsplit(request.url)))
    page.goto(server[1])
    page.get_by_role("link", name="Rotation").click(timeout=60_000)
    expect(page.get_by_text("script ran")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("button", name="Validate")).to_be_visible()
    page.wait_for_timeout(1000)  # JupyterLab would have asked about its news by now
    assert page.locator(".Toastify__toast, .jp-Dialog").count() == 0
    assert page.get_by_text("Nbgrader").count() == 0
    assert {url.hostname for url in addresses if url.scheme.startswith("http")} == {"127.0.0.1"}
