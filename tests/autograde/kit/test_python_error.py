"""Python's and torch's own errors are explained: raised for real, in both languages."""

import re
import sys
from dataclasses import replace

import pytest
import torch

from autograde.grading.remote_answer import RemoteError
from autograde.kit.answer import Call
from autograde.kit.call_inputs import with_inputs
from autograde.kit.catalogue import exercise
from autograde.kit.python_error.explain import explained_error
from autograde.kit.scoring import evaluate
from autograde.notebook.report import report
from bilingual import Text

HANZI = re.compile(r"[一-鿿]")


def cause_of(answer):
    task = replace(exercise("double"), misconceptions=[])
    return evaluate(task, answer).cause


def three_by(x):
    return torch.ones(3, len(x) + 1)


def in_place_on_a_leaf(x):
    y = torch.zeros(2, requires_grad=True)
    y += 1


def in_place_on_a_view(x):
    y = torch.zeros(2, requires_grad=True)
    y[0] = 1


def no_value(x):
    if len(x) > 100:
        y = 1
    return y


def recursive(x):
    return recursive(x)


NOTHING = None


def unpacks_none(x):
    rows, _ = NOTHING
    return rows


def unpacks(x):
    rows, _ = x.shape
    return rows


ERRORS = {
    "shapes": (lambda x: x + torch.ones(7), "one has 3 places and the other 7"),
    "keepdim": (lambda x: three_by(x) / three_by(x).sum(1), "`keepdim=True`"),
    "matmul": (lambda x: three_by(x) @ three_by(x), "3x4 and 3x4"),
    "matmul that no transpose mends": (
        lambda x: three_by(x) @ torch.ones(8, 8),
        "3x4 and 8x8. They have no size in common, so no transpose helps",
    ),
    "matmul of batches": (lambda x: three_by(x)[None] @ three_by(x)[None], "transpose missing"),
    "vectors": (lambda x: x @ torch.ones(5), "last axis of the left"),
    "einsum": (
        lambda x: torch.einsum("id,jd->ij", three_by(x), torch.ones(5, 6)),
        "here `d` has two: 4, and 6 in operand 1, counted from 0",
    ),
    "einsum within one": (
        lambda x: torch.einsum("ii->i", three_by(x)),
        "`i` names two axes of operand 0, counted from 0, whose sizes are 4 and 3",
    ),
    "flat axis as complex": (
        lambda x: torch.view_as_complex(three_by(x)),
        r"size 2: first `x\.unflatten",
    ),
    "strided pairs as complex": (
        lambda x: torch.view_as_complex(three_by(x).T[:, :2]),
        r"`x\.contiguous\(\)` first",
    ),
    "index": (lambda x: x[9], "An index goes beyond|Index 9"),
    "index of an axis": (lambda x: x[torch.tensor([9])], "An index goes beyond|Index 9"),
    "embedding": (lambda x: torch.nn.functional.embedding(torch.tensor([9]), three_by(x)), "index"),
    "axis": (lambda x: x.sum(4), "Axis 4 does not exist"),
    "not long": (lambda x: x[torch.tensor([0.0])], "Only integers can be indices"),
    "size of floats": (lambda x: torch.ones(3, len(x) / 1), "can be indices and sizes"),
    "axis of floats": (lambda x: x.unsqueeze(0 / 1), "can be indices and sizes"),
    "view of floats": (lambda x: x.view(len(x) / 1, 1), "can be indices and sizes"),
    "float in brackets": (lambda x: x[len(x) / 2], "can be indices and sizes"),
    "range of floats": (lambda x: list(range(len(x) / 1)), "Only integers can be indices"),
    "not float": (lambda x: torch.softmax(x.long(), 0), "needs floats"),
    "mean of integers": (lambda x: x.long().mean(), "needs floats"),
    "dtypes": (lambda x: three_by(x).double() @ three_by(x).T, "different dtypes"),
    "ambiguous": (lambda x: x if x > 0 else -x, "`torch.where"),
    "missing": (lambda x, y: x, "<lambda>` lacks the argument 'y'. If it is your own function"),
    "missing in a call": (lambda x: three_by(), "The call of `three_by` lacks the argument 'x'"),
    "missing two": (lambda x, y, z: x, "lacks the arguments 'y' and 'z'."),
    "too many": (lambda: 1, "<lambda>` takes 0 arguments and was called with 1"),
    "unexpected": (lambda x: three_by(y=x), "The call of `three_by` names the argument 'y'"),
    "leaf": (in_place_on_a_leaf, "Compute a new tensor"),
    "view": (in_place_on_a_view, "Compute a new tensor"),
    "expanded": (lambda x: torch.ones(1).expand(len(x)).add_(x), "without a copy"),
    "unsupported": (lambda x: [1] / 2, "does not work between list and int"),
    "None": (lambda x: None + 1, "is None: an argument that was left out"),
    "in None": (lambda x: 1 in None, "You look into None"),
    "index of None": (lambda x: NOTHING[0], "You look into None"),
    "for in None": (lambda x: list(None), "You look into None"),
    "length of None": (lambda x: len(None), "You look into None"),
    "mapping of None": (lambda x: {**None}, "You look into None"),
    "unpacked None": (unpacks_none, "You look into None"),
    "index of a number": (lambda x: len(x)[0], "a value of type int"),
    "attribute of None": (lambda x: None.shape, "You use `.shape` on None"),
    "attribute": (lambda x: x.transposed(0, 1), "Did you mean `.transpose"),
    "empty": (lambda x: x[:0].max(), "nothing here|empty"),
    "empty sequence": (lambda x: max([]), "nothing here"),
    "one element": (lambda x: float(x), "one number"),
    "numpy": (lambda x: x.requires_grad_().sin().numpy(), "detach"),
    "not a tensor": (lambda x: torch.sin(3.0), "needs a tensor"),
    "not callable": (lambda x: len(x)(x), "is a `*` missing"),
    "view of another size": (lambda x: x.view(7), "do not fill the shape [7]"),
    "list in two axes": (lambda x: x.tolist()[0, 1], "with nested lists use"),
    "maximum in brackets": (lambda x: three_by(x).max(1)[:, None], "take `x.max(dim).values`"),
    "maximum plus one": (lambda x: three_by(x).max(1) + 1, "gives two things, values and places"),
    "maximum less one": (lambda x: three_by(x).max(1) - 1, "gives two things, values and places"),
    "list by a name": (lambda x: x.tolist()["a"], "looks into a dictionary, and this is a list"),
    "list by None": (lambda x: x.tolist()[NOTHING], "The index is None"),
    "list by a float": (lambda x: x.tolist()[len(x) / 2], "Only integers can be indices"),
    "no brackets": (lambda x: x * x.cos, "without its brackets"),
    "size in brackets": (lambda x: x.size[0], "without its brackets"),
    "tensor of None": (lambda x: torch.tensor([NOTHING]), "lack its `return`"),
    "tensor of a generator": (lambda x: torch.tensor(y for y in x), "square brackets"),
    "tensor of a function": (lambda x: torch.tensor([len]), "not of a builtin_function_or_method"),
    "no element": (lambda x: x[:0].item(), "this one is empty"),
    "floats into integers": (lambda x: x.long().div_(2), "cannot hold these floats"),
    "no key": (lambda x: {1: x}[2], "A dictionary of yours has no key 2"),
    "unpack": (unpacks, "number of names"),
    "unassigned": (no_value, "`y` is read before it has a value"),
    "division": (lambda x: 1 / (len(x) - len(x)), "A division by 0"),
    "cat": (lambda x: torch.stack((x, x[:1])), "`dim`"),
    "exit": (lambda x: sys.exit(), "leave a function with `return`"),
    "recursion": (recursive, "calls itself without end"),
    "typo": (lambda x: torhc.sin(x), "Did you mean `torch`"),  # noqa: F821 - the point of it
}


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("name", ERRORS)
def test_an_error_is_explained(name):
    answer, words = ERRORS[name]
    cause = cause_of(answer)
    assert cause is not None
    assert cause.kind == "error"
    assert words in cause.sentence.en or re.search(words, cause.sentence.en)
    assert HANZI.search(cause.sentence.zh)
    assert "{" not in cause.sentence.en


def test_the_shapes_of_the_call_stand_below_the_explanation():
    cause = cause_of(lambda x: x + torch.ones(7))
    assert cause.sentence.en.endswith("In this call: `x` (3,).")
    assert cause.sentence.zh.endswith("这次调用中：`x` (3,)。")


def test_an_error_of_ones_own_is_left_as_it_is():
    def raises(x):
        raise ValueError("dim must be even")

    assert cause_of(raises) is None


def test_the_report_keeps_the_message_and_adds_the_explanation():
    words = report(evaluate(exercise("double"), lambda x: x @ torch.ones(5)))
    assert "inconsistent tensor size" in words
    assert "➤ The shapes of this matrix product do not fit" in words
    assert "Likely cause" not in words


def test_an_error_out_of_a_worker_is_explained_alike():
    here = cause_of(lambda x: x + torch.ones(7))
    text = "The size of tensor a (3) must match the size of tensor b (7) at non-singleton dimension"
    error = RemoteError({"type": "RuntimeError", "text": f"{text} 0", "line": "", "repr": ""})
    call = Call((torch.arange(3.0),), {}, error=error)
    assert explained_error(exercise("double"), [call]) == here


@pytest.mark.parametrize(
    ("name", "en", "zh"),
    [
        ("math", "`math` has not been imported: `import math`.", "还没有导入`math`"),
        ("x", "Your function uses `x` but does not take it", "参数里却没有它"),
        ("toch", "Did you mean `torch`?", "是不是`torch`？"),
    ],
)
def test_a_name_that_is_not_there_is_never_its_own_suggestion(name, en, zh):
    call = Call((), {}, error=NameError(f"name '{name}' is not defined"))
    cause = explained_error(exercise("double"), [call])
    assert en in cause.sentence.en
    assert zh in cause.sentence.zh


@pytest.mark.parametrize(("name", "is_word"), [("a", True), ("golden", True), ("gold", False)])
def test_a_word_of_a_chart_without_its_quotes_is_told(name, is_word):
    listed = Text(en="one of `shape`, `golden`", zh="`shape`或`golden`")
    task = replace(exercise("double"), signature="double() -> {case: (letter, test)}", task=listed)
    call = Call((), {}, error=NameError(f"name '{name}' is not defined"))
    cause = explained_error(task, [call])
    assert (cause is not None and f'write `"{name}"`' in cause.sentence.en) is is_word


def test_the_plain_inputs_of_a_failed_call_stand_in_the_reason():
    verdict = evaluate(exercise("double"), lambda x: x)
    assert all("(" not in outcome.reason.en[-20:] for outcome in verdict.outcomes if outcome.reason)
    call = Call((torch.ones(2), 3, [0.5, 2], None), {"name": "yarn"})
    task = replace(exercise("double"), signature="f(x, count, factors, start=None, name=None) -> x")
    reason = with_inputs(Text(en="wrong", zh="错"), task, call)
    words = "count = 3, factors = [0.5, 2], start = None, name = 'yarn'"
    assert (reason.en, reason.zh) == (f"wrong ({words})", f"错（{words}）")
    complete = Text(en="for count = 3 it is wrong", zh="count = 3时错")
    assert with_inputs(complete, task, call) == complete
