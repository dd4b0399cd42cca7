"""The right numbers in another order that has a name: axes swapped, reversed, halves, pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import torch
from torch import Tensor

from autograde.kit.relations.as_numbers import Numbers, Relation, axis_words
from autograde.kit.relations.evidence import holds
from bilingual import Text

Move = Callable[[int], Tensor]  # from the size of an axis to the order of its indices


def same_numbers(pair: Numbers) -> bool:
    """Return whether a result has the right numbers in any order; means rule most out."""
    got, want = pair.got.flatten(), pair.want.flatten()
    if got.shape != want.shape:
        return False
    means, tolerance = (got.abs().mean(), want.abs().mean()), pair.tolerance
    if not torch.allclose(*means, rtol=tolerance, atol=tolerance, equal_nan=True):
        return False
    return pair.equal(got.sort().values, want.sort().values)


def transposed(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with the truth with two axes swapped."""
    if not same_numbers(pairs[0]):
        return None
    least = min(pair.want.ndim for pair in pairs)
    axes = combinations(range(-1, -least - 1, -1), 2)
    for a, b in axes:
        if holds(pairs, lambda pair, a=a, b=b: pair.want.transpose(a, b)):
            which = Text(en="transposed", zh="转置")
            if (a, b) != (-1, -2):
                which = Text(
                    en=f"with axes {b} and {a} swapped",
                    zh=f"交换{axis_words(b).zh}和{axis_words(a).zh}",
                )
            elif least > 2:
                which = Text(en="with its last two axes swapped", zh="交换最后两维")
            return Text(
                en=f"Your result is the right one {which.en}.",
                zh=f"把正确结果{which.zh}，就得到你的结果。",
            )
    return None


def _reverse(size: int) -> Tensor:
    return torch.arange(size - 1, -1, -1)


def _roll(steps: int) -> Move:
    return lambda size: (torch.arange(size) + steps) % max(size, 1)


def _evens_first(size: int) -> Tensor:
    if size % 2:
        return torch.arange(size)  # has no halves and no pairs
    return torch.cat((torch.arange(0, size, 2), torch.arange(1, size, 2)))


def _halves_mixed(size: int) -> Tensor:
    return _evens_first(size).argsort()


def _neighbours(size: int) -> Tensor:
    indices = torch.arange(size)
    return indices if size % 2 else indices.reshape(-1, 2).flip(-1).flatten()


def _halves(size: int) -> Tensor:
    return _roll(0 if size % 2 else size // 2)(size)


MOVES: tuple[tuple[Text, Move], ...] = (
    (Text(en="in reverse order", zh="倒序排列"), _reverse),
    (Text(en="one place further on", zh="后移一位（末位绕回开头）"), _roll(-1)),
    (Text(en="one place back", zh="前移一位（首位绕到末尾）"), _roll(1)),
    (
        Text(
            en="with its two halves in turn: interleaved, where the right one is half-split",
            zh="改成前后两半交错（正确的是前后半排布，你的是交错排布）",
        ),
        _halves_mixed,
    ),
    (
        Text(
            en="with the even places first, then the odd ones: half-split, where the right one is "
            "interleaved",
            zh="改成先偶数位、后奇数位（正确的是交错排布，你的是前后半排布）",
        ),
        _evens_first,
    ),
    (Text(en="with the two of each pair exchanged", zh="把每一对的两个互换"), _neighbours),
    (Text(en="with its two halves exchanged", zh="把前后两半互换"), _halves),
)


def moved(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with the truth in another order along one axis."""
    if not same_numbers(pairs[0]):
        return None
    for axis in range(-1, -min(pair.want.ndim for pair in pairs) - 1, -1):
        for words, move in MOVES:

            def image(pair: Numbers, axis: int = axis, move: Move = move) -> Tensor:
                return pair.want.index_select(axis, move(pair.want.shape[axis]))

            if holds(pairs, image, parameter=3):
                return reordered_words(axis, pairs, words)
    return None


def reordered_words(axis: int, pairs: Sequence[Numbers], words: Text) -> Text:
    """Return the sentence for an order of the places along an axis."""
    single = all(pair.want.ndim == 1 for pair in pairs)
    en = "" if single else f" along {axis_words(axis).en}"
    zh = "" if single else f"沿{axis_words(axis).zh}"
    return Text(
        en=f"Your result is the right one{en}, {words.en}.",
        zh=f"把正确结果{zh}{words.zh}，就得到你的结果。",
    )


RELATIONS: tuple[Relation, ...] = (transposed, moved)
