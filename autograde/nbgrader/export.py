"""grades.csv: nbgrader's own columns, safe for a spreadsheet, and each submission's state.

nbgrader's own exporter joins students' names with commas, unquoted: a name can add columns or be a
formula. And a broken file, a blank one and a missing one are all 0.0.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.plugins import ExportPlugin

from autograde.teacher.course_folder import ReadsCourse, reader_language
from autograde.teacher.errors import CannotBegin, not_written
from autograde.teacher.lateness import local
from autograde.teacher.penalties import renew_and_print
from autograde.teacher.spreadsheet import ENCODING, write_csv
from bilingual import Language
from bilingual.files import write_whole

if TYPE_CHECKING:
    from autograde.register.register import Register

COLUMNS = (
    "assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email",
    "raw_score", "late_submission_penalty", "score", "max_score", "state", "note",
    "extended_to", "timezone", "days_late",
)  # fmt: skip


class Spreadsheet(ReadsCourse, ExportPlugin):
    """Writes the grades as CSV."""

    def export(self, gradebook: Gradebook) -> None:
        """Write the grades to `to`, or to grades.csv; first compute late penalties again."""
        # here: it imports torch, and every command reads nbgrader_config.py
        from autograde.register.read_register import read_register

        api = self._api()
        only = {str(one) for one in self.student}
        emails = {one.id: one.email or "" for one in gradebook.students}
        emails = {one: email for one, email in emails.items() if one in only or not only}
        table: list[tuple[object, ...]] = [COLUMNS]
        for name in [one.name for one in gradebook.assignments]:
            if not self.assignment or name in map(str, self.assignment):
                self._renew(api, name)
                table += _rows(read_register(api, name), emails, reader_language(self.course))
        path = Path(self.to or "grades.csv")
        try:
            write_whole(path, write_csv(table).encode(ENCODING))
        except OSError as error:  # such as a file open in Excel
            sys.exit(str(not_written(path, error)))
        self.log.info("Exported grades to %s", path)

    def _api(self) -> NbGraderAPI:
        """Return nbgrader's API with this course's settings; log nothing if it has no exchange."""
        self.log.addFilter(_nothing)
        try:
            return NbGraderAPI(coursedir=self.parent.coursedir, parent=self.parent)
        finally:
            self.log.removeFilter(_nothing)

    def _renew(self, api: NbGraderAPI, chapter: str) -> None:
        try:
            renew_and_print(api, chapter)
        except CannotBegin as error:
            sys.exit(str(error))


def _nothing(_record: logging.LogRecord) -> bool:
    return False


def _rows(
    register: Register, emails: dict[str, str], language: Language
) -> Iterator[tuple[object, ...]]:
    from autograde.register.states import state_of, times
    from autograde.teacher.spreadsheet import in_language

    due = local(register.due, register.zone) if register.due else ""
    for row in register.rows:
        if row.student in emails:
            who = (row.student, row.last_name, row.first_name, emails[row.student])
            points = (row.score, row.penalty, row.total, register.max_score)
            notes = (in_language(text, language) for text in (state_of(row), row.problem))
            time, extended_to, zone = times(row, register.zone)
            late = (extended_to, zone, row.days_late)
            yield (register.assignment, due, time, *who, *points, *notes, *late)
