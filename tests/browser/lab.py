"""JupyterLab for browser tests: a server on a folder, and a notebook opened in Chromium.

    with serving(folder) as url:
        notebook = Notebook(page, url, "one.ipynb")
        notebook.run_all()

The server has its own configuration, data and settings, so that nothing of the user's is read or
changed. `--LabApp.expose_app_in_browser` lets the tests give JupyterLab's own commands.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Page

SECONDS = 60  # for one step, generously: a busy machine must not fail a test


@contextmanager
def serving(folder: Path, home: Path) -> Iterator[str]:
    """Serve `folder` in JupyterLab, its own files under `home`; yield the address."""
    port = _free_port()
    own = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "IPYTHONDIR": "ipython",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "POSENC_DATA_DIR": "posenc",
    }
    environment = {**os.environ, **{name: str(home / part) for name, part in own.items()}}
    environment.pop("POSENC_LANGUAGE", None)  # the tests choose the language as a reader does
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        *(f"--port={port}", "--ServerApp.port_retries=0", "--ServerApp.token="),
        *(f"--ServerApp.root_dir={folder}", "--LabApp.expose_app_in_browser=True"),
        "--LabApp.extension_manager=readonly",
    ]
    home.mkdir(parents=True, exist_ok=True)
    with (home / "server.log").open("wb") as log:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        try:
            url = f"http://127.0.0.1:{port}"
            _wait_for(f"{url}/api", server, home / "server.log")
            yield url
        finally:
            server.send_signal(signal.SIGTERM)  # kernels end with it
            server.wait(SECONDS)


class Notebook:
    """A notebook open in JupyterLab, with what went wrong in the page.

    errors: what the page reported as errors. outside: requests that left this machine.
    """

    def __init__(self, page: Page, url: str, name: str) -> None:
        """Open `name` (a path in the served folder) and wait until its kernel is idle."""
        self.page = page
        self.errors: list[str] = []
        self.outside: list[str] = []
        page.set_default_timeout(SECONDS * 1000)
        page.on("console", lambda said: said.type == "error" and self.errors.append(said.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda asked: self._note(asked.url, url))
        page.goto(f"{url}/lab/tree/{name}?reset")
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        self.wait_idle()

    def run_all(self) -> None:
        """Run all cells and wait until they have run and their widgets stand."""
        self.command("notebook:run-all-cells")
        self.wait_idle()

    def wait_idle(self) -> None:
        """Wait until the kernel has nothing left to do."""
        status = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status"
        self.page.wait_for_function(f"{status} === 'idle'")

    def save(self) -> None:
        """Save the notebook."""
        self.command("docmanager:save")

    def command(self, name: str) -> None:
        """Give one of JupyterLab's commands and wait until it is done."""
        self.page.evaluate("name => window.jupyterapp.commands.execute(name).then(() => {})", name)

    def pictures(self) -> list[str]:
        """Return the pictures shown, as data addresses, from top to bottom."""
        images = self.page.locator(".jp-Notebook .jp-OutputArea-output img")
        return [image.get_attribute("src") or "" for image in images.all()]

    def wait_for_new_picture(self, old: str, place: int = 0) -> str:
        """Wait until picture number `place` is no longer `old`; return it."""
        self.page.wait_for_function(
            "([old, place]) => {"
            " const found = document.querySelectorAll('.jp-Notebook .jp-OutputArea-output img');"
            " return found[place] && found[place].src !== old; }",
            arg=[old, place],
        )
        return self.pictures()[place]

    def _note(self, asked: str, own: str) -> None:
        if asked.startswith(("http", "ws")) and own.partition("//")[2] not in asked:
            self.outside.append(asked)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + SECONDS
    while time.monotonic() < until and server.poll() is None:
        try:
            with urlopen(url):
                return
        except URLError:
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8')}")
