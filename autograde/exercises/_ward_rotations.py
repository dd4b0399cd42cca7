"""The misconceptions of ward 2 of the bug clinic, whose patients rotate queries and keys."""

from collections.abc import Callable

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise

Pair = tuple[Tensor, Tensor]


def angles_of(x: Tensor, start: int, width: int | None = None) -> Tensor:
    """Return the angles (L, D/2) of x (B, H, L, D); width divides the exponent instead of D."""
    D = x.shape[3]
    omega = [10000.0 ** (-i / (width or D)) for i in range(0, D, 2)]
    at = torch.arange(start, start + x.shape[2], dtype=torch.float64)
    return torch.outer(at, torch.tensor(omega, dtype=torch.float64))


def turned(x: Tensor, start: int, sign: float = 1.0, width: int | None = None) -> Tensor:
    """Return x in RoPE's half-split layout; sign -1 turns the other way."""
    return by_angles(x, sign * angles_of(x, start, width))


def by_angles(x: Tensor, angles: Tensor) -> Tensor:
    """Return x with pair i, channels i and i + D/2, turned by angles (..., D/2)."""
    (a, b), c, s = x.double().chunk(2, -1), angles.cos(), angles.sin()
    return torch.cat((a * c - b * s, a * s + b * c), -1).to(x.dtype)


def neighbours_paired(x: Tensor, start: int) -> Tensor:
    """Return x with channels 2i and 2i + 1 turned as a pair."""
    apart = torch.cat((x[..., 0::2], x[..., 1::2]), -1)
    return torch.stack(turned(apart, start).chunk(2, -1), -1).flatten(-2)


def add_wrong_rotations(exercise: Exercise) -> None:
    """Add what the patients of the ward compute, and what half a mend makes of them."""
    _add_wrong_axes(exercise)
    _add_wrong_pairs(exercise)
    _add_wrong_angles(exercise)


def _add_wrong_axes(exercise: Exercise) -> None:
    def by_head(x: Tensor, start: int) -> Tensor:
        return turned(x.transpose(1, 2), start).transpose(1, 2)

    @exercise.misconception(
        en="Still case 7: head h is turned as if it stood at position h, and all tokens alike. The "
        "scores no longer know where a token is.",
        zh="这还是病例7：第h个头转得像在位置h，所有词元却转得一样。得分再也看不出词元在哪里。",
    )
    def along_heads(q: Tensor, k: Tensor, start: int = 0) -> Pair:
        return by_head(q, start), by_head(k, start)

    @exercise.misconception(
        en="You rotated the queries along the tokens; the keys are still rotated along the heads.",
        zh="查询已沿词元旋转，键却还沿着头旋转。",
    )
    def keys_along_heads(q: Tensor, k: Tensor, start: int = 0) -> Pair:
        return turned(q, start), by_head(k, start)

    @exercise.misconception(
        en="You rotated the keys along the tokens; the queries are still rotated along the heads.",
        zh="键已沿词元旋转，查询却还沿着头旋转。",
    )
    def queries_along_heads(q: Tensor, k: Tensor, start: int = 0) -> Pair:
        return by_head(q, start), turned(k, start)

    @exercise.misconception(
        en="You exchanged heads and tokens to rotate, and did not exchange them back.",
        zh="你为了旋转对调了头和词元两个轴，转完没有换回来。",
    )
    def left_exchanged(q: Tensor, k: Tensor, start: int = 0) -> Pair:
        return turned(q, start).transpose(1, 2), turned(k, start).transpose(1, 2)

    def frequencies(x: Tensor) -> Tensor:
        return 10000.0 ** (-torch.arange(0, x.shape[3], 2) / x.shape[3])

    @exercise.misconception(
        en="You count the tokens now, but `[:, None, None]` still lays them along the heads: (L, "
        "1, D/2). One `None` is enough.",
        zh="数的已经是词元，可`[:, None, None]`仍把它们排在头的轴上：(L, 1, D/2)。只要一个`None`。",
    )
    def tokens_along_heads(q: Tensor, k: Tensor, start: int = 0) -> Pair:
        at = torch.arange(start, start + q.shape[2])[:, None, None]
        return by_angles(q, at * frequencies(q)), by_angles(k, at * frequencies(k))

    @exercise.misconception(
        en="`reshape` to (B, L, H, D) does not move the tokens to axis 1; it cuts the numbers "
        "again, and the tokens of several heads are mixed. Exchange axes with `transpose(1, 2)`.",
        zh="`reshape`成(B, L, H, D)并没有把词元挪到第1轴，而是把数字重新切分："
        "几个头的词元混在了一起。要用`transpose(1, 2)`对调两个轴。",
    )
    def reshaped_not_transposed(q: Tensor, k: Tensor, start: int = 0) -> Pair:
        B, H, L, D = q.shape
        shape = B, L, H, D
        at = torch.arange(start, start + L)[:, None, None] * frequencies(q)
        return tuple(by_angles(x.reshape(shape), at).reshape(x.shape) for x in (q, k))

    @exercise.misconception(
        en="The tokens are counted on from head to head: token 0 of head 1 follows the last token "
        "of head 0. All heads read the same text, so position is along axis 2 alone.",
        zh="词元从一个头接着数到下一个头：第1个头的词元0接在了第0个头的后面。"
        "各个头读的是同一段文本，位置只沿第2轴走。",
    )
    def counted_through_heads(q: Tensor, k: Tensor, start: int = 0) -> Pair:
        at = torch.arange(start, start + q.shape[1] * q.shape[2]).view(q.shape[1:3])[..., None]
        return by_angles(q, at * frequencies(q)), by_angles(k, at * frequencies(k))

    @exercise.misconception(
        en="The angles lie along the tokens now, but there are as many as heads: `q.shape[1]` is "
        "H.",
        zh="角度已经排在词元的轴上，个数却是头数：`q.shape[1]`是H。",
    )
    def as_many_as_heads(q: Tensor, k: Tensor, start: int = 0) -> Pair:
        at = torch.arange(start, start + q.shape[1])[:, None]
        return by_angles(q, at * frequencies(q)), by_angles(k, at * frequencies(k))


def _add_both(exercise: Exercise, en: str, zh: str, turn: Callable[[Tensor, int], Tensor]) -> None:
    def both(q: Tensor, k: Tensor, start: int = 0) -> Pair:
        return turn(q, start), turn(k, start)

    both.__name__ = turn.__name__
    exercise.misconception(en=en, zh=zh)(both)


def _add_wrong_pairs(exercise: Exercise) -> None:
    @exercise.misconception(
        en="This is case 5: the query pairs channel i with i + D/2, the key pairs neighbours.",
        zh="这是病例5：查询把通道i与i + D/2配对，键却把相邻的配对。",
    )
    def two_layouts(q: Tensor, k: Tensor, start: int = 0) -> Pair:
        return turned(q, start), neighbours_paired(k, start)

    _add_both(
        exercise,
        "You pair neighbouring channels: distances are right, but this checkpoint pairs i with "
        "i + D/2.",
        "你把相邻的通道配成对：距离没错，可这份权重配的是i与i + D/2。",
        neighbours_paired,
    )

    def first_overwritten(x: Tensor, start: int) -> Tensor:
        (a, b), angles = x.double().chunk(2, -1), angles_of(x, start)
        a = a * angles.cos() - b * angles.sin()
        b = a * angles.sin() + b * angles.cos()
        return torch.cat((a, b), -1).to(x.dtype)

    _add_both(
        exercise,
        "This is case 9: the first half is overwritten before the second is computed from it, so "
        "lengths change.",
        "这是病例9：后一半还没算，前一半就被覆盖了，于是长度变了。",
        first_overwritten,
    )

    def without_minus(x: Tensor, start: int) -> Tensor:
        (a, b), angles = x.double().chunk(2, -1), angles_of(x, start)
        c, s = angles.cos(), angles.sin()
        return torch.cat((a * c + b * s, a * s + b * c), -1).to(x.dtype)

    _add_both(
        exercise,
        "The minus is missing: that is not a rotation; lengths change.",
        "少了负号：这不是旋转，长度会变。",
        without_minus,
    )


def _add_wrong_angles(exercise: Exercise) -> None:
    def clockwise(x: Tensor, start: int) -> Tensor:
        return turned(x, start, -1.0)

    _add_both(
        exercise,
        "This is case 6: everything turns clockwise, so past and future are swapped in the scores.",
        "这是病例6：全都顺时针转，得分里过去和未来对调了。",
        clockwise,
    )

    @exercise.misconception(
        en="Queries turn anticlockwise, keys clockwise: now the score depends on the sum of the "
        "positions.",
        zh="查询逆时针转，键顺时针转：得分变成取决于两个位置之和。",
    )
    def keys_clockwise(q: Tensor, k: Tensor, start: int = 0) -> Pair:
        return turned(q, start), turned(k, start, -1.0)

    @exercise.misconception(
        en="Keys turn anticlockwise, queries clockwise: now the score depends on the sum of the "
        "positions.",
        zh="键逆时针转，查询顺时针转：得分变成取决于两个位置之和。",
    )
    def queries_clockwise(q: Tensor, k: Tensor, start: int = 0) -> Pair:
        return turned(q, start, -1.0), turned(k, start)

    def by_the_width_of_the_model(x: Tensor, start: int) -> Tensor:
        return turned(x, start, width=x.shape[1] * x.shape[3])

    _add_both(
        exercise,
        "This is case 8: the exponent is divided by the width of the model, H·D, so with several "
        "heads no pair is slow.",
        "这是病例8：指数除以了模型的宽度H·D，头一多就没有低频对。",
        by_the_width_of_the_model,
    )

    def by_the_number_of_pairs(x: Tensor, start: int) -> Tensor:
        return turned(x, start, width=x.shape[3] // 2)

    _add_both(
        exercise,
        "You divide the exponent by D/2, the number of pairs: each frequency is the square of what "
        "it should be.",
        "指数除以了对的个数D/2：每个频率都成了应有值的平方。",
        by_the_number_of_pairs,
    )

    def without_the_two(x: Tensor, start: int) -> Tensor:
        return turned(x, start, width=2 * x.shape[3])

    _add_both(
        exercise,
        "The 2 of the exponent is missing: −i/D in place of −2i/D makes each frequency the root of "
        "what it should be, so that every pair but the first turns too fast.",
        "指数里漏了2：−2i/D写成了−i/D，每个频率都成了应有值的平方根，除第一对外都转得太快。",
        without_the_two,
    )

    def whole_exponents(x: Tensor, start: int) -> Tensor:
        at = torch.arange(start, start + x.shape[2])[:, None]
        return by_angles(x, at * torch.ones(x.shape[3] // 2))

    _add_both(
        exercise,
        "`//` rounds every exponent down to 0: all pairs turn by 1 radian per token, and none is "
        "slow. Divide with `/`.",
        "`//`把指数全都舍成了0：所有的对都是每个词元转1弧度，没有低频对。要用`/`来除。",
        whole_exponents,
    )

    def start_added_to_angles(x: Tensor, start: int) -> Tensor:
        return by_angles(x, angles_of(x, 0) + start)

    _add_both(
        exercise,
        "`start` is added to the angles, so every pair turns on by as many radians. It is a "
        "position: add it before the frequencies are multiplied.",
        "`start`加到了角度上，于是每一对都多转了那么多弧度。它是位置：要在乘频率之前加。",
        start_added_to_angles,
    )

    def start_lost(x: Tensor, start: int) -> Tensor:
        return turned(x, 0)

    _add_both(
        exercise,
        "`start` is lost: every call begins at position 0.",
        "`start`丢了：每次调用都从位置0开始。",
        start_lost,
    )

    @exercise.misconception(
        en="The keys have lost `start`: they count from 0 in every call, and the queries do not.",
        zh="键丢了`start`：每次调用都从0数起，查询却没有。",
    )
    def keys_from_zero(q: Tensor, k: Tensor, start: int = 0) -> Pair:
        return turned(q, start), turned(k, 0)
