"""Steps of generate_assignment that keep the language to be released."""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Enum

from autograde.kit.cell_role import ANSWER_HERE, CellRole, cell_role
from bilingual import LANGUAGES, Text

SWITCH = "language_switch()"
CODE_HERE = Text(en="YOUR CODE HERE", zh="在这里作答")
MEND_HERE = Text(en="FIX THE CODE BELOW", zh="修改下面的代码")


def in_both(text: Text) -> str:
    """Return a stub in both languages, as ClearSolutions writes it before one is chosen."""
    return text.in_language("both", " · ")


class KeepLanguage(NbGraderPreprocessor):
    """Drops the prose of the other language and fixes the notebook's messages to the one released.

    Set `c.KeepLanguage.language` in nbgrader_config.py; "both" leaves the notebook as it is.
    """

    language = Enum(LANGUAGES, default_value="both", help="zh, en or both").tag(config=True)

    def preprocess(
        self, notebook: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook in the language to release."""
        if self.language != "both":
            only = f'language_switch(only="{self.language}")'
            roles = [cell_role(cell) or CellRole("code") for cell in notebook.cells]
            cells = list(zip(notebook.cells, roles, strict=True))
            for cell, role in cells:
                if role.role == "switch":
                    cell.source = cell.source.replace(SWITCH, only)
            languages = (None, self.language)
            notebook.cells = [cell for cell, role in cells if role.lang in languages]
        return notebook, resources


class KeepStubLanguage(KeepLanguage):
    """Does the same for the stubs in place of solutions; runs after ClearSolutions.

    `c.KeepLanguage.language` applies to it too.
    """

    def preprocess(
        self, notebook: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook with its stubs in the language to release."""
        if self.language != "both":
            for cell in notebook.cells:
                for stub in (CODE_HERE, MEND_HERE, ANSWER_HERE):
                    text = stub.in_language(self.language)
                    cell.source = cell.source.replace(in_both(stub), text)
        return notebook, resources
