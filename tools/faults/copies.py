"""A temporary copy of a tree with an environment of its own, in which nothing leads back.

The environment is linked, not copied, which takes seconds. It needs to be its own because the
confined worker starts with `-I` and so imports the course that is installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from tools.faults.fault import listed

ENVIRONMENT = ".venv"


def copy_tree(tree: Path, target: Path) -> None:
    """Copy the files that git tracks or would add, into a repository without a commit."""
    for name in listed(tree):
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(tree / name, path)
    for command in (["init", "--quiet"], ["add", "--all"]):
        subprocess.run(["git", *command], cwd=target, check=True)
    _link_environment(target)


def python_of(target: Path) -> Path:
    """Return the interpreter of a copy."""
    return target / ENVIRONMENT / "bin" / "python"


def _link_environment(target: Path) -> None:
    prefix, own = Path(sys.prefix), target / ENVIRONMENT
    shutil.copytree(prefix, own, symlinks=True, copy_function=_link)
    for script in (own / "bin").iterdir():
        if script.is_file() and not script.is_symlink():
            _rewrite(script, str(prefix), str(own))
    packages = own / Path(sysconfig.get_path("purelib")).relative_to(prefix)
    for editable in packages.glob("__editable__*posenc_course*"):
        editable.unlink()
    (packages / "course.pth").write_text(f"{target}\n", encoding="utf-8")


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another disk
        shutil.copy2(source, target)


def _rewrite(script: Path, old: str, new: str) -> None:
    content, mode = script.read_bytes(), script.stat().st_mode
    if old.encode() in content:
        script.unlink()  # a link: the original stays as it is
        script.write_bytes(content.replace(old.encode(), new.encode()))
        script.chmod(mode)
