"""What the kit prints and returns, scored by nbgrader itself in a real kernel."""

import io

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.preprocessors import Execute
from nbgrader.utils import compute_checksum, determine_grade
from nbgrader.validator import Validator

from tests.autograde.small import DOUBLE

KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
SETUP = """\
import logging, os, sys, warnings
import torch
from autograde import check, exercises
exercises.__path__.append({folder!r})
"""

# an answer, and the points that nbgrader gives for it (of 2)
ANSWERS = {
    "right": ("def double(x):\n    return 2 * x", 2.0),
    "part": ("def double(x):\n    return torch.zeros(3) if len(x) == 3 else x", 0.5),
    "wrong": ("def double(x):\n    return x[:1]", 0.0),
    "stub": ("def double(x):\n    raise NotImplementedError()", 0.0),
    "prints": (
        "def double(x):\n    print('to stderr', file=sys.stderr)\n    print('hello')\n"
        "    return 2 * x",
        2.0,
    ),
    "warns": (
        "def double(x):\n    warnings.warn('mind the gap')\n    torch.meshgrid(x, x)\n"
        "    return 2 * x",
        2.0,
    ),
    "logs": ("def double(x):\n    logging.warning('so far')\n    return 2 * x", 2.0),
    "compiled": ("def double(x):\n    os.write(2, b'from C++')\n    return 2 * x", 2.0),
    "numpy": ("double = lambda x: 2 * x.numpy()", 0.0),
    "raises": ("def double(x):\n    return 2 * y", 0.0),
    "exits": ("def double(x):\n    sys.exit()", 0.0),
}


def notebook(folder):
    cells = [new_code_cell(SETUP.format(folder=str(folder)))]
    for name, (source, _) in ANSWERS.items():
        cells += [new_code_cell(source), graded(name)]
    return new_notebook(cells=cells, metadata={"kernelspec": KERNEL})


def graded(name):
    cell = new_code_cell('check("double", double)')
    cell.metadata["nbgrader"] = {
        "grade_id": name,
        "grade": True,
        "solution": False,
        "locked": True,
        "task": False,
        "points": 2,
        "schema_version": 3,
    }
    cell.metadata["nbgrader"]["cell_type"] = "code"
    cell.metadata["nbgrader"]["checksum"] = compute_checksum(cell)
    return cell


@pytest.fixture(scope="module")
def graded_cells(tmp_path_factory):
    """Return the grade cells by name, executed as `nbgrader autograde` executes them."""
    folder = tmp_path_factory.mktemp("catalogue")
    data = tmp_path_factory.mktemp("data")
    (folder / "double.py").write_text(DOUBLE, encoding="utf-8")
    variables = {"POSENC_LANGUAGE": "both", "POSENC_DATA_DIR": str(data)}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (variables | {"NBGRADER_EXECUTION": "autograde"}).items():
            patch.setenv(name, value)
        done, _ = Execute().preprocess(notebook(folder), {"metadata": {"path": str(folder)}})
    assert list(data.iterdir()) == []  # a teacher's progress is not their students'
    return {c.metadata.nbgrader.grade_id: c for c in done.cells if "nbgrader" in c.metadata}


def report(cell):
    """Return what a reader sees above the number."""
    return cell.outputs[0].data["text/plain"]


@pytest.mark.parametrize("name", ANSWERS)
def test_nbgrader_gives_the_points_that_the_kit_says(graded_cells, name):
    cell = graded_cells[name]
    assert determine_grade(cell) == (ANSWERS[name][1], 2.0)
    # no stream, so nothing on stderr: that would cost all points
    assert [output.output_type for output in cell.outputs] == ["display_data", "execute_result"]
    assert cell.outputs[-1].data["text/plain"] == repr(ANSWERS[name][1])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("part", ["0.5 / 2 分 · points", "expected", "应为"]),
        ("raises", ["NameError: name 'y' is not defined — return 2 * y", "运行时抛出"]),
        ("stub", ["尚未作答", "Not solved yet"]),
        ("prints", ["你的函数打印了", "to stderr", "hello"]),
        ("right", ["2 / 2", "All checks passed."]),
    ],
)
def test_the_reasons_are_on_the_page_in_both_languages(graded_cells, name, words):
    assert [word for word in words if word not in report(graded_cells[name])] == []


WITHOUT_FUNCTION = {
    "def double(x):\n    return (2 * x": "its cell is not Python (line 2: '('",
    "raise KeyboardInterrupt\ndef double(x):\n    return x": "Does a loop in it never end?",
}


def test_validate_shows_the_reasons(catalogue, monkeypatch):
    """Of answers that come to no function, and of a wrong one."""
    monkeypatch.setenv("POSENC_LANGUAGE", "both")
    cells = [new_code_cell(SETUP.format(folder=str(catalogue)))]
    for number, source in enumerate([*WITHOUT_FUNCTION, ANSWERS["part"][0]]):
        cells += [new_code_cell(source), graded(f"number_{number}")]
    path = catalogue / "one.ipynb"
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": KERNEL}), path)
    validator = Validator()
    validator.stream = io.StringIO()
    validator.validate_and_print(str(path))
    head, *missing, wrong = validator.stream.getvalue().split("The following cell failed:")
    assert "VALIDATION FAILED ON 3 CELL(S)" in head
    for text, words in zip(missing, WITHOUT_FUNCTION.values(), strict=True):
        assert "NameError" in text
        assert words in " ".join(text.split())
    assert "The error was:\n\n    加倍 · Double [double]  0.5 / 2 分 · points\n" in wrong
    assert "✗ 等于输入的两倍" in wrong
    assert "应为" in wrong
    assert "expected" in wrong
    assert "Traceback" not in wrong
    assert "..." not in wrong
