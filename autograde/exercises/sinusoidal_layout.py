"""Exercise sinusoidal_layout: the permutation between the two layouts of the table."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text
from posenc_ref.sinusoidal import sinusoidal

exercise = Exercise(
    id="sinusoidal_layout",
    chapter="02_sinusoidal",
    title=Text(en="From one layout to the other", zh="从一种排布到另一种"),
    task=Text(
        en="""Return the order of channels that turns an interleaved table (sine, cosine, sine, …)
into a concatenated one (all sines, then all cosines) by indexing:
`interleaved[:, order]` equals `concatenated`.

In: `dim` even. Out: an integer tensor of shape `(dim,)` that holds each of 0 … dim−1 once.""",
        zh="""返回通道的排列顺序：用它做索引，就能把交错排布的表（正弦、余弦、正弦……）
变成拼接排布的表（先全部正弦，再全部余弦），即`interleaved[:, order]`等于`concatenated`。

输入：`dim`为偶数。输出：形状为`(dim,)`的整数张量，0到dim−1各出现一次。""",
    ),
    signature="sinusoidal_layout(dim) -> (dim,)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="`order[c]` answers: which interleaved column becomes column `c`?",
            zh="`order[c]`回答的是：交错表里哪一列变成了第`c`列？",
        ),
        Text(
            en="The sines are in columns 0, 2, 4, …; the cosines in 1, 3, 5, …",
            zh="正弦在第0、2、4……列，余弦在第1、3、5……列。",
        ),
        Text(
            en="Join `torch.arange(0, dim, 2)` and `torch.arange(1, dim, 2)` with `torch.cat`.",
            zh="用`torch.cat`把`torch.arange(0, dim, 2)`和`torch.arange(1, dim, 2)`接起来。",
        ),
    ),
)


@exercise.truth
def sines_first(dim: int) -> Tensor:
    return torch.arange(dim).view(-1, 2).T.flatten()  # rows of the transpose: sines, cosines


def _dims(rng: torch.Generator) -> tuple[int, ...]:
    few, many = (2 * torch.randint(3, 30, (2,), generator=rng)).tolist()
    return 6, few, 100 + many


@exercise.check(
    en="holds each of the channels 0 … dim−1 exactly once", zh="0到dim−1每个通道恰好出现一次"
)
def permutation(answer: Function, rng: torch.Generator) -> None:
    for dim in (*_dims(rng), 2):  # at 2 every order with the sine first is the right one
        order = expect_shape(answer(dim), (dim,))
        expect(
            order.dtype in (torch.int64, torch.int32),
            f"the dtype is {order.dtype}: an index must be an integer",
            f"dtype为{order.dtype}：索引必须是整数",
        )
        expect(
            order.sort().values.tolist() == list(range(dim)),
            "some channel is missing or appears twice: information would be lost",
            "有通道缺失或重复：这样会丢信息",
        )


@exercise.check(
    en="turns the interleaved table into the concatenated one",
    zh="把交错排布的表变成拼接排布的表",
    weight=4,
)
def reorders(answer: Function, rng: torch.Generator) -> None:
    positions = torch.randint(1, 60, (8,), generator=rng)
    for dim in _dims(rng):
        order = expect_shape(answer(dim), (dim,)).long()
        expect(
            int(order.min()) >= 0 and int(order.max()) < dim,
            "an index lies outside 0 … dim−1",
            "有索引超出了0到dim−1",
        )
        table = sinusoidal(positions, dim)
        want = sinusoidal(positions, dim, layout="concatenated")
        expect_close(table[:, order], want)


@exercise.misconception(
    en="This is the inverse: it turns concatenated into interleaved. `order[c]` is the old column "
    "that comes to place c, not the place that old column c goes to.",
    zh="这是逆置换：它把拼接排布变回交错排布。`order[c]`是来到第c列的旧列号，而不是旧的第c列的去处。",
)
def inverse(dim: int) -> Tensor:
    return torch.arange(dim).view(2, -1).T.flatten()


@exercise.misconception(
    en="Cosines first: you took the odd columns before the even ones.",
    zh="余弦跑到前面了：你先取了奇数列，再取偶数列。",
)
def odd_first(dim: int) -> Tensor:
    return torch.cat((torch.arange(1, dim, 2), torch.arange(0, dim, 2)))


@exercise.misconception(
    en="You exchanged the two halves of the channels. That turns [sin | cos] into [cos | sin] but "
    "does not gather the sines of an interleaved table.",
    zh="你把前后两半通道对调了。这只会把[sin | cos]变成[cos | sin]，"
    "并不能把交错表里的正弦收到一起。",
)
def swapped_halves(dim: int) -> Tensor:
    return torch.arange(dim).roll(dim // 2)


@exercise.misconception(
    en="You exchanged sine and cosine inside each pair; the pairs are still interleaved.",
    zh="你只在每一对内部交换了正弦和余弦，各对仍然是交错的。",
)
def swapped_pairs(dim: int) -> Tensor:
    return torch.arange(dim).view(-1, 2).flip(1).flatten()


@exercise.misconception(
    en="Nothing moves: this is the order 0, 1, 2, …, and the table stays interleaved.",
    zh="通道都在原处：这是0、1、2……的顺序，表仍是交错排布。",
)
def nothing_moves(dim: int) -> Tensor:
    return torch.arange(dim)


@exercise.misconception(
    en="These are the sines alone, the even columns: half of the channels are gone. The odd ones, "
    "the cosines, come after them.",
    zh="这里只有正弦，即偶数列：一半的通道不见了。后面还要接上奇数列，即余弦。",
)
def sines_alone(dim: int) -> Tensor:
    return torch.arange(0, dim, 2)
