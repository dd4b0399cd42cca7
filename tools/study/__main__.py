"""Make or renew `study/`, the learner's own copy of `notebooks/`, and keep what they wrote.

The first run copies the course. After an update of the course each notebook gets its new text;
every answer, every added cell and every change of the learner stays (tools/study/merge.py says
how), and the file as it was lies beside it in `before-update/`. A notebook that cannot be read is
put there too, and the last readable save takes its place. What the course did not change is not
touched.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.study.folder import renew_study

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit status: 1 if a file could not be renewed."""
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        "python -m tools.study", description=__doc__, formatter_class=style
    )
    parser.add_argument(
        "--course", type=Path, default=ROOT / "notebooks", help="the course to copy from"
    )
    parser.add_argument("--study", type=Path, default=ROOT / "study", help="the learner's own copy")
    folders = parser.parse_args(arguments)
    if not folders.course.is_dir():
        parser.error(f"no such folder: {folders.course}")
    return 0 if renew_study(folders.course, folders.study) else 1


if __name__ == "__main__":
    sys.exit(main())
