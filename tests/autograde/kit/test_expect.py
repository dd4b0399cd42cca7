"""The reason beside a wrong value says what is wrong with it, and nothing that is not so."""

import math

import numpy as np
import pytest
import torch

from autograde.kit.expect import Wrong, excerpt, expect_other
from autograde.kit.expect_values import expect_close, expect_number


def reason(check, got, want):
    with pytest.raises(Wrong) as wrong:
        check(got, want)
    return wrong.value.reason


@pytest.mark.parametrize("value", ["x" * 9999, list(range(9999)), {1: "y" * 9999}, 10**2000])
def test_a_message_repeats_the_beginning_of_what_was_returned(value):
    assert len(excerpt(value)) <= 300
    assert excerpt([1, "a"]) == "[1, 'a']"


def test_a_reason_has_an_end():
    reason = Wrong("e" * 9999, "中" * 9999).reason
    assert (len(reason.en), len(reason.zh)) == (900, 900)


def test_one_wrong_value_of_a_thousand_is_not_100_percent_right():
    want = torch.arange(1000.0)
    text = reason(expect_close, want + (want == 999), want)
    assert text.en == "99% of the values are right; at [999] yours is 1000, expected 999"
    assert text.zh == "99%的值正确；在[999]处你的结果是1000，应为999"


def test_numbers_that_differ_late_are_shown_with_the_digits_that_differ():
    want = torch.tensor([3070.8212345], dtype=torch.float64)
    with pytest.raises(Wrong, match=r"yours is 3070\.8213, expected 3070\.8212$"):
        expect_close(want + 1e-4, want, rtol=1e-9)


def test_a_single_number_stands_at_no_place():
    want = torch.tensor(0.5)
    assert reason(expect_close, torch.tensor(0.25), want).en == "yours is 0.25, expected 0.5"
    assert reason(expect_close, want + torch.nan, want).zh == "结果中有NaN"


def test_whole_numbers_are_shown_whole():
    assert reason(expect_number, 9437184.0, 9447185).en == "yours is 9437184, expected 9447185"


def test_zero_has_no_sign():
    want = torch.tensor([-0.0])
    assert reason(expect_close, torch.ones(1), want).en.endswith("yours is 1, expected 0")


@pytest.mark.parametrize("two", [2, 2.0, np.float32(2), np.int64(2), torch.tensor([2])])
def test_a_number_of_any_library_is_a_number(two):
    expect_number(two, 2.0)
    assert reason(expect_number, two, 3.0).en == "yours is 2, expected 3"


def test_a_number_of_numpy_is_not_compared_in_its_own_bits():
    """abs(np.int8(-128)) is -128, and in float16 2048 and 2049 are one number."""
    assert reason(expect_number, np.int8(-128), 0.0).en == "yours is -128, expected 0"
    assert reason(expect_number, np.float16(2048), 2049.0).en == "yours is 2048, expected 2049"


def test_infinity_equals_infinity_alone():
    for infinity in (math.inf, -math.inf):
        expect_number(infinity, infinity)
        assert reason(expect_number, infinity, -infinity)


def test_numbers_that_depend_on_nothing_are_told():
    first, other = torch.ones(2), torch.zeros(2)
    expect_other(first, other)
    assert reason(expect_other, first, first.clone()).en.endswith("same numbers for other inputs")


@pytest.mark.parametrize("other", [True, np.bool_(True), "2", 2 + 0j, [2.0]])
def test_a_value_that_is_not_a_number_is_refused_by_its_type(other):
    assert type(other).__name__ in reason(expect_number, other, 2.0).zh
