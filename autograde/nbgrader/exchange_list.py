"""nbgrader's `list`: of the exchange's `inbound` only folders that `collect` would take.

nbgrader's own prints names with all that a terminal obeys, and follows links.
"""

from __future__ import annotations

from pathlib import Path

from nbgrader.exchange.default import ExchangeList

from autograde.nbgrader.exchange import CollectAsTheirs, InTheCourseLanguage
from autograde.nbgrader.exchange_inbound import inbound_records


class ListAsTheirs(InTheCourseLanguage, ExchangeList):
    """Lists what students handed in by the rules of `CollectAsTheirs`."""

    def init_dest(self) -> None:
        """Find the folders to list."""
        super().init_dest()
        if self.inbound:
            check_owner = CollectAsTheirs(parent=self).check_owner
            paths = {one.name: one for one in map(Path, self.assignments)}
            records = inbound_records(paths.values(), self.log, check_owner=check_owner)
            self.assignments = [str(paths[record["filename"]]) for record in records]
