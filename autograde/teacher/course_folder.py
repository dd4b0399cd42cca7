"""The course folder: nbgrader as it is configured there."""

from __future__ import annotations

import json
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.engine import make_url
from traitlets import Instance
from traitlets.config import Config, Configurable, PyFileConfigLoader

from autograde.kit.catalogue import UnknownName
from autograde.kit.verdict_record import Cell
from autograde.teacher.errors import CONFIG, CannotBegin, require_course
from autograde.teacher.setting_table import CourseError
from autograde.teacher.settings import CourseSettings, read_course
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


class ReadsCourse(Configurable):
    """Gets the choices of course.toml from `c.ReadsCourse.course` in nbgrader_config.py."""

    course = Instance(CourseSettings, args=()).tag(config=True)


def settings_of(config: Config) -> CourseSettings:
    """Return the choices that nbgrader's configuration holds."""
    return ReadsCourse(config=config).course


def choices(folder: Path) -> CourseSettings:
    """Return the choices in `folder`'s course.toml; raise `CannotBegin` if one is wrong."""
    try:
        return read_course(folder)
    except (CourseError, UnknownName) as error:
        raise CannotBegin(error) from error


def reader_language(settings: CourseSettings) -> Language:
    """Return the course's language; if it has both, the one that this reader prefers."""
    return language() if settings.language == "both" else settings.language


def course_api(folder: Path) -> NbGraderAPI:
    """Return nbgrader's API for the course in `folder`; `CannotBegin` if it is not set up."""
    require_course(folder)
    choices(folder)
    config = PyFileConfigLoader(CONFIG, path=str(folder)).load_config()
    config.CourseDirectory.setdefault("root", str(folder.resolve()))  # not where Python was started
    return NbGraderAPI(config=config)


def has_gradebook(folders: CourseDirectory) -> bool:
    """Return whether there is a gradebook; one on a database server is assumed to exist."""
    url = make_url(folders.db_url)
    return url.get_backend_name() != "sqlite" or Path(url.database or "").is_file()


def require_gradebook(folders: CourseDirectory) -> None:
    """Raise `CannotBegin` if there is no gradebook: nbgrader would create an empty one."""
    if not has_gradebook(folders):
        raise CannotBegin(NO_GRADEBOOK.format(path=make_url(folders.db_url).database))


def open_course(folder: Path, assignment: str) -> NbGraderAPI:
    """Return nbgrader's API for the course in `folder`.

    Raises `CannotBegin` if it is not set up, or its gradebook lacks `assignment`.
    """
    api = course_api(folder)
    require_gradebook(api.coursedir)
    with api.gradebook as gradebook:
        try:
            gradebook.find_assignment(assignment)
        except MissingEntry:
            raise no_assignment(api.coursedir, gradebook, assignment) from None
    return api


def no_assignment(folders: CourseDirectory, gradebook: Gradebook, name: str) -> CannotBegin:
    """Return the error for an assignment that the gradebook lacks: not generated, or misspelt."""
    if notebook_of(folders, folders.source_directory, ".", name).is_file():
        return CannotBegin(NO_ASSIGNMENT.format(name=name))
    names = sorted(one.name for one in gradebook.assignments)
    return CannotBegin(UnknownName(ASSIGNMENT, name, names))


def notebook_of(folders: CourseDirectory, step: str, student: str, chapter: str) -> Path:
    """Return the path of a chapter's notebook in a step's folder; student: "." for the course."""
    return Path(folders.format_path(step, student, chapter)) / f"{chapter}.ipynb"


def cells_by_name(path: Path) -> dict[str, Cell] | None:
    """Return a notebook's cells by grade id; None if the file is missing or incomplete."""
    try:
        # read as JSON: nbgrader wrote it, and nbformat's checks take most of a large class's time
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        names = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in cells]
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        return None  # cut off, maybe within a hanzi, or JSON of another kind
    return {name: cell for name, cell in zip(names, cells, strict=True) if name}
