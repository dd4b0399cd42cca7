"""A graded notebook says why the function of an exercise is missing."""

import pytest
from nbformat.v4 import new_code_cell

from autograde.grading.notebook import NotebookGrader
from autograde.grading.options import GradingOptions
from autograde.kit.verdict_record import verdict_of_cell
from confined.limits import Limits

ID = "key_minus_query"
REASONS = {
    f"x = 1\ndef {ID}(q, k)\n    return k": "stopped: SyntaxError: expected ':' (line 2)",
    f"x = 1\nx = y\ndef {ID}(q, k): ...": "NameError: name 'y' is not defined (line 2)",
    f"import sys\nsys.exit(0)\ndef {ID}(q, k): ...": "its cell was stopped: SystemExit: 0",
    f"while True: pass\ndef {ID}(q, k): ...": "its cell was stopped: no end after 1 s",
    "import os\nos._exit(0)": "its cell was stopped: ProcessEnded: this cell ended its process",
    "def keyMinusQuery(q, k): ...": "only `keyMinusQuery`: did you rename it?",
    "x = 1": "does its cell stop with an error",
}


@pytest.fixture(scope="module")
def grader():
    with NotebookGrader(GradingOptions(Limits(cell_seconds=1.0), pictures=False)) as started:
        yield started


@pytest.mark.parametrize(("source", "reason"), REASONS.items())
def test_the_reason_is_that_of_its_cell(grader, source, reason, monkeypatch):
    answer = {"grade_id": f"{ID}-answer", "solution": True}
    check = {"grade_id": ID, "grade": True, "solution": False, "points": 2}
    cells = [
        new_code_cell(source, metadata={"nbgrader": answer}),
        new_code_cell(f'check("{ID}", {ID})', metadata={"nbgrader": check}),
    ]
    monkeypatch.setenv("POSENC_LANGUAGE", "en")
    grader.grade(cells, {}, 7, {})
    record = verdict_of_cell(cells[1])
    assert reason in record.reason.en
    assert record.reason.en in cells[1].outputs[0]["data"]["text/plain"].replace("\n", " ")
