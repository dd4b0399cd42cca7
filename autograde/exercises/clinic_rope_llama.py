"""Exercise clinic_rope_llama: weights for a rotation that goes the other way."""

import torch
from torch import Tensor

from autograde.exercises._ward_rotations import turned
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_dtype, expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="clinic_rope_llama",
    chapter="12_bug_clinic",
    title=Text(
        en="Weights for a model in a mirror",
        zh="给镜子里的模型换权重",
    ),
    task=Text(
        en=r"""`case_6` runs on a device that you cannot change, and it is to serve a Llama
checkpoint in Hugging Face's format, which was trained with RoPE. Convert the checkpoint instead:
return the weight of a projection so that `case_6` on the converted queries and keys gives the
scores of RoPE on the original ones, at all positions.

In: `weight` $(H\cdot D,d)$ of $W_Q$ or $W_K$, the rows of head 0 first; `heads` is $H$; channels
$i$ and $i+D/2$ of a head are a pair. Queries are `x @ weight.T`, cut into heads. Out: the new
weight, same shape and dtype. The same function converts $W_Q$ and $W_K$.""",
        zh=r"""`case_6`跑在一台你改不了的设备上，却要用来运行一份Hugging Face格式的Llama
checkpoint，它是用RoPE训练的。那就转换权重：返回投影的新权重，使`case_6`作用于转换后的查询和键时，
在所有位置上得分都等于RoPE作用于原来的查询和键。

输入：`weight`，形状$(H\cdot D,d)$，即$W_Q$或$W_K$，先是0号头的各行；`heads`就是$H$；
头内的通道$i$与$i+D/2$为一对。查询是`x @ weight.T`，再切成各个头。输出：新的权重，形状和dtype不变。
$W_Q$和$W_K$都用这一个函数转换。""",
    ),
    signature="clinic_rope_llama(weight, heads) -> weight",
    points=1,
    difficulty=3,
    minutes=10,
    hints=(
        Text(
            en="Look at one pair, in the plane. Turning clockwise is turning anticlockwise, seen "
            "in a mirror. Which mirrors do you know?",
            zh="在平面上看一对通道。顺时针转，就是在镜子里看逆时针转。你知道哪些镜子？",
        ),
        Text(
            en="Mirror both the query and the key: a dot product does not notice. So look for a "
            "map M of the plane with M·M = 1 that turns one direction into the other.",
            zh="查询和键都照镜子，点积不会变。所以要找平面上的一个映射M：M·M = 1，"
            "并且把一种转向变成相反的转向。",
        ),
        Text(
            en="(a, b) ↦ (a, −b) is such a mirror. Which rows of the weight make the b of every "
            "head? `unflatten` shows them.",
            zh="(a, b) ↦ (a, −b)就是这样一面镜子。权重的哪些行产生各个头的b？"
            "用`unflatten`拆开就看得到。",
        ),
    ),
)


@exercise.truth
def second_half_negated(weight: Tensor, heads: int) -> Tensor:
    """Return the weight whose heads have the second channel of each pair negated."""
    if len(weight) % (2 * heads):  # an error of torch takes half a millisecond
        raise ValueError(f"{len(weight)} rows are not those of {heads} heads of an even size")
    first, second = weight.unflatten(0, (heads, 2, -1)).unbind(1)
    return torch.stack((first, -second), 1).flatten(0, 2)


def _weights(rng: torch.Generator, heads: int, D: int, d: int) -> tuple[Tensor, Tensor]:
    return tuple(torch.randn(2, heads * D, d, generator=rng).unbind())


@exercise.check(en="shape and dtype of the weight", zh="形状和dtype与权重相同")
def shape(answer: Function, rng: torch.Generator) -> None:
    for heads, D, d, dtype in ((2, 8, 5, torch.float32), (1, 2, 1, torch.bfloat16)):
        weight = torch.randn(heads * D, d, generator=rng).to(dtype)
        expect_dtype(expect_shape(answer(weight, heads), (heads * D, d)), dtype)


@exercise.check(en="vectors keep their lengths", zh="向量的长度不变", weight=1)
def lengths(answer: Function, rng: torch.Generator) -> None:
    for heads, D in ((1, 4), (3, 10)):
        weight, _ = _weights(rng, heads, D, 6)
        got = expect_shape(answer(weight, heads), (heads * D, 6))
        new, old = (w.unflatten(0, (heads, D)).norm(dim=1) for w in (got, weight))
        expect_close(new, old)


@exercise.check(
    en="case 6 gives the scores of RoPE, head by head", zh="病例6逐头给出RoPE的得分", weight=3
)
def scores(answer: Function, rng: torch.Generator) -> None:
    for heads, D, d, length in ((2, 8, 5, 6), (3, 10, 24, 7), (1, 2, 3, 4)):
        x, start = torch.randn(1, length, d, generator=rng), 5
        weights = _weights(rng, heads, D, d)
        converted = [expect_shape(answer(w, heads), (heads * D, d)) for w in weights]
        got = _scores(x, converted, heads, start, clockwise=True)
        expect_close(got, _scores(x, weights, heads, start, clockwise=False), atol=1e-3)


def _scores(
    x: Tensor, weights: list[Tensor], heads: int, start: int, clockwise: bool
) -> Tensor:  # (1, H, L, L)
    cut = ((x @ w.T).unflatten(2, (heads, -1)).transpose(1, 2) for w in weights)
    q, k = (turned(each, start, -1.0 if clockwise else 1.0) for each in cut)
    return q @ k.mT


@exercise.misconception(
    en="The weight is unchanged: case 6 swaps past and future, so the score of 5 and 3 becomes "
    "that of 3 and 5.",
    zh="权重没有变：病例6把过去和未来对调，5与3的得分成了3与5的得分。",
)
def unchanged(weight: Tensor, heads: int) -> Tensor:
    return weight.clone()


@exercise.misconception(
    en="You negated all rows, or all of some heads: both channels of a pair change their sign, "
    "which is half a turn, not a mirror.",
    zh="你把所有行，或某些头的所有行取负了：一对的两个通道都变号，那是转半圈，不是照镜子。",
)
def all_negated(weight: Tensor, heads: int) -> Tensor:
    return -weight


@exercise.misconception(
    en="You negated the second half of the whole matrix: those are the last heads. Cut the rows "
    "into heads first.",
    zh="你把整个矩阵的后一半取负了：那是靠后的几个头。要先把行切成各个头。",
)
def last_heads_negated(weight: Tensor, heads: int) -> Tensor:
    first, second = weight.chunk(2)
    return torch.cat((first, -second))


heads_exchanged = exercise.misconception(
    en="You exchanged heads, as swapping the halves of the whole matrix does. Cut the rows into "
    "heads first, then swap the two halves of each.",
    zh="你对调的是头：把整个矩阵的前后两半对调，就会这样。要先把行切成各个头，再对调每个头的两半。",
)


@heads_exchanged
def halves_of_the_matrix_swapped(weight: Tensor, heads: int) -> Tensor:
    first, second = weight.chunk(2)
    return torch.cat((second, first))


@heads_exchanged
def heads_reversed(weight: Tensor, heads: int) -> Tensor:
    return weight.unflatten(0, (heads, -1)).flip(0).flatten(0, 1)


@exercise.misconception(
    en="You reversed all the rows of each head. That swaps the halves, which is a mirror, but "
    "their inner order as well: pair 0 now turns as fast as the last pair should. Swap the halves, "
    "each in its own order.",
    zh="你把每个头的行整个倒了过来。两半对调了，这的确是照镜子，可每一半内部的次序也倒了："
    "第0对转得像最后一对那样快慢。只对调两半，每一半内部的次序不变。",
)
def rows_reversed(weight: Tensor, heads: int) -> Tensor:
    return weight.unflatten(0, (heads, -1)).flip(1).flatten(0, 1)


neighbours_mirrored = exercise.misconception(
    en="You negated every other row, or swapped neighbouring rows: that mirrors pairs of "
    "neighbours. Here i and i + D/2 are a pair.",
    zh="你隔一行取一次负，或者把相邻两行对调了：那是相邻通道配成一对时的做法。"
    "这里i与i + D/2才是一对。",
)


@neighbours_mirrored
def odd_rows_negated(weight: Tensor, heads: int) -> Tensor:
    sign = 1.0 - 2.0 * (torch.arange(len(weight)) % 2)
    return (weight * sign[:, None]).to(weight.dtype)


@neighbours_mirrored
def neighbours_swapped(weight: Tensor, heads: int) -> Tensor:
    return weight.unflatten(0, (-1, 2)).flip(1).flatten(0, 1)


@exercise.misconception(
    en="You negated columns: those belong to the input of the projection. The channels of a head "
    "are rows.",
    zh="你给列取了负：列对应投影的输入。头的通道是行。",
)
def columns_negated(weight: Tensor, heads: int) -> Tensor:
    half = weight.shape[1] // 2
    return torch.cat((weight[:, :half], -weight[:, half:]), 1)


@exercise.misconception(
    en="You turned each pair by a quarter, (a, b) ↦ (−b, a). A rotation commutes with rotations: "
    "everything still turns the wrong way.",
    zh="你把每一对转了四分之一圈，(a, b) ↦ (−b, a)。旋转与旋转可交换：转向还是错的。",
)
def quarter_turn(weight: Tensor, heads: int) -> Tensor:
    first, second = weight.unflatten(0, (heads, 2, -1)).unbind(1)
    return torch.stack((-second, first), 1).flatten(0, 2)


@exercise.misconception(
    en="You turned each pair by a quarter, (a, b) ↦ (b, −a). A rotation commutes with rotations: "
    "everything still turns the wrong way.",
    zh="你把每一对转了四分之一圈，(a, b) ↦ (b, −a)。旋转与旋转可交换：转向还是错的。",
)
def quarter_turn_clockwise(weight: Tensor, heads: int) -> Tensor:
    return -quarter_turn(weight, heads)


@exercise.misconception(
    en="You put the rows into the interleaved order. That changes which channels are a pair, not "
    "the direction in which they turn.",
    zh="你把行排成了交错的次序。那改变的是哪些通道成对，不是转动的方向。",
)
def interleaved(weight: Tensor, heads: int) -> Tensor:
    return weight.unflatten(0, (heads, 2, -1)).transpose(1, 2).flatten(0, 2)


@exercise.misconception(
    en="You changed the layout, as the conversion from Meta's files to Hugging Face's does: "
    "neighbouring rows go half a head apart. The layout was right here, i and i + D/2 are a pair; "
    "what is wrong is the direction in which they turn.",
    zh="你改了排布，和把Meta的权重转成Hugging Face格式时一样：相邻的两行被拆到前后两半。"
    "可这里的排布本来就对，i与i + D/2就是一对；错的是转动的方向。",
)
def halves_of_neighbours(weight: Tensor, heads: int) -> Tensor:
    return weight.unflatten(0, (heads, -1, 2)).transpose(1, 2).flatten(0, 2)


LAYOUT_AS_WELL = Text(
    en="Negating one half of each head is all it takes. You also changed the layout, as the "
    "conversion from Meta's files to Hugging Face's does; it was right here, and now the wrong "
    "channels are a pair.",
    zh="把每个头的一半取负就够了。你还改了排布，和把Meta的权重转成Hugging Face格式时一样；"
    "这里的排布本来就对，这样一改，配成对的就不是原来的通道了。",
)


@exercise.misconception(en=LAYOUT_AS_WELL.en, zh=LAYOUT_AS_WELL.zh)
def layout_and_second_half(weight: Tensor, heads: int) -> Tensor:
    return second_half_negated(halves_of_neighbours(weight, heads), heads)


@exercise.misconception(en=LAYOUT_AS_WELL.en, zh=LAYOUT_AS_WELL.zh)
def layout_and_first_half(weight: Tensor, heads: int) -> Tensor:
    return -layout_and_second_half(weight, heads)
