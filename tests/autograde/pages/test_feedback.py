"""The feedback page: points, each check, why it failed, the misconception, hints, in a language."""

import json
import re
import time
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from autograde.kit.catalogue import exercise
from autograde.pages.feedback import words
from autograde.pages.limits import TEXT
from autograde.teacher.questions import HandGradedQuestion
from bilingual import Text
from tests.autograde.feedback_notebook import (
    answer_cell,
    check_cell,
    check_outputs,
    page,
    squares,
    written_cell,
)
from tests.autograde.page_reader import HANZI, Reader

ROOT = Path(__file__).resolve().parents[3]


def text(cells, language="en", **more):
    """Return the words of the page on these cells, white space made one."""
    return " ".join(Reader(page(cells, language, **more)).text.split())


def stub(x):
    raise NotImplementedError


def wrong(x):
    return x + 1


def test_an_exercise_says_what_was_checked_why_it_failed_and_the_misconception():
    body = text([answer_cell(), check_cell(squares())])
    assert "Double 0.5 / 2" in body
    assert "✓ keeps the shape" in body
    assert re.search(r"✗ is twice the input .*% of the values are right; at \[\d\] yours", body)
    assert "Likely cause You squared it." in body
    assert "return x ** 2" in body


def test_a_cause_that_is_not_a_misconception_stands_without_its_heading():
    cause = {"kind": "relation", "name": "factor"}
    sentence = {"en": "It is <b> `x` times 3.", "zh": "是3倍。"}
    outputs = squares()
    outputs[0].metadata["posenc"] |= {"cause": cause, "reason": sentence}
    body = text([check_cell(outputs)])
    assert "It is <b> x times 3." in body
    assert "Likely cause" not in body
    assert "You squared it." not in body


def test_the_head_says_whose_page_it_is():
    assert "Feedback: 77_kit Student 0017 0.5 / 5 points" in text([], student="0017")
    assert "反馈：77_kit 学号0017 0.5 / 5 分" in text([], "zh", student="0017")
    assert "学号0017 · Student 0017" in text([], "both", student="0017")
    assert "<b>" not in page([], student="<b>")


def test_the_reasons_come_from_the_verdict_and_the_sentences_from_the_course():
    outputs = squares()
    outputs[0].metadata["posenc"]["reasons"] = {"values": {"en": "mine $x$ <b> `a`", "zh": "我的"}}
    outputs[0].metadata["posenc"]["reason"] = {"en": "nobody's", "zh": "没人的"}
    body = text([check_cell(outputs)])
    assert "mine $x$ <b> a" in body  # as text, but for its code
    assert "You squared it." in body
    assert "nobody's" not in body


def test_the_points_are_the_gradebooks_not_the_verdicts():
    body = text([check_cell(squares(), score=1.75)], score=1.75)
    assert "1.75 / 5 points" in body
    assert "Double 1.75 / 2" in body


def test_only_the_first_hints_are_shown():
    cells = [check_cell(squares())]
    body = text(cells)
    assert "Hint 1 of 3 Look at the title. Hint 2 of 3 2x" in body
    assert "Hint 3" not in body
    assert 'hint("double")' in body
    assert "Hint" not in text(cells, hints=0)
    assert "Hint 3 of 3 return 2 * x" in text(cells, hints=9)


def test_full_points_have_no_hints_and_all_checks():
    body = text([check_cell(check_outputs(lambda x: 2 * x), score=2.0)])
    assert "✓ keeps the shape ✓ is twice the input" in body
    assert "Hint" not in body


def test_an_unsolved_exercise_says_so():
    body = text([check_cell(check_outputs(stub), score=0)])
    assert words.UNSOLVED.en in body
    assert "Hint 1 of 3" in body
    assert "keeps the shape" not in body
    answer = answer_cell()
    answer.metadata["restored"] = True
    body = text([answer, check_cell(check_outputs(stub), score=0)])
    assert words.RESTORED.en in body
    assert words.UNSOLVED.en not in body


def test_a_mistake_without_a_name_has_no_likely_cause():
    body = text([check_cell(check_outputs(wrong))])
    assert "✗ is twice the input" in body
    assert words.LIKELY.en not in body


def test_a_reason_that_all_checks_share_is_shown_once():
    body = text([check_cell(check_outputs(lambda x: x + nothing), score=0)])  # noqa: F821
    assert body.count("name 'nothing' is not defined") == 1
    assert body.count(words.SAME.en) == 1


def test_a_check_that_the_code_to_be_mended_passes_says_that_it_earns_nothing():
    outputs = squares()
    outputs[0].metadata["posenc"]["unchanged"] = ["shape"]
    body = text([check_cell(outputs)])
    assert "✓ keeps the shape (passes unchanged) ✗ is twice the input" in body
    assert body.count(words.NO_POINTS.en) == 1
    assert words.NO_POINTS.en not in text([check_cell(squares())])


def test_a_cell_without_a_verdict_shows_its_own_output():
    error = new_output(
        "error", ename="NameError", evalue="x", traceback=["\x1b[31mNameError\x1b[0m"]
    )
    body = text([check_cell([error], score=0)])
    assert f"{words.NOT_JUDGED.en} NameError" in body
    assert "✓" not in body


def test_a_verdict_of_another_form_is_not_a_verdict():
    outputs = squares()
    for other in ({"failed": []}, {"failed": [1], "unsolved": False}, "right", None):
        outputs[0].metadata["posenc"] = other
        assert words.NOT_JUDGED.en in text([check_cell(outputs, score=0)])


def test_the_check_and_its_inputs_are_not_shown():
    def printing(x):
        print("the input is", x)
        return x**2

    outputs = check_outputs(printing)
    assert "the input is" in outputs[0]["data"]["text/plain"]  # for readers of the notebook
    seen = page([answer_cell(), check_cell(outputs)])
    for hidden in ("check(", "the input is", "4711", "randn", "expect_close"):
        assert hidden not in seen


def test_written_answers_have_their_points_and_the_teachers_comment():
    body = text([written_cell("Because *order*.", comment="Good, but **why**?")])
    assert "a_why 2.5 / 3" in body
    assert "Your teacher's comment Good, but why?" in body
    assert "Your answer Because order." in body
    assert "with a comment" in body


def test_a_question_has_its_title_and_says_what_was_asked():
    key = Text(en="1 for a secret.", zh="说出秘密得1分。")
    question = HandGradedQuestion(
        Text(en="Why?", zh="为什么？"), Text(en="Say *why*.", zh="说说原因。"), key
    )
    body = text([written_cell("Because.")], questions={"a_why": question})
    assert "◐ Why? 2.5 / 3" in body
    assert "The task Say why." in body
    assert "secret" not in body
    assert "a_why" not in body


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (stub, "○ Double not answered 0 / 2"),
        (lambda x: x[:1], "✗ Double 0 / 2"),
        (lambda x: x + nothing, "! Double ended in an error 0 / 2"),  # noqa: F821
    ],
    ids=["blank", "tried", "error"],
)
def test_blank_tried_and_failed_are_told_apart(answer, state):
    assert state in text([answer_cell(), check_cell(check_outputs(answer), score=0)])


def test_what_ran_out_of_time_says_so(monkeypatch):
    monkeypatch.setattr(exercise("double"), "seconds", 0.3)
    cells = [answer_cell(), check_cell(check_outputs(lambda x: time.sleep(9)), score=0)]
    assert "∞ Double out of time 0 / 2" in text(cells)


def test_a_comment_on_code_stands_with_its_exercise():
    body = text([answer_cell(comment="Nearly."), check_cell(squares())])
    assert "Your teacher's comment Nearly." in body


def test_nbgraders_comment_on_a_missing_answer_is_translated():
    body = text([written_cell("Write here", score=0, comment="No response.")], "zh")
    assert words.NO_ANSWER.zh in body
    assert "No response." not in body
    assert "老师的评语" not in body


def test_a_late_penalty_is_shown():
    assert "Late penalty: −1.5" in text([], late_penalty=1.5)
    assert "Late penalty" not in text([])


def test_the_score_table_leads_to_each_entry():
    reader = Reader(page([answer_cell(), check_cell(squares()), written_cell("x")]))
    links = {attrs["href"] for tag, attrs in reader.tags if tag == "a"}
    ids = [attrs["id"] for tag, attrs in reader.tags if "id" in attrs]
    assert links == {"#double", "#a_why"}
    assert ids == ["double", "a_why"]


def test_other_cells_are_folded_with_their_outputs():
    picture = "iVBORw0KGgo="
    outputs = [
        new_output("display_data", data={"image/png": f"{picture}\n", "text/plain": "<Figure>"}),
        new_output("stream", name="stdout", text="\x1b[1mhello\x1b[0m"),
        new_output("display_data", data={"text/html": "<table><tr><td>7</table>"}),
        new_output("display_data", data={"text/latex": r"$\alpha$", "text/plain": "alpha"}),
        new_output("display_data", data={"application/x": "x", "text/plain": "fallback"}),
    ]
    cells = [new_markdown_cell("# One"), new_code_cell("a = 1", outputs=outputs), answer_cell()]
    seen = page([*cells, check_cell(squares())])
    body = " ".join(Reader(seen).text.split())
    assert f"data:image/png;base64,{picture}" in seen
    assert "Cells 1 to 2 of the notebook One a = 1 hello 7 α fallback" in body
    assert "Figure" not in body


def test_long_outputs_and_texts_are_cut():
    output = new_output("stream", name="stdout", text="x" * 10**6)
    seen = page([new_code_cell("", outputs=[output]), new_markdown_cell("y" * 2 * TEXT)])
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
    body = text(cells, language, late_penalty=1)
    if language == "en":
        assert HANZI.findall(body) == []
        assert "A sentence." in body
    else:
        texts = [one for one in vars(words).values() if isinstance(one, Text)]
        assert [one.en for one in texts if len(one.en) > 8 and one.en in body] == []
        assert "你求了平方。" in body
        assert "A sentence." not in body


def test_both_languages_stand_beside_each_other():
    body = text([answer_cell(), check_cell(squares())], "both")
    assert "加倍 · Double" in body
    assert "你求了平方。 You squared it." in body
    assert "形状不变 keeps the shape" in body


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


def test_formulas_in_html_are_mathml_but_not_in_its_attributes():
    seen = page([new_markdown_cell('<p title="$a$">from $x^2$ to <img alt="$y$"></p>')])
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in seen
    assert 'alt="$y$"' in seen


def test_a_bar_covers_what_it_is_above_and_norms_are_tight():
    seen = page([new_markdown_cell("$\\overline{q\\,k}$, $\\overline{\\overline{a}b}$, $|q|$")])
    assert '<mover><mrow class="over"><mrow><mi>q</mi>' in seen
    assert seen.count('class="over"') == 3
    assert seen.count('lspace="0em" rspace="0em">|</mo>') == 2
    assert ".over { border-top" in seen
    assert "style=" not in seen


def test_broken_tex_is_shown_as_it_was_written():
    broken = (
        "x_",
        r"\nosuchcommand{x}",
        r"\left(",
        "{" * 900,
        r"\href{a}{b}" + "y" * 3000,
        r"\begin{matrix}",
    )
    seen = page([new_markdown_cell("\n\n".join(f"${tex}$" for tex in broken))])
    assert [tex for tex in broken if f"<code>{tex}</code>" not in seen] == []


@pytest.mark.parametrize("chapter", sorted(path.stem for path in ROOT.glob("chapters/[0-9]*.py")))
def test_all_formulas_of_the_course_can_be_shown(chapter):
    path = ROOT / "notebooks" / chapter / f"{chapter}.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    prose = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    assert len(prose) > 10
    seen = page([new_markdown_cell(source) for source in prose], "both")
    assert seen.count('<math display="block">') == sum(source.count("$$") for source in prose) / 2
    assert re.findall(r"<code>[^<]*\\[a-z]+[^<]*</code>", seen) == []  # TeX left as it was
