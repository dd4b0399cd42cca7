"""What an answer learns of a function that it is passed: results, one refusal, and no name."""

import copy
import traceback
from itertools import count

import pytest
import torch

from autograde.kit.callback import FLOATS, INTEGERS, Callback, Intended, has_axes
from autograde.kit.compare import same
from autograde.kit.expect import excerpt
from bilingual import Text

NEEDS = Text(en="f(x) takes a number", zh="f(x)的参数是一个数")


def arguments(x):
    return (float(x),)


def half(x):
    return x / 2


def inverse(x):
    return 1 / x


def raising(error):
    def fails(x):
        raise error

    return fails


def error_of(function):
    try:
        function(1)
    except Exception as error:
        return error


def test_it_returns_what_the_function_returns():
    assert Callback(half, NEEDS, arguments)(x=3) == 1.5


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [((), {}), ((1, 2), {}), ((), {"y": 1}), (("a",), {}), ((None,), {}), ((0,), {})],
)
def test_a_refusal_says_in_both_languages_what_a_call_needs_and_nothing_of_the_function(
    args, kwargs
):
    """Even where the function itself raises, as 1 / 0."""
    with pytest.raises(TypeError) as raised:
        Callback(inverse, NEEDS, arguments)(*args, **kwargs)
    assert str(raised.value) == "f(x)的参数是一个数 · f(x) takes a number"
    assert raised.value.__context__ is None
    assert raised.value.__cause__ is None


def test_an_intended_error_comes_as_it_is():
    fails = Callback(raising(Intended(IndexError("too far"))), NEEDS, arguments)
    with pytest.raises(IndexError, match=r"^too far$"):
        fails(1)


def test_an_intended_error_remembers_no_earlier_call():
    """Seen: a traceback of 2000 lines after 1000 calls, and the context of another call."""
    fails = Callback(raising(Intended(IndexError("too far"))), NEEDS, arguments)
    try:
        int("a")
    except ValueError:
        first = error_of(fails)
    again = error_of(fails)
    assert isinstance(first.__context__, ValueError)
    assert again.__context__ is None
    assert len(traceback.extract_tb(again.__traceback__)) == 2


def test_what_stops_a_reader_s_call_passes():
    with pytest.raises(KeyboardInterrupt):
        Callback(raising(KeyboardInterrupt()), NEEDS, arguments)(1)


def test_a_copy_is_the_same_function_and_its_words_have_no_name():
    numbers = count()
    one = Callback(lambda: next(numbers), NEEDS, lambda: ())
    assert same(copy.deepcopy([one]), [one])
    assert excerpt([one]) == "[<function>]"


def test_plain_tensors_alone_have_axes():
    x = torch.zeros(2, 3)
    assert has_axes(x, 2, FLOATS)
    assert has_axes(x.long(), 2, INTEGERS)
    assert not has_axes(x, 3, FLOATS)
    assert not has_axes(x, 2, INTEGERS)
    assert not has_axes(x.to("meta"), 2, FLOATS)
    assert not has_axes(x.to_sparse(), 2, FLOATS)
    assert not has_axes(x.to(torch.complex64), 2, FLOATS)
    assert not has_axes(x.numpy(), 2, FLOATS)
    assert not has_axes([[1.0]], 2, FLOATS)
