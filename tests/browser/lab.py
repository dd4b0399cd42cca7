"""JupyterLab for browser tests: a server on a folder, and a notebook opened in Chromium.

    with serving(folder, home) as lab:
        notebook = lab.open(page, "one.ipynb")
        notebook.run_all()

The server has its own data and settings, so that nothing of the user's is read or changed; its
configuration is the course's, as `make lab` has it. `--LabApp.expose_app_in_browser` lets the tests
give JupyterLab's own commands.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from playwright.sync_api import BrowserContext, ConsoleMessage, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tools.study.lab import SETTINGS

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
DOCUMENTS = "@jupyterlab/docmanager-extension/plugin.jupyterlab-settings"
# JupyterLab lets its own save and one that a test asks for meet, on a busy machine: what the first
# has written is a change on disk to the second, which opens a dialog
NO_AUTOSAVE = '{"autosave": false}'
SECONDS = 60  # for one step, generously: a busy machine must not fail a test
IN_SIGHT = ".jp-NotebookPanel:not(.lm-mod-hidden)"  # of the notebooks that are open
PICTURES = """async (images) => Promise.all([...document.querySelectorAll(images)].map(
  async (image) => new Uint8Array(await (await fetch(image.src)).arrayBuffer()).join()))"""

OPEN = "path => jupyterapp.commands.execute('docmanager:open', { path }).then(() => {})"
CLEAR = """async () => {
  for (const one of [...jupyterapp.shell.widgets("main")]) one.dispose(); // closing would ask
  await jupyterapp.serviceManager.sessions.shutdownAll();
  localStorage.clear();
}"""
STATUS = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status"

# a command may wait for an answer to a dialog, which nobody here gives
COMMAND = """([name, limit]) => Promise.race([
  jupyterapp.commands.execute(name).then(() => {}),
  new Promise((_, fail) => setTimeout(() => fail(new Error(
    `${name} is not done: ${document.querySelector(".jp-Dialog")?.textContent}`)), limit)),
])"""


@contextmanager
def serving(
    folder: Path, home: Path, kernels: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Lab]:
    """Serve `folder` in JupyterLab, its own files under `home`.

    kernels: the environment in which kernels start warm (tests/warm_kernels).
    """
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
    environment = {**os.environ, **kernels}
    environment |= {name: str(home / part) for name, part in own.items()}
    environment["JUPYTER_CONFIG_PATH"] = str(SETTINGS)
    environment["POSENC_DEVICE"] = "cpu"  # what notebooks print was computed there
    environment.pop("POSENC_LANGUAGE", None)  # the tests choose the language as a reader does
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        *(f"--port={port}", "--ServerApp.port_retries=0", "--ServerApp.token="),
        *(f"--ServerApp.root_dir={folder}", "--LabApp.expose_app_in_browser=True"),
        "--LabApp.extension_manager=readonly",
    ]
    home.mkdir(parents=True, exist_ok=True)
    settings = home / own["JUPYTERLAB_SETTINGS_DIR"] / DOCUMENTS
    settings.parent.mkdir(parents=True)
    settings.write_text(NO_AUTOSAVE)
    with (home / "server.log").open("wb") as log:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        try:
            url = f"http://127.0.0.1:{port}"
            _wait_for(f"{url}/api", server, home / "server.log")
            yield Lab(folder, url, home / own["POSENC_DATA_DIR"])
        finally:
            server.send_signal(signal.SIGTERM)  # kernels end with it
            try:
                server.wait(SECONDS)
            except subprocess.TimeoutExpired:  # rarely: Jupyter has stopped, a thread has not
                server.kill()
                server.wait()


@dataclass(frozen=True)
class Lab:
    """A running server and a folder in what it serves.

    url: the server's address; data: where the course keeps a reader's choices; place: the path of
    the folder in what is served.
    """

    folder: Path
    url: str
    data: Path
    place: str = ""

    def as_new(self, name: str) -> Lab:
        """Return the server with an empty folder in its folder, and no choices made yet."""
        (self.folder / name).mkdir()
        shutil.rmtree(self.data, ignore_errors=True)
        return Lab(self.folder / name, self.url, self.data, f"{self.place}{name}/")

    def write(self, name: str, cells: list[NotebookNode]) -> None:
        """Write a notebook of these cells into the folder."""
        notebook = new_notebook(cells=cells, metadata={"kernelspec": KERNEL})
        nbformat.write(notebook, self.folder / name)

    def open(self, page: Page, name: str) -> Notebook:
        """Open a notebook of the folder; where JupyterLab stands already, in place of all others.

        That takes a fifth of the time that loading JupyterLab does.
        """
        return Notebook(page, self.url, f"{self.place}{name}")


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
        stands = page.url.startswith(f"{url}/lab")
        if stands:
            page.evaluate(CLEAR)
        else:
            page.goto("about:blank")  # it may stand at a server that has ended, and miss it
        page.on("console", lambda one: one.type == "error" and self.errors.append(_located(one)))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self._note(request.url, url))
        if stands:
            page.evaluate(OPEN, name)
        else:
            page.goto(f"{url}/lab/tree/{name}?reset")
        # there, not visible: it may be of the language that the reader does not read
        page.wait_for_selector(".jp-Notebook .jp-Cell", state="attached")
        self.wait_idle()

    def run_all(self) -> None:
        """Run all cells and wait until they have run; the page may still draw widgets."""
        self.command("notebook:run-all-cells")
        self.wait_idle()

    def wait_idle(self) -> None:
        """Wait until the kernel has nothing left to do."""
        try:
            self.page.wait_for_function(f"{STATUS} === 'idle'")
        except PlaywrightTimeoutError as error:
            instead = self.page.evaluate(
                f"[{STATUS}, document.querySelector('.jp-Dialog')?.textContent]"
            )
            raise TimeoutError(
                f"the kernel is not idle; its status and a dialog: {instead}"
            ) from error

    def show(self, path: str) -> None:
        """Open `path` (in the served folder) in another tab, or go to the tab where it is open."""
        self.page.evaluate(OPEN, path)
        self.wait_idle()

    def save(self) -> None:
        """Save the notebook."""
        self.command("docmanager:save")

    def command(self, name: str) -> None:
        """Give one of JupyterLab's commands and wait until it is done."""
        self.page.evaluate(COMMAND, [name, 10 * SECONDS * 1000])

    def content(self) -> dict[str, Any]:
        """Return the notebook as JupyterLab would save it now."""
        return self.page.evaluate("() => jupyterapp.shell.currentWidget.content.model.toJSON()")

    def choose(self, language: str) -> None:
        """Press this button of the language switch, and wait until the page has followed."""
        self.page.click(f'.posenc-language button:has-text("{language}")')
        self.wait_idle()

    def pictures(self) -> list[str]:
        """Return the pictures of the notebook in sight, as text of their bytes, top to bottom."""
        return self.page.evaluate(PICTURES, f"{IN_SIGHT} .jp-OutputArea-output img")

    def wait_for_new_picture(self, old: str) -> str:
        """Wait until the first picture is no longer `old`; return it."""
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            here = self.pictures()
            if here and here[0] != old:
                return here[0]
            self.page.wait_for_timeout(20)
        raise TimeoutError("the first picture did not change")

    def _note(self, address: str, own: str) -> None:
        if address.startswith(("http", "ws")) and own.partition("//")[2] not in address:
            self.outside.append(address)


def first_page(context: BrowserContext) -> Page:
    """Return the page where JupyterLab may stand already, with all that it has loaded."""
    return context.pages[0] if context.pages else context.new_page()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _located(message: ConsoleMessage) -> str:
    return f"{message.text} ({message.location['url']})"


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + SECONDS
    while time.monotonic() < until and server.poll() is None:
        try:
            with urlopen(url):
                return
        except URLError:
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8')}")
