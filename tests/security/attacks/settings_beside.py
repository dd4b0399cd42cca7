"""Puts the settings beside its notebook that Python, IPython, matplotlib and pytest look for."""

from pathlib import Path

from tests.security.pieces import WORTHLESS

NEEDS = 2
NAMES = (
    "sitecustomize.py", "usercustomize.py", "ipython_config.py", "conftest.py", "matplotlibrc",
    "jupyter_config.py", "course.toml", "pyvenv.cfg", ".ipython/profile_default/startup/own.py",
)  # fmt: skip
ANSWER = f"""{WORTHLESS}
import subprocess, sys

subprocess.run([sys.executable, "-c", "import matplotlib"])
"""


def beside(folder: Path, course: Path) -> None:
    """Put files next to the notebook."""
    for name in NAMES:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"open({str(course / 'gradebook.db')!r}, 'w')\n")
