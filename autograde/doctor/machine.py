"""What this machine has and lacks for the course: one finding each, with what to do about it.

`python -m autograde doctor` prints them. Nothing here raises because of the machine.
"""

from __future__ import annotations

import shlex
import shutil
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
from packaging.utils import canonicalize_name
from traitlets import TraitError

from autograde.doctor.requirements import installed, needed, pins, unmet
from autograde.notebook.environment import line
from autograde.notebook.store import folder
from autograde.teacher.other_users import OPEN, others_can_enter
from bilingual import Text

KERNEL = "python3"  # the name that every notebook of the course asks for
COMMANDS = ("nbgrader", "alembic")  # nbgrader calls alembic by its name

PACKAGES = Text(en="packages", zh="软件包")
VERSIONS = Text(en="tested versions", zh="测试过的版本")
NOTEBOOKS = Text(en="kernel of the notebooks", zh="notebook的内核")
FONT = Text(en="Chinese font of the figures", zh="图中的中文字体")
PROGRESS = Text(en="folder of your progress", zh="学习进度的目录")
COURSE_FOLDER = Text(en="folder of the course", zh="课程目录")
COMMAND = Text(en="command {name}", zh="命令{name}")

NOT_FOUND = Text(en="not found", zh="未找到")
DAMAGED = Text(en="damaged", zh="已损坏")
INSTALL = Text(
    en="the install is older than the course: run `make lab`, or in the course folder "
    "{python} -m pip install -c constraints.txt -e .",
    zh="安装比课程旧：请运行`make lab`，或在课程目录里运行"
    "{python} -m pip install -c constraints.txt -e .",
)
INSTALL_MISSING = Text(
    en="install what the course needs: {python} -m pip install {missing}",
    zh="请安装课程需要的软件包：{python} -m pip install {missing}",
)
UNTESTED = Text(
    en="these may well work; if something fails, install the tested ones: "
    "{python} -m pip install -c constraints.txt -e .",
    zh="多半也能用；如果出错，请安装测试过的版本：{python} -m pip install -c constraints.txt -e .",
)
NO_KERNEL = Text(
    en="no notebook can run: {python} -m pip install ipykernel",
    zh="notebook无法运行：{python} -m pip install ipykernel",
)
DAMAGED_KERNEL = Text(
    en="no notebook can run; write the kernel's kernel.json again: {python} -m ipykernel install "
    "--sys-prefix",
    zh="notebook无法运行；请重新写出内核的kernel.json：{python} -m ipykernel install --sys-prefix",
)
OTHER_KERNEL = Text(
    en="notebooks run in a different Python: {python} -m ipykernel install --sys-prefix, then "
    "restart JupyterLab",
    zh="notebook运行在另一个Python里：{python} -m ipykernel install --sys-prefix，"
    "然后重启JupyterLab",
)
NO_FONT = Text(
    en="labels are in English: posenc_viz/fonts is missing, download the course again",
    zh="图中的标签会用英文：缺少posenc_viz/fonts，请重新下载课程",
)
NOT_WRITABLE = Text(
    en="your points cannot be saved: set POSENC_DATA_DIR to a folder that you may write to",
    zh="得分无法保存：请把环境变量POSENC_DATA_DIR设为你有写权限的目录",
)
ACTIVATE = Text(
    en="activate the environment, or put {folder} on PATH",
    zh="请激活环境，或把{folder}加入PATH",
)


@dataclass(frozen=True)
class Finding:
    """What was checked, its state, and what to do if something is wrong with it."""

    what: Text
    how: str
    remedy: Text | None = None

    def __str__(self) -> str:
        """Return a line, and under it what to do, in the reader's language."""
        finding = f"{'✗' if self.remedy else '✓'} {line(self.what, self.how)}"
        return f"{finding}\n{self.remedy}".replace("\n", "\n  → ") if self.remedy else finding


def findings() -> list[Finding]:
    """Return a finding for each thing that a learner needs, the most basic first."""
    return [packages(), versions(), kernel(), font(), progress_folder()]


def for_teachers() -> list[Finding]:
    """Return a finding for each thing that only a teacher needs."""
    return [*(command(name) for name in COMMANDS), course_folder()]


def packages() -> Finding:
    """Check that the packages that this version of the course requires are installed."""
    required = needed()
    lacking = [one for one in required if unmet(one)]
    how = [f"{len(required) - len(lacking)} / {len(required)}"]
    how += [f"{one} ({_version(one.name)})" for one in lacking]
    remedy = INSTALL if pins() else INSTALL_MISSING  # only a checkout has constraints.txt
    missing = " ".join(_pasted(str(one)) for one in lacking)
    return _finding(PACKAGES, ", ".join(how), remedy if lacking else None, missing=missing)


def versions() -> Finding:
    """Check that the packages have the versions that the course was tested with."""
    pinned = pins()
    pin_of = {one.name: pinned.get(canonicalize_name(one.name)) for one in needed()}
    expected = {name: pin for name, pin in pin_of.items() if pin}
    other = [
        f"{name} {_version(name)} ({pin})"
        for name, pin in expected.items()
        if installed(name) != pin
    ]
    how = f"{len(expected) - len(other)} / {len(expected)}"
    return _finding(VERSIONS, ", ".join([how, *other]), UNTESTED if other else None)


def kernel() -> Finding:
    """Check that a notebook starts in this Python."""
    try:
        starts = KernelSpecManager().get_kernel_spec(KERNEL).argv[0]
    except NoSuchKernel:
        return _finding(NOTEBOOKS, NOT_FOUND.label(), NO_KERNEL)
    except (OSError, ValueError, TypeError, IndexError, TraitError):  # whatever kernel.json holds
        return _finding(NOTEBOOKS, DAMAGED.label(), DAMAGED_KERNEL)
    if starts.startswith("python"):  # by its bare name: Jupyter takes the Python that it runs in
        starts = sys.executable
    same = Path(starts).parent == Path(sys.executable).parent
    return _finding(NOTEBOOKS, starts, None if same else OTHER_KERNEL)


def font() -> Finding:
    """Check that figures can show Chinese."""
    spec = find_spec("posenc_viz")  # located, not imported: the kit knows nothing of pictures
    folders = (spec and spec.submodule_search_locations) or ()
    files = [file.name for each in folders for file in Path(each).glob("fonts/*.otf")]
    return _finding(FONT, ", ".join(files) or NOT_FOUND.label(), None if files else NO_FONT)


def progress_folder() -> Finding:
    """Check that points can be saved."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder()):
            return _finding(PROGRESS, str(folder()))
    except OSError as error:
        return _finding(PROGRESS, f"{folder()} ({error.strerror})", NOT_WRITABLE)


def command(name: str) -> Finding:
    """Check that a command is found by its name."""
    path, what = shutil.which(name), COMMAND.format(name=name)
    return _finding(what, path or NOT_FOUND.label(), None if path else ACTIVATE)


def course_folder() -> Finding:
    """Check that no other user can enter the current folder, which is the course's."""
    here = Path.cwd()
    remedy = OPEN.format(folder=_pasted(str(here))) if others_can_enter(here) else None
    return Finding(COURSE_FOLDER, str(here), remedy)


def _finding(what: Text, how: str, remedy: Text | None = None, missing: str = "") -> Finding:
    places = {"python": _pasted(sys.executable), "folder": sysconfig.get_path("scripts")}
    return Finding(what, how, remedy.format(missing=missing, **places) if remedy else None)


def _pasted(word: str) -> str:
    """Return a word of a command, quoted if a shell would split it or redirect."""
    if sys.platform == "win32":
        return f'"{word}"' if set(word) & set(" &()<>;") else word
    return shlex.quote(word)


def _version(package: str) -> str:
    return installed(package) or NOT_FOUND.label()
