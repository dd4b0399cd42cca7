"""Open JupyterLab on the course: renews `study/`, then serves it on this machine alone.

    python -m tools.study.lab              for learners: study/, the table of contents first
    python -m tools.study.lab --teacher    for teachers: the whole repository, with formgrader

Every other argument goes to JupyterLab: `--port 9000`, `--no-browser`, `--ip 0.0.0.0` …
What learners do not need is switched off for this process only, by tools/study/jupyter/learner/.
"""

from __future__ import annotations

import argparse
import os
import sys
import sysconfig
import webbrowser
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bilingual import Text
from bilingual.command import require_language
from bilingual.setting import settings_file
from tools.study.folder import renew_study
from tools.study.start_page import show_progress

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = Path(__file__).parent / "jupyter"
NO_BROWSER = Text(
    en="No browser found: open the address below yourself.",
    zh="没有找到浏览器：请自行打开下面的地址。",
)
ADDRESS = Text(en="JupyterLab is at {address}", zh="JupyterLab的地址：{address}")
NO_NOTEBOOKS = Text(
    en="There are no notebooks in {folder}: run `make build` first.",
    zh="{folder}里没有笔记本：请先运行`make build`。",
)
NO_PROGRESS = Text(
    en="The table of contents could not be given your progress: {reason}",
    zh="无法把你的进度写进目录页：{reason}",
)


@dataclass(frozen=True)
class Door:
    """A folder to serve, the page to open in it, and the settings folders, strongest first.

    data: folders with Jupyter's data of our own: a kernel that knows first aid from its start.
    """

    name: str
    folder: Path
    page: str
    settings: tuple[Path, ...]
    data: tuple[str, ...] = ()


LEARNER = Door(
    *("learner", ROOT / "study", "/lab/tree/index.ipynb"),
    settings=(SETTINGS / "learner", SETTINGS),
    data=(str(SETTINGS / "share"),),
)
TEACHER = Door("teacher", ROOT, "/lab", (SETTINGS,))


def environment(door: Door, inherited: Mapping[str, str]) -> dict[str, str]:
    """Return the variables to add to those inherited: where settings and commands lie.

    nbgrader calls `alembic` by name, so the folder of this environment's commands leads PATH.
    JupyterLab remembers open tabs by name alone, so learner and teacher have a memory each. A
    kernel that the user once registered from another Python, under the same name, must not come
    before ours.
    """
    commands, path = sysconfig.get_path("scripts"), inherited.get("PATH", "")
    settings = [*map(str, door.settings), inherited.get("JUPYTER_CONFIG_PATH", "")]
    return {
        "PATH": os.pathsep.join(filter(None, [commands, path])),
        "JUPYTER_CONFIG_PATH": os.pathsep.join(filter(None, settings)),
        "JUPYTER_PATH": os.pathsep.join(filter(None, [*door.data, inherited.get("JUPYTER_PATH")])),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "JUPYTERLAB_WORKSPACES_DIR": str(settings_file().parent / "workspaces" / door.name),
    }


def arguments(door: Door, *, root: bool, browser: bool, users: list[str]) -> list[str]:
    """Return the command line for JupyterLab; the user's own arguments come last."""
    ours = [f"--ServerApp.root_dir={door.folder}", f"--LabApp.default_url={door.page}"]
    ours += ["--allow-root"] if root else []
    ours += [] if browser or "--no-browser" in users else ["--no-browser"]
    return ours + users


def has_browser() -> bool:
    """Return whether a window can open here; a browser in the terminal would take the terminal."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    return bool(os.environ.get("BROWSER")) or type(browser) is not webbrowser.GenericBrowser


def main() -> None:
    """Renew the study folder and serve it until Ctrl-C."""
    require_language()
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        "python -m tools.study.lab", description=__doc__, formatter_class=style
    )
    parser.add_argument("--teacher", action="store_true", help="serve the whole repository")
    options, users = parser.parse_known_args()
    door = TEACHER if options.teacher else LEARNER
    if door is LEARNER:
        renew_study(ROOT / "notebooks", door.folder)
        if not (door.folder / "index.ipynb").exists():
            sys.exit(str(NO_NOTEBOOKS.format(folder=ROOT / "notebooks")))
        try:
            show_progress(door.folder / "index.ipynb")
        except OSError as reason:  # a full disk: the chapters can still be read
            print(NO_PROGRESS.format(reason=reason), flush=True)
    browser = has_browser()
    if not browser:
        print(NO_BROWSER, flush=True)
    os.environ.update(environment(door, os.environ))
    os.chdir(door.folder)

    root = hasattr(os, "geteuid") and os.geteuid() == 0
    serve(arguments(door, root=root, browser=browser, users=users))


def serve(arguments: list[str]) -> None:
    """Start JupyterLab, and print its address where it does not do so itself."""
    from jupyterlab.labapp import LabApp  # reads the variables above

    if {"-h", "--help", "--help-all", "--version"} & {*arguments}:
        LabApp.launch_instance(arguments)
    server = LabApp.initialize_server(arguments)
    if not server.identity_provider.token_generated:  # the reader's own token, or none
        print(ADDRESS.format(address=server.public_url), flush=True)
    server.start()


if __name__ == "__main__":
    main()
