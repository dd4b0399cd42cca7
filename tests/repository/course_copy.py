"""A copy of the repository, in which a test does what CONTRIBUTING.md says."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat

from tests.repository.test_files import ROOT, repository_files


class CourseCopy:
    """A checkout at `root` of what git has or would take; what is run there imports it."""

    def __init__(self, root: Path):
        self.root = root
        for path in repository_files():
            copy = root / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
        self._git("init", "--quiet")
        self._git("add", "--all")

    def read(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text, encoding="utf-8")

    def replace(self, name: str, *pairs: tuple[str, str]) -> None:
        """Replace each old text, which stands there once, by the new one."""
        text = self.read(name)
        for old, new in pairs:
            assert text.count(old) == 1, f"{name}: {text.count(old)} times {old!r}"
            text = text.replace(old, new)
        self.write(name, text)

    def derive(self, name: str, new_name: str, *pairs: tuple[str, str]) -> None:
        """Write a new file like another one, with every old text replaced by the new one."""
        text = self.read(name)
        for old, new in pairs:
            assert old in text, f"{name}: no {old!r}"
            text = text.replace(old, new)
        self.write(new_name, text)

    def changed(self) -> set[str]:
        """Return the files that differ from the repository's; outputs of notebooks aside."""
        listed = self._git("ls-files", "-z", "--modified", "--others", "--exclude-standard")
        return {name for name in listed.split("\0") if name and self._differs(name)}

    def _differs(self, name: str) -> bool:
        ours, theirs = ROOT / name, self.root / name
        if not (ours.is_file() and theirs.is_file()):
            return True
        return ours.suffix != ".ipynb" or _cells(ours) != _cells(theirs)

    def _git(self, *arguments: str) -> str:
        command = ["git", *arguments]
        return subprocess.run(
            command, cwd=self.root, capture_output=True, check=True, encoding="utf-8"
        ).stdout

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Python in the copy, on the CPU, with a data folder of its own."""
        own = {
            "PYTHONPATH": str(self.root),
            "POSENC_DATA_DIR": str(self.root.parent / "data"),
            "POSENC_DEVICE": "cpu",
            "PYTHONUTF8": "1",
        }
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=os.environ | own,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )


def _cells(path: Path) -> list[tuple[object, ...]]:
    cells = nbformat.read(path, as_version=4).cells
    return [(cell.id, cell.cell_type, cell.source, cell.metadata) for cell in cells]
