"""The feedback page: points, each check, why it failed, the misconception, hints, in a language."""

import json
import re
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from autograde.pages.feedback import words
from autograde.pages.markup import LONGEST
from bilingual import Text
from tests.autograde.feedback_notebook import (
    answer_cell,
    check_cell,
    judged,
    page,
    squares,
    written_cell,
)
from tests.autograde.pages.test_class_report_page import HANZI, Reader

ROOT = Path(__file__).resolve().parents[3]


def text(cells, language="en", **more):
    """Return the words of the page on these cells, white space made one."""
    return " ".join(Reader(page(cells, language, **more)).text.split())


def stub(x):
    raise NotImplementedError


def wrong(x):
    return x + 1


def test_an_exercise_says_what_was_checked_why_it_failed_and_the_misconception():
    said = text([answer_cell(), check_cell(squares())])
    assert "Double 0.5 / 2" in said
    assert "✓ keeps the shape" in said
    assert re.search(r"✗ is twice the input .*% of the values are right; at \[\d\] yours", said)
    assert "Likely cause You squared it." in said
    assert "return x ** 2" in said


def test_a_cause_that_is_no_misconception_stands_without_its_heading():
    cause = {"kind": "relation", "name": "factor"}
    sentence = {"en": "It is <b> `x` times 3.", "zh": "是3倍。"}
    made = squares()
    made[0].metadata["posenc"] |= {"cause": cause, "reason": sentence}
    said = text([check_cell(made)])
    assert "It is <b> x times 3." in said
    assert "Likely cause" not in said
    assert "You squared it." not in said


def test_the_reasons_come_from_the_verdict_and_the_sentences_from_the_course():
    made = squares()
    made[0].metadata["posenc"]["reasons"] = {"values": {"en": "mine $x$ <b> `a`", "zh": "我的"}}
    made[0].metadata["posenc"]["reason"] = {"en": "nobody's", "zh": "没人的"}
    said = text([check_cell(made)])
    assert "mine $x$ <b> a" in said  # as text, but for its code
    assert "You squared it." in said
    assert "nobody's" not in said


def test_the_points_are_the_gradebooks_not_the_verdicts():
    said = text([check_cell(squares(), score=1.75)], score=1.75)
    assert "1.75 / 5 points" in said
    assert "Double 1.75 / 2" in said


def test_the_first_hints_are_there_and_no_more():
    cells = [check_cell(squares())]
    said = text(cells)
    assert "Hint 1 of 3 Look at the title. Hint 2 of 3 2x" in said
    assert "Hint 3" not in said
    assert 'hint("double")' in said
    assert "Hint" not in text(cells, hints=0)
    assert "Hint 3 of 3 return 2 * x" in text(cells, hints=9)


def test_full_points_have_no_hints_and_all_checks():
    said = text([check_cell(judged(lambda x: 2 * x), score=2.0)])
    assert "✓ keeps the shape ✓ is twice the input" in said
    assert "Hint" not in said


def test_an_unsolved_exercise_says_so():
    said = text([check_cell(judged(stub), score=0)])
    assert words.UNSOLVED.en in said
    assert "Hint 1 of 3" in said
    assert "keeps the shape" not in said


def test_a_mistake_without_a_name_has_no_likely_cause():
    said = text([check_cell(judged(wrong))])
    assert "✗ is twice the input" in said
    assert words.LIKELY.en not in said


def test_a_reason_that_all_checks_share_is_said_once():
    said = text([check_cell(judged(lambda x: x + nothing), score=0)])  # noqa: F821
    assert said.count("name 'nothing' is not defined") == 1
    assert said.count(words.SAME.en) == 1


def test_a_cell_that_no_judge_has_seen_shows_what_it_said():
    error = new_output(
        "error", ename="NameError", evalue="x", traceback=["\x1b[31mNameError\x1b[0m"]
    )
    said = text([check_cell([error], score=0)])
    assert f"{words.NOT_JUDGED.en} NameError" in said
    assert "✓" not in said


def test_a_verdict_of_another_form_is_no_verdict():
    made = squares()
    for other in ({"failed": []}, {"failed": [1], "unsolved": False}, "right", None):
        made[0].metadata["posenc"] = other
        assert words.NOT_JUDGED.en in text([check_cell(made, score=0)])


def test_the_check_and_its_inputs_stay_out_of_sight():
    def printing(x):
        print("the input is", x)
        return x**2

    made = judged(printing)
    assert "the input is" in made[0]["data"]["text/plain"]  # for who reads the notebook
    seen = page([answer_cell(), check_cell(made)])
    for hidden in ("check(", "the input is", "4711", "randn", "expect_close"):
        assert hidden not in seen


def test_written_answers_have_their_points_and_the_teachers_comment():
    said = text([written_cell("Because *order*.", comment="Good, but **why**?")])
    assert "a_why 2.5 / 3" in said
    assert "Your teacher's comment Good, but why?" in said
    assert "Your answer Because order." in said
    assert "with a comment" in said


def test_a_comment_on_code_stands_with_its_exercise():
    said = text([answer_cell(comment="Nearly."), check_cell(squares())])
    assert "Your teacher's comment Nearly." in said


def test_nbgraders_own_words_for_no_answer_are_said_in_the_language():
    said = text([written_cell("Write here", score=0, comment="No response.")], "zh")
    assert words.NO_ANSWER.zh in said
    assert "No response." not in said
    assert "老师的评语" not in said


def test_a_late_penalty_is_shown():
    assert "Late penalty: −1.5" in text([], late_penalty=1.5)
    assert "Late penalty" not in text([])


def test_the_score_table_leads_to_each_entry():
    read = Reader(page([answer_cell(), check_cell(squares()), written_cell("x")]))
    links = {attrs["href"] for tag, attrs in read.tags if tag == "a"}
    ids = [attrs["id"] for tag, attrs in read.tags if "id" in attrs]
    assert links == {"#double", "#a_why"}
    assert ids == ["double", "a_why"]


def test_other_cells_are_folded_with_their_outputs():
    picture = "iVBORw0KGgo="
    made = [
        new_output("display_data", data={"image/png": f"{picture}\n", "text/plain": "<Figure>"}),
        new_output("stream", name="stdout", text="\x1b[1mhello\x1b[0m"),
        new_output("display_data", data={"text/html": "<table><tr><td>7</table>"}),
        new_output("display_data", data={"text/latex": r"$\alpha$", "text/plain": "alpha"}),
        new_output("display_data", data={"application/x": "x", "text/plain": "fallback"}),
    ]
    cells = [new_markdown_cell("# One"), new_code_cell("a = 1", outputs=made), answer_cell()]
    seen = page([*cells, check_cell(squares())])
    said = " ".join(Reader(seen).text.split())
    assert f"data:image/png;base64,{picture}" in seen
    assert "Cells 1 to 2 of the notebook One a = 1 hello 7 α fallback" in said
    assert "Figure" not in said


def test_long_outputs_and_texts_are_cut():
    made = new_output("stream", name="stdout", text="x" * 10**6)
    seen = page([new_code_cell("", outputs=[made]), new_markdown_cell("y" * 2 * LONGEST)])
    assert len(seen) < 60_000
    assert words.CUT.en in seen


@pytest.mark.parametrize("language", ["en", "zh"])
def test_one_language_is_that_language_alone(language):
    cells = [
        new_markdown_cell('<div lang="en">\n\nA sentence.\n\n</div>'),
        new_markdown_cell('<div lang="zh">\n\n一句话。\n\n</div>'),
        answer_cell(comment="7"),
        check_cell(squares()),
    ]
    said = text(cells, language, late_penalty=1)
    if language == "en":
        assert HANZI.findall(said) == []
        assert "A sentence." in said
    else:
        texts = [one for one in vars(words).values() if isinstance(one, Text)]
        assert [one.en for one in texts if len(one.en) > 8 and one.en in said] == []
        assert "你求了平方。" in said
        assert "A sentence." not in said


def test_both_languages_stand_beside_each_other():
    said = text([answer_cell(), check_cell(squares())], "both")
    assert "加倍 · Double" in said
    assert "你求了平方。 You squared it." in said
    assert "形状不变 keeps the shape" in said


def test_formulas_are_mathml_in_course_sentences_and_in_cells():
    cells = [
        new_markdown_cell("$\\omega_i$ and\n\n$$\\frac{a}{b} \\tag{1}$$\n\n`$x$` \\$5 and \\$6"),
        check_cell(squares()),
    ]
    seen = page(cells)
    assert "<msub><mi>ω</mi><mi>i</mi></msub>" in seen
    assert '<math display="block">' in seen
    assert "<mn>2</mn><mi>x</mi>" in seen  # the second hint
    assert "<code>$x$</code>" in seen
    assert "$5 and $6" in Reader(seen).text


def test_what_is_no_formula_is_shown_as_it_was_written():
    broken = ("x_", r"\left(", "{" * 900, r"\href{a}{b}" + "y" * 3000, r"\begin{matrix}")
    seen = page([new_markdown_cell("\n\n".join(f"${tex}$" for tex in broken))])
    assert [tex for tex in broken if f"<code>{tex}</code>" not in seen] == []


@pytest.mark.parametrize("chapter", sorted(path.stem for path in ROOT.glob("chapters/[0-9]*.py")))
def test_all_formulas_of_the_course_can_be_shown(chapter):
    path = ROOT / "notebooks" / chapter / f"{chapter}.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    prose = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    assert len(prose) > 10
    seen = page([new_markdown_cell(said) for said in prose], "both")
    assert seen.count('<math display="block">') == sum(said.count("$$") for said in prose) / 2
    assert re.findall(r"<code>[^<]*\\[a-z]+[^<]*</code>", seen) == []  # TeX left as it was
