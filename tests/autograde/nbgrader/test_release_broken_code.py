"""What of a function above goes into the answer cell that begins with it."""

import textwrap

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograde.kit.cell_role import CellRole
from autograde.nbgrader.release_broken_code import StartFromBrokenCode, bodies

BODIES = {
    '"""What."""\nreturn x': "return x",
    '"""What."""\n# why\n\nreturn x': "# why\n\nreturn x",
    "# why\n# and how\nreturn x  # here": "# why\n# and how\nreturn x  # here",
    "if x:\n    # why\n    return x": "if x:\n    # why\n    return x",
    "@cache\ndef g(): return x\nreturn g": "@cache\ndef g(): return x\nreturn g",
    '"""What it would do."""': "",
}


@pytest.mark.parametrize(("source", "body"), BODIES.items())
def test_the_body_is_what_stands_below_the_def_and_its_docstring(source, body):
    assert bodies(f"def f(x):\n{textwrap.indent(source, '    ')}\ny = 1") == {"f": body}


def test_a_function_of_one_line_has_a_body():
    assert bodies("def f(x): y = x; return y") == {"f": "y = x\nreturn y"}


def test_a_cell_in_the_words_of_ipython_is_passed_over():
    sources = ["%matplotlib inline", "def f(x):\n    return -x"]
    stub = "def f(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()"  # nbgrader's own
    role = CellRole("answer", "mend_f", mends="f")
    cells = [*map(new_code_cell, sources), new_code_cell(stub, metadata=role.metadata())]
    notebook, _ = StartFromBrokenCode().preprocess(new_notebook(cells=cells), {})
    assert notebook.cells[-1].source.endswith("\n    return -x")
    assert "raise" not in notebook.cells[-1].source
