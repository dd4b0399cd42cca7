"""Exercise mend_batch_axis: the encoding was added along the batch axis."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text
from posenc_ref.sinusoidal import sinusoidal

exercise = Exercise(
    id="mend_batch_axis",
    chapter="02_sinusoidal",
    title=Text(en="Fix: positions along the batch axis", zh="改错：位置加到了批次轴上"),
    task=Text(
        en="""Fix `add_to_the_wrong_axis`: add the interleaved sinusoidal encoding to a batch of
embeddings. Token t of *every* sentence gets PE(t), with t = 0 … L−1;
$L$ may exceed 100.

In: `x` of shape `(B, L, d)`, `d` even. Out: shape `(B, L, d)`.""",
        zh="""修好`add_to_the_wrong_axis`：给一批嵌入加上交错排布的正弦编码。
*每*句话的第t个词元都加上PE(t)，t = 0 … L−1，$L$可以超过100。

输入：`x`形状为`(B, L, d)`，`d`为偶数。输出：形状为`(B, L, d)`。""",
    ),
    signature="mend_batch_axis(x, base=10000.0) -> (B, L, d)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Which axis of x counts tokens? How many positions do you need?",
            zh="x的哪个轴数的是词元？需要多少个位置？",
        ),
        Text(
            en="The table has shape `(L, d)` with `L = x.shape[1]`. "
            "How does `(L, d)` broadcast against `(B, L, d)`?",
            zh="编码表的形状是`(L, d)`，`L = x.shape[1]`。`(L, d)`与`(B, L, d)`怎样广播？",
        ),
        Text(
            en="Broadcasting adds missing axes on the left: `x + table` is all that is needed.",
            zh="广播会在左边补上缺的轴：直接`x + table`就行。",
        ),
    ),
)


@exercise.truth
def by_reference(x: Tensor, base: float = 10000.0) -> Tensor:
    return x + sinusoidal(torch.arange(x.shape[1]), x.shape[2], base=base)


@exercise.check(en="keeps the shape (B, L, d)", zh="保持形状(B, L, d)")
def shape(answer: Function, rng: torch.Generator) -> None:
    for batch, length in ((2, 5), (5, 2), (1, 3), (3, 1)):
        expect_shape(answer(torch.zeros(batch, length, 8)), (batch, length, 8))


@exercise.check(
    en="gives every sentence of the batch the same encoding",
    zh="同一批次里每句话加上的编码都相同",
    weight=2,
)
def same_for_every_sentence(answer: Function, rng: torch.Generator) -> None:
    size = (3, int(torch.randint(2, 9, (), generator=rng)), 8)
    got = expect_shape(answer(torch.zeros(size)), size)
    for sentence in got[1:]:
        expect(
            torch.allclose(sentence, got[0]),
            "the same sentence gets a different encoding at a different place in the batch",
            "同一句话放在批次的不同位置，加上的编码不一样",
        )
    expect(
        not torch.allclose(got[0, 0], got[0, 1]),
        "two tokens of one sentence get the same encoding: their order is still invisible",
        "同一句话的两个词元得到相同的编码：顺序仍然看不出来",
    )


@exercise.check(
    en="adds PE(t) to token t, however long the text",
    zh="给第t个词元加上PE(t)，文本多长都行",
    weight=3,
)
def values(answer: Function, rng: torch.Generator) -> None:
    for size in ((2, 7, 16), (4, 4, 8), (1, 1, 6), (2, 600, 6)):
        expect_agreement(answer, by_reference, torch.randn(size, generator=rng), atol=1e-4)
    base = 30.0 + 100 * torch.rand((), generator=rng).item()
    expect_agreement(answer, by_reference, torch.randn(3, 5, 6, generator=rng), base)


def _table(positions: Tensor, dim: int, base: float) -> Tensor:
    angles = positions[:, None] * base ** (-torch.arange(0, dim, 2) / dim)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


@exercise.misconception(
    en="Still the broken version: positions run over the batch, so that a sentence gets one "
    "vector for all its tokens, and a different one at a different place in the batch.",
    zh="还是有错的那个版本：位置沿批次的轴走，一句话的所有词元都加同一个向量，"
    "这句话在批次里换个位置，向量又变了。",
)
def unchanged(x: Tensor, base: float = 10000.0) -> Tensor:
    return x + _table(torch.arange(x.shape[0]), x.shape[2], base)[:, None, :]


@exercise.misconception(
    en="Every token got PE(0): the table needs one row per token, positions 0 … L−1.",
    zh="每个词元都加了PE(0)：编码表要为每个词元准备一行，位置为0到L−1。",
)
def all_at_zero(x: Tensor, base: float = 10000.0) -> Tensor:
    return x + _table(torch.zeros(x.shape[1]), x.shape[2], base)


@exercise.misconception(
    en="Positions run on over the whole batch: the second sentence starts at L. Each sentence "
    "must start at 0.",
    zh="位置在整个批次上连续编号，第二句话从L开始了。每句话都应从0开始。",
)
def runs_on(x: Tensor, base: float = 10000.0) -> Tensor:
    batch, length, dim = x.shape
    table = _table(torch.arange(batch * length), dim, base)
    return x + table.view(batch, length, dim)


@exercise.misconception(
    en="You multiplied the embeddings by the encoding. Add it instead.",
    zh="你把嵌入和编码相乘了。应当相加。",
)
def multiplied(x: Tensor, base: float = 10000.0) -> Tensor:
    return x * _table(torch.arange(x.shape[1]), x.shape[2], base)


@exercise.misconception(
    en="You appended the encoding as further channels. The Transformer adds it: the shape stays "
    "the same.",
    zh="你把编码当作新的通道拼接在后面了。Transformer的做法是相加，形状不变。",
)
def appended(x: Tensor, base: float = 10000.0) -> Tensor:
    table = _table(torch.arange(x.shape[1]), x.shape[2], base)
    return torch.cat((x, table.expand_as(x)), dim=-1)


@exercise.misconception(
    en="The number of rows is right, but the axis of length 1 is still in the middle: (L, 1, d) "
    "runs along the batch of (B, L, d). Leave it out: (L, d).",
    zh="行数对了，但那个长度为1的轴还夹在中间：(L, 1, d)对上的是(B, L, d)的批次轴。"
    "去掉它，用(L, d)。",
)
def axis_in_the_middle(x: Tensor, base: float = 10000.0) -> Tensor:
    return x + _table(torch.arange(x.shape[1]), x.shape[2], base)[:, None]


@exercise.misconception(
    en="Each token gets its own encoding, but in the concatenated layout. The task wants the "
    "interleaved one.",
    zh="每个词元都加上了自己的编码，但用的是拼接排布。题目要的是交错排布。",
)
def concatenated(x: Tensor, base: float = 10000.0) -> Tensor:
    table = _table(torch.arange(x.shape[1]), x.shape[2], base)
    return x + torch.cat((table[:, 0::2], table[:, 1::2]), dim=-1)


@exercise.misconception(
    en="This is the encoding alone: add it to x.",
    zh="这只是编码本身：还要加到x上。",
)
def encoding_alone(x: Tensor, base: float = 10000.0) -> Tensor:
    return _table(torch.arange(x.shape[1]), x.shape[2], base).expand_as(x)


@exercise.misconception(
    en="The axis is fixed, but your table still has the 100 rows of the broken version: a text of "
    "more than 100 tokens gets too few rows. Make one row for each of its L tokens.",
    zh="轴选对了，但表还是有错的版本里那100行：文本超过100个词元，行数就不够了。L个词元要有L行。",
)
def hundred_rows(x: Tensor, base: float = 10000.0) -> Tensor:
    return x + _table(torch.arange(100), x.shape[2], base)[: x.shape[1]]


@exercise.misconception(
    en="The encoding is right, but you also multiplied x by √d, as the first Transformer does "
    "where it looks words up. Here x is ready to use.",
    zh="编码是对的，但你还给x乘了√d；最初的Transformer是在查词嵌入时这样做的。这里的x直接用就行。",
)
def scaled(x: Tensor, base: float = 10000.0) -> Tensor:
    return x * x.shape[2] ** 0.5 + _table(torch.arange(x.shape[1]), x.shape[2], base)


@exercise.misconception(
    en="The axis is fixed, but you count positions from 1. The task counts t = 0 … L−1, so the "
    "first token gets PE(0).",
    zh="轴选对了，但你让位置从1数起。题目里t = 0 … L−1，第一个词元应加PE(0)。",
)
def from_one(x: Tensor, base: float = 10000.0) -> Tensor:
    return x + _table(torch.arange(1, x.shape[1] + 1), x.shape[2], base)
