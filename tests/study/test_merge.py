"""What one notebook becomes, cell by cell."""

from copy import deepcopy

import pytest
from nbformat.v4 import new_code_cell, new_output

from autograde.kit.cell_role import CellRole, cell_role
from tests.study.course import STUB, answer, cell, check, lesson, notebook, prose, sources
from tools.study.merge import renew

MY_CODE = "def answer():\n    return 42"


@pytest.fixture
def base():
    return lesson()


@pytest.fixture
def mine(base):
    return deepcopy(base)


@pytest.fixture
def new():
    return lesson("second text")


def test_untouched_text_is_renewed_and_answers_stay(base, mine, new):
    cell(mine, "rotate-answer").source = MY_CODE
    cell(mine, "explain-answer").source = "Because the angle only depends on n - m."
    result = renew(base, mine, new)
    assert cell(result, "text").source == "second text"
    assert cell(result, "rotate-answer").source == MY_CODE
    assert cell(result, "explain-answer").source.startswith("Because")
    assert [c.id for c in result.cells] == [c.id for c in new.cells]
    assert [c.metadata for c in result.cells] == [c.metadata for c in new.cells]


def test_a_file_from_before_cells_said_what_they_are_is_renewed(base, mine, new):
    cell(mine, "rotate-answer").source = MY_CODE
    cell(mine, "figure").source = "theta = 0.5  # I tried this"
    for each in base.cells + mine.cells:
        each.metadata["lang"] = "en"  # as it was until then
    for each in new.cells:
        each.metadata.update(CellRole("code").metadata())
    result = renew(base, mine, new)
    assert cell(result, "rotate-answer").source == MY_CODE
    assert cell(result, "figure").source.endswith("I tried this")
    assert [c.id for c in result.cells] == [c.id for c in new.cells]
    assert [c.metadata for c in result.cells] == [c.metadata for c in new.cells]


def test_what_becomes_the_learners_own_is_not_a_cell_of_the_course(base, mine):
    for each in mine.cells:
        each.metadata.update(CellRole("answer", "rotate").metadata())
    cell(mine, "rotate-answer").source = MY_CODE
    (own,) = [c for c in renew(base, mine, notebook()).cells if c.source == MY_CODE]
    assert cell_role(own) is None


def test_an_untouched_answer_gets_the_new_stub(base, mine):
    result = renew(base, mine, lesson(stub="def answer(theta): ..."))
    assert cell(result, "rotate-answer").source == "def answer(theta): ..."


def test_a_written_answer_gets_the_new_stub_in_a_note_below(base, mine):
    cell(mine, "rotate-answer").source = MY_CODE
    result = renew(base, mine, lesson(stub="def answer(theta): ..."))
    at = [c.id for c in result.cells].index("rotate-answer")
    note = result.cells[at + 1]
    assert result.cells[at].source == MY_CODE
    assert "def answer(theta): ..." in note.source
    assert '<div lang="zh">' in note.source
    assert '<div lang="en">' in note.source


def test_text_that_only_the_learner_changed_stays_in_place(base, mine, new):
    cell(mine, "figure").source = "theta = 0.5  # I tried this"
    result = renew(base, mine, new)
    assert cell(result, "figure").source == "theta = 0.5  # I tried this"
    assert len(result.cells) == len(new.cells)


def test_text_that_both_changed_is_the_courses_with_a_copy_below(base, mine, new):
    cell(mine, "text").source = "first text\nmy remark"
    result = renew(base, mine, new)
    at = [c.id for c in result.cells].index("text")
    assert sources(result)[at] == "second text"
    assert sources(result)[at + 2] == "first text\nmy remark"


def test_a_changed_check_is_restored_with_a_copy_that_can_be_deleted(base, mine, new):
    cell(mine, "rotate").source = "print('skipped')"
    result = renew(base, mine, new)
    at = [c.id for c in result.cells].index("rotate")
    copy = result.cells[at + 2]
    assert sources(result)[at] == 'check("rotate", answer)'
    assert copy.source == "print('skipped')"
    assert "nbgrader" not in copy.metadata
    assert "editable" not in copy.metadata


def test_added_cells_stay_after_the_cell_that_they_followed(base, mine, new):
    mine.cells.insert(0, new_code_cell("very_first = 1"))
    mine.cells.insert(4, new_code_cell("after_figure = 1"))
    mine.cells.append(new_code_cell("last = 1"))
    ids = [c.id for c in renew(base, mine, new).cells]
    texts = sources(renew(base, mine, new))
    assert texts[0] == "very_first = 1"
    assert texts[ids.index("figure") + 1] == "after_figure = 1"
    assert texts[-1] == "last = 1"


def test_reordered_cells_return_to_the_order_of_the_course(base, mine, new):
    cell(mine, "rotate-answer").source = MY_CODE
    mine.cells.reverse()
    result = renew(base, mine, new)
    assert [c.id for c in result.cells] == [c.id for c in new.cells]
    assert cell(result, "rotate-answer").source == MY_CODE


def test_a_deleted_course_cell_returns(base, mine, new):
    mine.cells = [c for c in mine.cells if c.id != "rotate"]
    assert cell(renew(base, mine, new), "rotate").source == 'check("rotate", answer)'


def test_a_copied_answer_stays_as_a_plain_cell(base, mine, new):
    cell(mine, "rotate-answer").source = MY_CODE
    copy = deepcopy(cell(mine, "rotate-answer"))
    copy.id, copy.source = "pasted", "def answer():\n    return 43"
    mine.cells.insert(4, copy)
    result = renew(base, mine, new)
    assert cell(result, "rotate-answer").source == MY_CODE
    assert "nbgrader" not in cell(result, "pasted").metadata
    assert cell(result, "pasted").source.endswith("43")


def test_without_cell_ids_answers_are_found_by_exercise_id(base, mine, new):
    cell(mine, "rotate-answer").source = MY_CODE
    for number, each in enumerate(mine.cells):
        each.id = f"other-{number}"
    result = renew(base, mine, new)
    assert cell(result, "rotate-answer").source == MY_CODE
    assert [c.id for c in result.cells] == [c.id for c in new.cells]


def test_an_answer_that_was_made_another_type_is_code_again(base, mine, new):
    at = [c.id for c in mine.cells].index("rotate-answer")
    changed = prose("rotate-answer", MY_CODE)
    changed.metadata = mine.cells[at].metadata
    mine.cells[at] = changed
    result = cell(renew(base, mine, new), "rotate-answer")
    assert (result.cell_type, result.source) == ("code", MY_CODE)


def test_the_answer_to_a_removed_exercise_stays_at_the_end(base, mine):
    cell(mine, "rotate-answer").source = MY_CODE
    result = renew(base, mine, notebook(prose("title", "# Rotation"), prose("end", "Done.")))
    assert sources(result)[-1] == MY_CODE
    assert "`rotate-answer`" in sources(result)[-2]
    assert "nbgrader" not in result.cells[-1].metadata


def test_changed_text_that_the_course_removed_stays_with_a_note(base, mine):
    cell(mine, "text").source = "my own summary"
    result = renew(base, mine, notebook(prose("title", "# Rotation"), prose("end", "Done.")))
    assert sources(result)[0] == "# Rotation"
    assert sources(result)[2:] == ["my own summary", "Done."]


def test_a_renamed_exercise_with_the_same_cell_id_is_another_exercise(base, mine, new):
    cell(mine, "rotate-answer").source = MY_CODE
    cell(new, "rotate-answer").metadata["nbgrader"]["grade_id"] = "turn-answer"
    result = renew(base, mine, new)
    assert sources(result)[-1] == MY_CODE
    assert cell(result, "rotate-answer").source == cell(new, "rotate-answer").source


def test_an_answer_from_another_notebook_fills_only_an_unwritten_exercise(base, mine, new):
    elsewhere = {"norm-answer": MY_CODE, "rotate-answer": "# reset since", "explain-answer": "old"}
    cell(mine, "explain-answer").source = "written here"
    new.cells[5:5] = [answer("norm"), check("norm")]
    result = renew(base, mine, new, elsewhere)
    assert cell(result, "norm-answer").source == MY_CODE
    assert cell(result, "rotate-answer").source == STUB  # no new exercise: the learner emptied it
    assert cell(result, "explain-answer").source == "written here"


def test_outputs_stay_where_the_code_is_the_same(base, mine, new):
    printed = [new_output("stream", name="stdout", text="2 / 2")]
    cell(mine, "rotate").outputs = printed
    cell(mine, "figure").outputs = printed
    cell(new, "figure").source = "theta = 0.2"
    result = renew(base, mine, new)
    assert cell(result, "rotate").outputs == printed
    assert cell(result, "figure").outputs == []


def test_unread_outputs_are_renewed(base, mine, new):
    drawn = [new_output("stream", name="stdout", text="new picture")]
    cell(new, "figure").outputs = drawn
    assert cell(renew(base, mine, new), "figure").outputs == drawn


def test_a_picture_pasted_into_an_answer_stays(base, mine, new):
    pasted = {"sketch.png": {"image/png": "iVBORw0KGgo="}}
    cell(mine, "explain-answer").attachments = pasted
    assert cell(renew(base, mine, new), "explain-answer").attachments == pasted


def test_metadata_is_the_learners_where_they_changed_it(base, mine, new):
    mine.metadata["kernelspec"] = {"name": "posenc", "display_name": "mine"}
    new.metadata["title"] = "Rotation"
    result = renew(base, mine, new)
    assert result.metadata["kernelspec"]["name"] == "posenc"
    assert result.metadata["title"] == "Rotation"


def test_with_no_base_both_versions_stay(mine, new):
    cell(mine, "rotate-answer").source = MY_CODE
    result = renew(None, mine, new)
    assert cell(result, "rotate-answer").source == MY_CODE
    assert {"first text", "second text"} <= set(sources(result))


def test_an_exercise_that_the_course_added_arrives(base, mine, new):
    cell(mine, "rotate-answer").source = MY_CODE
    new.cells[5:5] = [answer("norm"), check("norm")]
    result = renew(base, mine, new)
    assert [c.id for c in result.cells] == [c.id for c in new.cells]
