"""The demo's course folder: the settings and one chapter of this course, and nothing shared."""

from __future__ import annotations

import shutil
from pathlib import Path

from autograde.teacher.errors import CONFIG, CannotBegin
from bilingual import Text

MARK = "# The demo class of `python -m autograde demo`; it is made new by every run."
SETTINGS = """
{mark}

from pathlib import Path  # noqa: E402

here = Path(__file__).resolve().parent

# Nothing leaves this folder: students fetch from, and hand in to, an exchange of its own.
c.CourseDirectory.root = str(here)
c.Exchange.root = str(here / "exchange")
c.Exchange.cache = str(here / "cache")
c.ExchangeCollect.check_owner = False  # one user plays all students
c.SubmittedNotebook.limits = {{"cell_seconds": 5.0}}  # somebody watches while an endless cell runs
c.SubmittedNotebook.lowest_tier = 3  # no stranger hands anything in here
"""

NO_COURSE = Text(
    en="{course} has no {missing}: run this in the course folder (`make build` makes notebooks).",
    zh="{course}中没有{missing}：请在课程目录中运行（`make build`会生成notebook）。",
)
NOT_OURS = Text(
    en="{folder} was not made by the demo and is left as it is: choose another --folder.",
    zh="{folder}不是演示生成的，未作任何改动：请换一个--folder。",
)


def make_folder(folder: Path, root: Path, chapter: str) -> None:
    """Make `folder` a course of one chapter with the settings of the one at `root`.

    A folder that an earlier demo made is replaced; any other that is not empty is refused.
    Raises `CannotBegin`.
    """
    source = root / "solutions" / chapter
    for needed in (root / CONFIG, source / f"{chapter}.ipynb"):
        if not needed.is_file():
            missing = needed.relative_to(root)
            raise CannotBegin(NO_COURSE.format(course=root, missing=missing))
    clear(folder)
    shutil.copytree(source, folder / "solutions" / chapter)
    (folder / "exchange").mkdir()
    settings = (root / CONFIG).read_text(encoding="utf-8")
    config = settings + SETTINGS.format(mark=MARK)
    (folder / CONFIG).write_text(config, encoding="utf-8")


def clear(folder: Path) -> None:
    """Remove what an earlier demo left; raise `CannotBegin` if it is something else."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    config = folder / CONFIG
    if not config.is_file() or MARK not in config.read_text(encoding="utf-8"):
        raise CannotBegin(NOT_OURS.format(folder=folder))
    shutil.rmtree(folder)
