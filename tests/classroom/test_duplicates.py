"""A copied cell stays a cell, and only one of its copies is graded."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograde.nbgrader_duplicates import PlainDuplicates


def graded(grade_id, source):
    metadata = {"nbgrader": {"grade_id": grade_id, "grade": True}, "editable": False}
    return new_code_cell(source, metadata=metadata)


def test_the_last_copy_keeps_the_grade_and_the_others_become_plain():
    cells = [graded("a", "1"), new_markdown_cell("text"), graded("b", "2"), graded("a", "3")]
    notebook, _ = PlainDuplicates().preprocess(new_notebook(cells=cells), {})
    assert [cell.source for cell in notebook.cells] == ["1", "text", "2", "3"]
    assert [cell.metadata for cell in notebook.cells] == [
        {},
        {},
        graded("b", "2").metadata,
        graded("a", "3").metadata,
    ]


def test_a_notebook_without_copies_is_left_alone():
    cells = [graded("a", "1"), graded("b", "2"), new_code_cell("3", metadata={"nbgrader": {}})]
    before = new_notebook(cells=cells).copy()
    notebook, _ = PlainDuplicates().preprocess(new_notebook(cells=cells), {})
    assert notebook == before
