"""A step of generate_assignment: an answer cell begins with the broken code to be fixed."""

from __future__ import annotations

import ast
import textwrap
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions, NbGraderPreprocessor

from autograde.kit.cell_role import cell_role
from autograde.nbgrader.release_language import MEND_HERE, in_both


class StartFromBrokenCode(NbGraderPreprocessor):
    """Replaces the stub with the body of the function to be fixed; runs after ClearSolutions."""

    def preprocess(
        self, notebook: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook; ValueError if no cell above defines the function to be fixed."""
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
    try:
        statements = ast.parse(source).body
    except SyntaxError:  # a line of IPython's own, such as %matplotlib
        return {}
    functions = (node for node in statements if isinstance(node, ast.FunctionDef))
    return {node.name: _body(node, source.split("\n")) for node in functions}


def _body(function: ast.FunctionDef, lines: list[str]) -> str:
    if function.lineno == function.end_lineno:
        return "\n".join(map(ast.unparse, function.body))
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        start = first.end_lineno
    else:
        start = first.lineno - 1
        while lines[start - 1].lstrip().startswith(("#", "@")):  # right below the def
            start -= 1
    return textwrap.dedent("\n".join(lines[start : function.end_lineno]))
