"""How far a base carries: by hand, by Su's and Men et al.'s tables, and what is not monotone."""

import math

import pytest
import torch

from posenc_ref import base_bound, length_bound

pytestmark = pytest.mark.cpu_only("a number, computed on the CPU")


def test_one_pair_carries_until_its_cosine_is_negative():
    assert length_bound(2) == 2  # cos 0, cos 1 > 0, cos 2 < 0


def test_two_pairs_by_hand():
    # base 4: ω = 1 and 1/2; cos 2 + cos 1 = 0.12, cos 3 + cos 1.5 = -0.92
    assert length_bound(4, base=4.0) == 3


@pytest.mark.parametrize(
    ("length", "published"), [(1024, 4300), (2048, 12000), (4096, 27000), (8192, 84000)]
)
def test_smallest_bases_of_su_2024(length, published):
    """Scientific Spaces 10122, two digits, d = 128: a base that rounds to his, and none below."""
    half = 50 if published < 10000 else 500
    below = torch.linspace(published / 2, published - half, 40).tolist()
    rounded = torch.linspace(published - half, published + half, 101).tolist()
    assert published - half < base_bound(128, length, below + rounded) <= published + half


def test_ends_at_the_first_negative_lead():
    distance = torch.arange(3000, dtype=torch.float64)
    omega = 10000.0 ** (-torch.arange(64, dtype=torch.float64) / 64)
    lead = (distance[:, None] * omega).cos().sum(1)
    end = length_bound(128)
    assert lead[end] < 0 <= lead[:end].min()


def test_an_end_beyond_the_first_block():
    assert length_bound(128, base=500000.0) == 18438
    assert length_bound(128, base=500000.0, most=18438) == 18438
    assert length_bound(128, base=500000.0, most=9000) == 9000


def test_a_larger_base_may_carry_less():
    assert length_bound(128, base=11610.0, most=2048) == 2048 > length_bound(128, base=15000.0)


def test_smallest_of_the_bases_in_any_order():
    bases = [5e5, 15000.0, 1e4, 1e5]
    assert base_bound(128, 2048, bases) == 1e5
    assert base_bound(128, 2048, torch.tensor([*bases, 11610.0])) == 11610.0


@pytest.mark.parametrize("wrong", [0, -1])
def test_lengths_are_positive(wrong):
    with pytest.raises(ValueError, match="must be positive"):
        length_bound(128, most=wrong)
    with pytest.raises(ValueError, match="must be positive"):
        base_bound(128, wrong, [1e4])


def test_no_base_that_carries_is_an_error():
    with pytest.raises(ValueError, match="none of 2 bases carries 8192 tokens at dim = 128"):
        base_bound(128, 8192, [1e4, 2e4])
    with pytest.raises(TypeError, match="bases must be a list"):
        base_bound(128, 8192, 1e4)
    with pytest.raises(ValueError, match="base"):
        base_bound(128, 8192, [math.nan])


def test_a_length_below_one_is_named():
    with pytest.raises(ValueError, match="length must be positive, got 0"):
        base_bound(64, 0, [10000.0])
