"""The right numbers in another order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import torch
from torch import Tensor

from autograde.kit.relations.pair import Numbers, Relation, axis_words, choices, holds
from bilingual import Text

WIDEST = 256  # places of an axis whose order is searched
Move = Callable[[int], Tensor]  # from the size of an axis to the order of its places


def transposed(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with the truth with two axes swapped."""
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
    places = torch.arange(size)
    return places if size % 2 else places.reshape(-1, 2).flip(-1).flatten()


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
    for axis in range(-1, -min(pair.want.ndim for pair in pairs) - 1, -1):
        for words, move in MOVES:

            def image(pair: Numbers, axis: int = axis, move: Move = move) -> Tensor:
                return pair.want.index_select(axis, move(pair.want.shape[axis]))

            if holds(pairs, image, parameter=3):
                return _along(axis, pairs, words)
    return None


def _along(axis: int, pairs: Sequence[Numbers], words: Text) -> Text:
    single = all(pair.want.ndim == 1 for pair in pairs)
    en = "" if single else f" along {axis_words(axis).en}"
    zh = "" if single else f"沿{axis_words(axis).zh}"
    return Text(
        en=f"Your result is the right one{en}, {words.en}.",
        zh=f"把正确结果{zh}{words.zh}，就得到你的结果。",
    )


def permuted(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with the truth in any order of an axis, the same for all calls of its size."""
    for axis in range(-1, -min(pair.want.ndim for pair in pairs) - 1, -1):
        orders: dict[int, Tensor] = {}

        def image(pair: Numbers, axis: int = axis, orders: dict[int, Tensor] = orders) -> Tensor:
            size = pair.want.shape[axis]
            if size not in orders:
                orders[size] = _order(pair, axis)
            return pair.want.index_select(axis, orders[size])

        free = sum(choices(pair.want.shape[axis]) for pair in pairs[:1])
        if holds(pairs, image, parameter=free):
            order = max(orders.values(), key=len).tolist()
            places = ", ".join(map(str, order[:12])) + (", …" if len(order) > 12 else "")
            words = Text(
                en=f"in another order: its places {places}",
                zh=f"改成另一种次序（依次是第{places}位）",
            )
            return _along(axis, pairs, words)
    return None


def _order(pair: Numbers, axis: int) -> Tensor:
    """Return the place in the truth of each slice of the result; as they are if one is nowhere."""
    size = pair.want.shape[axis]
    same_order = torch.arange(size)
    if pair.got.shape != pair.want.shape or not 1 < size <= WIDEST:
        return same_order
    got, want = (side.movedim(axis, 0).reshape(size, -1) for side in (pair.got, pair.want))
    if not (got.isfinite().all() and want.isfinite().all()):
        return same_order
    nearest, place = torch.cdist(got, want, p=torch.inf).min(dim=1)
    fits = nearest.max() <= 10 * pair.tolerance and len(place.unique()) == size
    return place if fits else same_order


def shifted(pairs: Sequence[Numbers]) -> Text | None:
    """Compare each place with its neighbour in the truth; the place at the edge may be anything."""
    for axis in range(-1, -min(pair.want.ndim for pair in pairs) - 1, -1):
        for step in (1, -1):
            if all(_is_shifted(pair, axis, step) for pair in pairs) and _tells(pairs, axis):
                along, sign = axis_words(axis), "+" if step > 0 else "−"
                return Text(
                    en=f"Along {along.en} each place i of your result holds what belongs at "
                    f"i {sign} 1.",
                    zh=f"沿{along.zh}，你的结果第i位放的是本该在第i{sign}1位的数。",
                )
    return None


def _is_shifted(pair: Numbers, axis: int, step: int) -> bool:
    size = pair.want.shape[axis]
    if pair.got.shape != pair.want.shape or size < 3:
        return False
    early, late = 0, 1
    mine, right = (early, late) if step > 0 else (late, early)
    return pair.equal(
        pair.got.narrow(axis, mine, size - 1), pair.want.narrow(axis, right, size - 1)
    )


def _tells(pairs: Sequence[Numbers], axis: int) -> bool:
    # a truth whose neighbours are equal says nothing of a shift
    def image(pair: Numbers) -> Tensor:
        return pair.got

    changing = all(pair.want.diff(dim=axis).abs().max() > 10 * pair.tolerance for pair in pairs)
    return changing and holds(pairs, image)


RELATIONS: tuple[Relation, ...] = (transposed, moved, shifted)
LAST: tuple[Relation, ...] = (permuted,)
