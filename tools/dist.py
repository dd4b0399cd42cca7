"""Builds the wheel that a class installs: `make dist`, into dist/.

    python tools/dist.py [--to FOLDER]

It holds the reference, the pictures, the trained models, the checks and the grader; solutions and
alternative answers are outside the packages. It switches off nbgrader's formgrader and
create-assignment; the assignment list stays, for learners to fetch and hand in.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = (
    *("autograde", "bilingual", "confined"),
    *("posenc_glass", "posenc_ref", "posenc_viz"),
)
NEEDED = ("pyproject.toml", "README.md", "LICENSE", "LICENSE-TEXT")
# The names sort behind nbgrader's own, so that these settings are read last.
SETTINGS = """
[tool.setuptools.data-files]
"etc/jupyter/jupyter_server_config.d" = ["settings/posenc_learner.json"]
"etc/jupyter/labconfig/page_config.d" = ["settings/page/posenc_learner.json"]
"""


def stage(folder: Path) -> None:
    """Put into `folder` what the wheel is built from: packages, and settings for learners."""
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in NEEDED:
        shutil.copy(ROOT / name, folder)
    with (folder / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(SETTINGS)
    (folder / "settings" / "page").mkdir(parents=True)
    installed = ROOT / "tools" / "study" / "jupyter" / "installed"
    shutil.copy(installed / "server.json", folder / "settings" / "posenc_learner.json")
    shutil.copy(installed / "page.json", folder / "settings" / "page" / "posenc_learner.json")


def build(target: Path) -> Path:
    """Return the wheel, built into `target`."""
    with tempfile.TemporaryDirectory() as folder:
        stage(Path(folder))
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet"]
        command += ["--no-build-isolation"]  # torch needs setuptools too: nothing to download
        subprocess.run([*command, "--wheel-dir", str(target), folder], check=True)
    return max(target.glob("posenc_course-*.whl"), key=lambda wheel: wheel.stat().st_mtime)


def main() -> None:
    """Build the wheel and print its path."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=ROOT / "dist")
    print(build(parser.parse_args().to))


if __name__ == "__main__":
    main()
