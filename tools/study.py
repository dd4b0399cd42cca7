"""Make and renew `study/`, the learner's own copy of `notebooks/`, and keep what they wrote.

The first run copies the course. After an update of the course each notebook gets its new text;
every answer, every added cell and every change of the learner stays (tools/renewal/merge.py says
how), and the file as it was lies beside it in `before-update/`. A notebook that cannot be read is
put there too, and the last readable save takes its place. What the course did not change is not
touched.
"""

from __future__ import annotations

import argparse
import sys
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, the folder of the packages is not on the path

from tools.renewal import StudyFolder  # noqa: E402


def renew_study(course: Path, study: Path) -> bool:
    """Renew `study` from `course`, print what happened to each file; tell whether all went well."""
    whole = True
    for outcome in StudyFolder(course, study, datetime.now()).renew():
        whole &= not outcome.failed
        print(f"{outcome.name.as_posix()}: {outcome.text.label()}", flush=True)
    return whole


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit status: 1 if a file could not be renewed."""
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=style)
    parser.add_argument(
        "--course", type=Path, default=ROOT / "notebooks", help="what the course gives out"
    )
    parser.add_argument("--study", type=Path, default=ROOT / "study", help="the learner's own copy")
    folders = parser.parse_args(arguments)
    if not folders.course.is_dir():
        parser.error(f"no such folder: {folders.course}")
    return 0 if renew_study(folders.course, folders.study) else 1


if __name__ == "__main__":
    sys.exit(main())
