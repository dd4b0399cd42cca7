"""Forms: what counts in a statement, and what hostile answers do to the process that reads them."""

import ast
from unittest.mock import Mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autograde.grading.pool import GradingPool
from autograde.likeness.forms import LONGEST_ANSWER, forms, forms_in, read_forms

ANSWER = '''
def table(x, base=10000.0):
    """Return it."""
    even = x[..., 0::2] * base  # half
    for i in range(3):
        even = even + i
    return torch.cat((even, x), dim=-1)
'''
SAME = """
def table(q: Tensor, b: float = 500.0) -> Tensor:

    # my own work
    h: Tensor = q[..., 1::2] * b
    for step in range(7):
        h = h + step

    return torch.cat(
        (h, q),
        dim=-2,
    )
"""
HOSTILE = {
    "brackets": "(" * 9_000 + ")" * 9_000,
    "minus": "-" * 19_000 + "1",
    "plus": "1" + "+1" * 9_000,
    "dots": "a" + ".a" * 9_000,
    "calls": "a" + "()" * 9_000,
    "lambdas": "lambda:" * 2_500 + "1",
    "blocks": "\n".join(" " * depth + "if 1:" for depth in range(180)) + " 1",
    "long": "a\n" * LONGEST_ANSWER,
    "null": "a = '\0'",
    "surrogate": "a = '\ud800'",
    "digits": "a = " + "9" * 10_000,
    "f-string": "f'" + "{" * 5_000,
}


def names(source):
    return [form.name for form in forms(source)]


def test_names_numbers_comments_annotations_and_layout_do_not_count():
    assert names(ANSWER) == names(SAME)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a = b + c", "a = b - c"),
        ("a = b.sin()", "a = b.cos()"),
        ("a = torch.cat(b)", "a = torch.stack(b)"),
        ("a = f(b, dim=0)", "a = f(b, axis=0)"),
        ("a = b * b", "a = b * c"),
        ("a = 'x'", "a = 'y'"),
        ("for i in b: pass", "while b: pass"),
    ],
)
def test_what_a_statement_does_counts(one, other):
    head = "def f(b, c):\n    "
    assert names(head + one) != names(head + other)
    assert names(head + one)[0] == names(head + other)[0]  # that of the function


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("%matplotlib inline\n", ""),
        ("\n  \n%%time\n", ""),
        ("", "!ls\n"),
        ("", "table?\n"),
        ("#" * (LONGEST_ANSWER + 1) + "\n", ""),
    ],
)
def test_magic_and_comments_hide_no_statement_and_move_none(before, after):
    lines = before.count("\n")
    moved = {(one.name, one.first + lines) for one in forms(SAME.lstrip("\n"))}
    source = before + SAME.lstrip("\n") + after
    assert moved <= {(form.name, form.first) for form in forms(source)}


def test_a_form_knows_its_lines_and_leaves_its_block_out():
    lines = [(form.first, form.last) for form in sorted(forms(SAME), key=lambda one: one.first)]
    assert lines == [(2, 4), (5, 5), (6, 6), (7, 7), (9, 12)]


def test_what_hangs_on_the_nodes_that_all_trees_share_is_not_copied(monkeypatch):
    """IPython's tracebacks hang the tree of a whole file there: a copy took a thousand times."""
    load = ast.parse("x").body[0].value.ctx
    assert load is ast.parse("y").body[0].value.ctx
    heavy = Mock(__deepcopy__=Mock())
    monkeypatch.setattr(load, "parent", heavy, raising=False)
    assert forms(ANSWER)
    heavy.__deepcopy__.assert_not_called()


@given(st.permutations(["a = x + 1", "b = x.sin()", "c = x[0]"]))
def test_the_order_of_statements_does_not_count(lines):
    source = "def f(x):\n" + "".join(f"    {line}\n" for line in lines)
    assert len(set(names(source))) == 4
    assert set(names(source)) == set(names("def f(x):\n a = x + 1\n b = x.sin()\n c = x[0]"))


@given(st.text() | st.text("()[]{}:=+-.,'\"\\ \nabdefi0\t\0#@%!?;\r\f"))
@example("\t=%'''#:")  # IPython's own reading of it ends in an IndexError
def test_whatever_is_written_is_forms_or_nothing(text):
    assert read_forms({"a": text, "b": "c = 1"})["b"]


def test_hostile_answers_cost_their_writer_alone():
    with GradingPool(1, preloaded=()) as pool:
        for name, source in HOSTILE.items():
            answers = forms_in(pool, {"hostile": source, "right": ANSWER})
            assert answers.keys() <= {"hostile", "right"}, name
        assert forms_in(pool, {"right": ANSWER})["right"] == forms(ANSWER)


def test_a_process_that_dies_takes_one_students_answers_with_it():
    with GradingPool(1, preloaded=()) as pool:
        assert forms_in(pool, Deadly()) == {}
        assert forms_in(pool, {"right": ANSWER}).keys() == {"right"}


class Deadly(dict):
    """Answers that end the process that unpacks them, as a crash of the parser would."""

    def __reduce__(self):
        import os

        return os._exit, (9,)
