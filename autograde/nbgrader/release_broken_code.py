"""nbgrader's generate step: an answer cell begins with the broken code that is to be mended."""

from __future__ import annotations

import ast
import textwrap
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions, NbGraderPreprocessor

from autograde.kit.cell_role import cell_role
from autograde.nbgrader.release_language import MEND_HERE, in_both


class StartFromBrokenCode(NbGraderPreprocessor):
    """Puts the body of the function to be mended in place of the stub; after ClearSolutions."""

    def preprocess(
        self, notebook: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook; ValueError if no cell above defines what is to be mended."""
        stub = ClearSolutions(parent=self.parent).code_stub["python"]
        functions: dict[str, str] = {}
        for cell in notebook.cells:
            role = cell_role(cell)
            if role and role.mends:
                if role.mends not in functions:
                    raise ValueError(f"no cell above {role.exercise} defines {role.mends}")
                broken = f"# {in_both(MEND_HERE)}\n{functions[role.mends]}"
                cell.source = cell.source.replace(
                    textwrap.indent(stub, "    "), textwrap.indent(broken, "    ")
                )
            elif cell.cell_type == "code":
                functions |= bodies(cell.source)
        return notebook, resources


def bodies(source: str) -> dict[str, str]:
    """Return the body of each function of a cell, comments included, docstrings left out."""
    lines = source.split("\n")
    sources = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            first = node.body[ast.get_docstring(node) is not None].lineno
            sources[node.name] = textwrap.dedent("\n".join(lines[first - 1 : node.end_lineno]))
    return sources
