"""The small class in a course whose course.toml has a deadline, extensions and a late penalty."""

from pathlib import Path

from tests.autograde.small_class import KIT, make_course

CONFIG = """
from pathlib import Path

from nbgrader.preprocessors import AssignLatePenalties

from autograde.nbgrader.feedback import FeedbackPage
from autograde.nbgrader.late import KeepTimes
from autograde.teacher.penalties import LatePenalty
from autograde.teacher.settings import read_course

c = get_config()
c.CourseDirectory.release_directory = "notebooks"
c.CourseDirectory.root = str(Path(__file__).parent)
c.ReadsCourse.course = read_course(Path(__file__).parent)
c.AssignLatePenalties.plugin_class = LatePenalty
c.GenerateFeedback.exporter_class = FeedbackPage
c.GenerateFeedback.preprocessors.prepend([KeepTimes, AssignLatePenalties])
"""
# due 15:00 UTC in the gradebook, handed in: ada 12:00 with 4.5 of 5, cai 17:30 with 0.5
CHOICES = f"""
timezone = "Asia/Shanghai"
[late]
per_day = 0.05
[deadlines]
{KIT} = 2026-09-12T23:00:00
[extensions.{KIT}]
ben = 1
cai = 2026-09-14T20:30:00
ivy = 30
"""


def make_late_course(folder: Path) -> Path:
    """Make the course in `folder`, which may not exist yet; return it."""
    make_course(folder)
    (folder / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    choose(folder, CHOICES)
    return folder


def choose(folder: Path, text: str) -> None:
    """Write course.toml."""
    (folder / "course.toml").write_text(text, encoding="utf-8")
