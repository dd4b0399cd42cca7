"""What the reader is to predict is folded where it is committed, absent where it is handed out."""

import re
from copy import deepcopy

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograde.kit.cell_role import CellRole
from tests.all_chapters import CHAPTERS, cells_of
from tests.one_test import one_test
from tools.build.unseen import (
    PICTURE,
    TAG,
    as_new,
    fold,
    fold_answers,
    is_predicted,
    tag_answers,
)

of_each_chapter = one_test([(chapter,) for chapter in CHAPTERS], lambda chapter: chapter.name)
SHOWS = re.compile(r"\b(print|picture|explore)\(")
PRINTED = new_output("stream", name="stdout", text="0.5")
VALUE = new_output("execute_result", {"text/plain": "1"}, execution_count=2)


@pytest.fixture
def notebook():
    question = new_code_cell("print(w)", outputs=[PRINTED], metadata={"tags": [TAG]})
    value = new_code_cell("one", outputs=[VALUE], execution_count=2)
    check = new_code_cell("check('one', one)", outputs=[PRINTED])
    check.metadata.update(CellRole("check", "one").metadata())
    return new_notebook(cells=[question, value, check])


def test_a_committed_notebook_keeps_every_output_and_folds_those_that_are_asked_for(notebook):
    before = deepcopy(notebook.cells)
    fold(notebook)
    assert [cell.outputs for cell in notebook.cells] == [cell.outputs for cell in before]
    assert notebook.cells[0].metadata.jupyter == {"outputs_hidden": True}
    assert "jupyter" not in notebook.cells[1].metadata


def test_a_notebook_that_is_handed_out_looks_as_if_nobody_had_run_it(notebook):
    fold(notebook)
    as_new(notebook)
    question, value, check = notebook.cells
    assert question.outputs == check.outputs == []
    assert "jupyter" not in question.metadata  # or JupyterLab would hide what the learner runs
    assert value.outputs[0].data == VALUE.data
    assert value.execution_count is value.outputs[0].execution_count is None


@pytest.mark.parametrize(
    ("prose", "code", "tagged"),
    [
        ("Which is *0?*", "print(w)", True),
        ("Which is 0? Run it.", "print(w)", False),
        ("Which turns most?", "print(w)\npicture(w)", False),  # to look at
        ("Which is 0?", "w = 1", False),
    ],
)
def test_what_is_printed_right_after_a_question_is_its_answer(prose, code, tagged):
    pair = [new_markdown_cell(prose, metadata={"lang": lang}) for lang in ("en", "zh")]
    cell = new_code_cell(code)
    tag_answers([*pair, cell, new_code_cell("print(1)")])
    assert is_predicted(cell) == tagged


FOLD = "<details><summary>Guess first, then read on</summary>\n\n{}\n\n</details>"


@pytest.mark.parametrize(
    ("prose", "folded"),
    [
        ("It is 0.", FOLD.format("It is 0.")),
        ("It is 0.\n\nNow $x$.\n\nAnd $y$.", FOLD.format("It is 0.") + "\n\nNow $x$.\n\nAnd $y$."),
        (
            "*Picture: a line, *not*\na curve.*\n\nIt is 0.\n\nNow $x$.",
            "*Picture: a line, *not*\na curve.*\n\n" + FOLD.format("It is 0.") + "\n\nNow $x$.",
        ),
        ("## Next", "## Next"),
    ],
)
def test_the_paragraph_that_says_the_answer_is_folded_in_both_languages(prose, folded):
    code = new_code_cell("print(w)", metadata={"tags": [TAG]})
    code.metadata.update(CellRole("code").metadata())
    english, chinese = (
        new_markdown_cell(prose, metadata=CellRole("prose", lang=lang).metadata())
        for lang in ("en", "zh")
    )
    fold_answers([code, english, chinese, english.copy()])
    assert english.source == folded
    assert chinese.source == folded.replace("Guess first, then read on", "先猜，再往下读")


def test_prose_after_an_output_that_is_shown_stays_as_it_is():
    code = new_code_cell("print(w)", metadata=CellRole("code").metadata())
    prose = new_markdown_cell("It is 0.", metadata=CellRole("prose", lang="en").metadata())
    fold_answers([code, prose, prose])
    assert prose.source == "It is 0."


@of_each_chapter
def test_neither_a_caption_nor_what_leads_on_is_folded_with_the_answer(chapter):
    cells = cells_of(chapter.name)
    answers = [
        PICTURE.fullmatch(cell.source)[2].partition("\n\n")[0]
        for code, *twins in zip(cells, cells[1:], cells[2:], strict=False)
        for cell in (twins if is_predicted(code) else [])
        if cell.cell_type == "markdown" and not cell.source.startswith("#")
    ]
    hides = re.compile(r"\A\*(Picture: |图：)|[?？:：][\s*\"')”]*\Z")
    assert [text for text in answers if hides.search(text)] == []


@of_each_chapter
def test_a_cell_that_is_tagged_shows_something(chapter):
    tagged = [cell for cell in cells_of(chapter.name) if is_predicted(cell)]
    assert [cell.source for cell in tagged if not SHOWS.search(cell.source)] == []


def test_where_the_prose_says_predict_the_next_output_is_tagged():
    prompt = re.compile(r"(?i)\b(predict|guess)\b[^.]*\brun\b|guess, then look")
    untagged = []
    for chapter in CHAPTERS:
        cells = cells_of(chapter.name)
        for number, cell in enumerate(cells):
            if cell.metadata.get("lang") == "en" and prompt.search(" ".join(cell.source.split())):
                code = [each for each in cells[number:] if each.cell_type == "code"]
                outputs = [each for each in code if SHOWS.search(each.source)]
                if outputs and not is_predicted(outputs[0]):  # a take-away has none after it
                    untagged.append((chapter.name, cell.source.splitlines()[0]))
    assert untagged == []
