"""What the repository holds: nothing of one machine, no registry, and ruff is content."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _names(*parts: str) -> str:
    # put together here, so that this file does not hold what it looks for
    return "|".join(re.escape(part.replace("+", "")) for part in parts)


FOLDERS = _names("/t+mp/", "/wo+rk/", "/ro+ot/", "/ho+me/", "/Us+ers/", "C:\\Us+ers")
HOSTS = _names(
    *("py+pi.org", "python+hosted.org", "download.py+torch.org", "ana+conda.org", "ana+conda.com"),
    *("tsing+hua.edu", "ali+yun.com", "us+tc.edu", "arti+factory", "npm+js.org", "npm+js.com"),
)
FOREIGN = re.compile(rf"(?<![\w.~)}}])(?:{FOLDERS})|{HOSTS}")


def repository_files() -> list[Path]:
    """Return what git has and what it would take; the rest is nobody's but the user's."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    paths = [ROOT / name for name in listed.decode("utf-8").split("\0") if name]
    return [path for path in paths if path.is_file()]


def text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""  # a picture or a font


def test_no_file_names_a_machine_or_a_registry():
    names = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in repository_files()
        for match in FOREIGN.finditer(text_of(path))
    ]
    assert names == []


def test_a_foreign_name_would_be_found():
    assert FOREIGN.search("see " + "/".join(["", "tmp", "x"]))
    assert FOREIGN.search("https://" + "py" + "pi.org/simple")
    assert not FOREIGN.search("build/work/x")


@pytest.mark.parametrize("command", ["check", "format --check"])
def test_ruff_passes(command):
    arguments = [sys.executable, "-m", "ruff", *command.split(), "."]
    run = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
