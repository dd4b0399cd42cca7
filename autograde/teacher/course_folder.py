"""The folder that a teacher's commands run in: nbgrader as it is set up there."""

from __future__ import annotations

from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.engine import make_url
from traitlets.config import PyFileConfigLoader

from autograde.kit.catalogue import UnknownName
from autograde.teacher.errors import CONFIG, CannotBegin, require_course
from autograde.teacher.setting_table import CourseError
from autograde.teacher.settings import Course, read_course
from bilingual import Language, Text, language

ASSIGNMENT = Text(en="assignment", zh="作业")

NO_GRADEBOOK = Text(
    en="There is no gradebook at {path}: begin with nbgrader generate_assignment ASSIGNMENT.",
    zh="{path}处没有成绩库：请先运行nbgrader generate_assignment ASSIGNMENT。",
)
NO_ASSIGNMENT = Text(
    en="The gradebook has no {name}: run `nbgrader generate_assignment {name}` first.",
    zh="成绩库里没有{name}：请先运行`nbgrader generate_assignment {name}`。",
)


def choices(folder: Path) -> Course:
    """Return what course.toml in `folder` chooses; `CannotBegin` if it says something wrong."""
    try:
        return read_course(folder)
    except (CourseError, UnknownName) as error:
        raise CannotBegin(error) from error


def reader_language(course: Course) -> Language:
    """Return the language that was released; of both, the one that this reader prefers."""
    return language() if course.language == "both" else course.language


def course_api(folder: Path) -> NbGraderAPI:
    """Return nbgrader as it is set up for the course in `folder`; `CannotBegin` if it is not."""
    require_course(folder)
    choices(folder)
    config = PyFileConfigLoader(CONFIG, path=str(folder)).load_config()
    config.CourseDirectory.setdefault("root", str(folder.resolve()))  # not where Python was started
    return NbGraderAPI(config=config)


def has_gradebook(course: CourseDirectory) -> bool:
    """Return whether there is a gradebook; a server's is taken to be there."""
    url = make_url(course.db_url)
    return url.get_backend_name() != "sqlite" or Path(url.database or "").is_file()


def require_gradebook(course: CourseDirectory) -> None:
    """Raise `CannotBegin` where there is no gradebook: nbgrader alone would make an empty one."""
    if not has_gradebook(course):
        raise CannotBegin(NO_GRADEBOOK.format(path=make_url(course.db_url).database))


def open_course(folder: Path, assignment: str) -> NbGraderAPI:
    """Return nbgrader as used in `folder`, once it is sure that its gradebook has `assignment`.

    Raises `CannotBegin`.
    """
    api = course_api(folder)
    require_gradebook(api.coursedir)
    with api.gradebook as gradebook:
        try:
            gradebook.find_assignment(assignment)
        except MissingEntry:
            raise no_assignment(api.coursedir, gradebook, assignment) from None
    return api


def no_assignment(course: CourseDirectory, gradebook: Gradebook, name: str) -> CannotBegin:
    """Return what to say of an assignment that the gradebook lacks: not generated, or misspelt."""
    if notebook_of(course, course.source_directory, ".", name).is_file():
        return CannotBegin(NO_ASSIGNMENT.format(name=name))
    names = sorted(one.name for one in gradebook.assignments)
    return CannotBegin(UnknownName(ASSIGNMENT, name, names))


def notebook_of(course: CourseDirectory, step: str, student: str, chapter: str) -> Path:
    """Return where a chapter's notebook lies in a step's folder; student: "." for the course's."""
    return Path(course.format_path(step, student, chapter)) / f"{chapter}.ipynb"
