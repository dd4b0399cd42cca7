"""The course folder as the teacher's nbgrader sees it, and what can be missing there."""

from __future__ import annotations

import difflib
from pathlib import Path

from nbgrader.api import MissingEntry
from nbgrader.apps import NbGraderAPI
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from autograde.teacher.course_folder import CannotBegin, course_api, require_gradebook
from bilingual import Text

UNREADABLE = Text(
    en="The gradebook {path} cannot be read: {error}.",
    zh="成绩库{path}无法读取：{error}。",
)
NO_ASSIGNMENT = Text(
    en="The gradebook has no assignment {name!r}; it has: {known}.",
    zh="成绩库中没有作业{name!r}；已有的作业：{known}。",
)
DID_YOU_MEAN = Text(
    en="The gradebook has no assignment {name!r}; did you mean {near!r}?",
    zh="成绩库中没有作业{name!r}；是不是{near!r}？",
)


class ReportError(CannotBegin):
    """The report cannot be made; the message says why and what to do."""

    def __init__(self, message: Text) -> None:
        """Show the message in the reader's language."""
        super().__init__(str(message))


def open_course(folder: Path, assignment: str) -> NbGraderAPI:
    """Return nbgrader as used in `folder`, once it is sure that its gradebook has `assignment`.

    Raises `CannotBegin`.
    """
    api = course_api(folder)
    require_gradebook(api.coursedir)
    try:
        _find(api, assignment)
    except SQLAlchemyError as error:
        reason = str(error).partition("\n")[0]
        path = make_url(api.coursedir.db_url).render_as_string(hide_password=True)
        raise ReportError(UNREADABLE.format(path=path, error=reason)) from error
    return api


def _find(api: NbGraderAPI, name: str) -> None:
    with api.gradebook as gradebook:
        try:
            gradebook.find_assignment(name)
        except MissingEntry:
            assignments = sorted(one.name for one in gradebook.assignments)
            near = difflib.get_close_matches(name, assignments, n=1)
            if near:
                raise ReportError(DID_YOU_MEAN.format(name=name, near=near[0])) from None
            listed = ", ".join(assignments) or "–"
            raise ReportError(NO_ASSIGNMENT.format(name=name, known=listed)) from None
