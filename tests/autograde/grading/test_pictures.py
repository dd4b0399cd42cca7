"""What a notebook shows: its own where a student's code has a part in it, the class's elsewhere."""

import pytest
from nbformat.v4 import new_code_cell

from autograde.grading.demonstrations import names_of, names_of_cells
from autograde.grading.pictures import Pictures
from confined.limits import Limits

SHOWN = {
    source: names_of(source)
    for source in (
        "import math",
        "print(math.sqrt(4))",
        "print(guess(2))",
    )
}


@pytest.fixture(scope="module")
def pictures():
    started = Pictures(Limits(cell_seconds=5.0))
    yield started
    started.close()


def words(pictures, own):
    """Return what each cell prints, or its error's name."""
    cells = [new_code_cell(source) for source in [*SHOWN, own]]
    names = names_of_cells([cell.source for cell in cells], SHOWN)
    pictures.show(cells, {}, names, SHOWN)
    outputs = [next(iter(cell.outputs), {}) for cell in cells]
    return [output.get("ename") or output.get("text", "").strip() for output in outputs]


def test_what_one_student_does_to_a_module_no_other_sees(pictures):
    hostile = "import math\nmath.sqrt = lambda x: 'forged'\nprint(math.sqrt(9))"
    assert words(pictures, hostile) == ["", "2.0", "NameError", "forged"]
    assert words(pictures, "print(math.sqrt(9))") == ["", "2.0", "NameError", "3.0"]


def test_what_takes_a_name_from_a_student_is_run_with_it(pictures):
    assert words(pictures, "guess = str")[2] == "NameError"  # it stands below
    cells = [new_code_cell(source) for source in ["guess = str", *SHOWN]]
    names = names_of_cells([cell.source for cell in cells], SHOWN)
    pictures.show(cells, {}, names, SHOWN)
    assert cells[3].outputs[0].text == "2\n"


def test_where_names_cannot_be_told_all_cells_run(pictures):
    own = "import math\nexec('math.sqrt = abs')"
    cells = [new_code_cell(source) for source in [own, *SHOWN]]
    pictures.show(cells, {}, names_of_cells([own, *SHOWN], SHOWN), SHOWN)
    assert cells[2].outputs[0].text == "4\n"
