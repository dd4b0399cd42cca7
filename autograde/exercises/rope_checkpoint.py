"""Exercise rope_checkpoint: move a projection from one layout to the other."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text
from posenc_ref.rope import rotate
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="rope_checkpoint",
    chapter="05_rope",
    title=Text(en="Convert a checkpoint", zh="转换checkpoint"),
    task=Text(
        en=r"""A model was trained with the interleaved layout and will run in code with the
half-split one. Reorder the rows of its query projection (and, by the same call, of its key
projection) so that every head gives the scores it was trained to give, at all positions.

In: `weight` of shape `(heads * D, d)`, as in `nn.Linear` ($y=Wx$): the first $D$ rows are those of
the first head; and `heads`. Out: the same rows in the new order, which is for you to find.""",
        zh=r"""一个模型按交错排布训练，现在要用前后半排布的代码来跑。请重排它的查询投影矩阵的行
（键的投影矩阵也用同一个函数重排），使每个头在任何位置上得到的得分都与训练时一样。

输入：`weight`形状为`(heads * D, d)`，与`nn.Linear`相同（$y=Wx$），最前面的$D$行属于第一个头；
以及头数`heads`。输出：同样的行，换成新的次序。是什么次序，由你来找。""",
    ),
    signature="rope_checkpoint(weight, heads) -> (heads * D, d)",
    points=3,
    difficulty=4,
    minutes=20,
    hints=(
        Text(
            en="Take one head with D = 4. The old code turns channels 0 and 1 together by ω₀, then "
            "2 and 3 by ω₁. Which channels does the new code turn by ω₀? Those must now hold what "
            "0 and 1 held, in this order.",
            zh="取一个D = 4的头。旧代码把通道0和1一起转ω₀，把2和3一起转ω₁。"
            "新代码里转ω₀的是哪两个通道？它们现在要放原来0和1的内容，次序也不变。",
        ),
        Text(
            en="A row of the projection makes one channel of q, so rows move as channels do: "
            "inside a head 0, 2, 4, … come first, then 1, 3, 5, …",
            zh="投影矩阵的一行算出q的一个通道，所以通道怎么移，行就怎么移：一个头之内，"
            "先是0、2、4……，然后1、3、5……",
        ),
        Text(
            en="Never let rows wander from one head to another: cut them into `(heads, D/2, 2, d)` "
            "first. Which two axes change places?",
            zh="行绝不能从一个头跑到另一个头：先切成`(heads, D/2, 2, d)`。该交换的是哪两个轴？",
        ),
    ),
)


def _order(heads: int, dim: int) -> Tensor:
    within = torch.cat((torch.arange(0, dim, 2), torch.arange(1, dim, 2)))
    return (torch.arange(heads)[:, None] * dim + within).flatten()


@exercise.truth
def by_order(weight: Tensor, heads: int) -> Tensor:
    return weight[_order(heads, len(weight) // heads)]


@exercise.check(en="keeps the shape", zh="形状不变")
def shape(answer: Function, rng: torch.Generator) -> None:
    for heads, dim, width in ((2, 6, 5), (1, 2, 3), (3, 4, 1)):
        weight = torch.randn(heads * dim, width, generator=rng)
        expect_shape(answer(weight, heads), (heads * dim, width))


@exercise.check(
    en="one head: the half-split code gives the scores of the interleaved one",
    zh="一个头：前后半排布的代码得到与交错排布相同的得分",
    weight=2,
)
def one_head(answer: Function, rng: torch.Generator) -> None:
    words, w_q, w_k = (torch.randn(n, 5, generator=rng) for n in (6, 8, 8))
    angles = torch.arange(6)[:, None] * frequencies(8)

    def scores(w_q: Tensor, w_k: Tensor, layout: str) -> Tensor:
        q, k = (rotate((words @ w.T)[None, None], angles, layout=layout) for w in (w_q, w_k))
        return (q @ k.mT)[0, 0]

    new = [expect_shape(answer(w, 1), (8, 5)) for w in (w_q, w_k)]
    expect_close(scores(*new, "half"), scores(w_q, w_k, "interleaved"), atol=1e-4)


@exercise.check(
    en="every head has its own rows in the order that the scores need, for any number of heads",
    zh="每个头只含自己的行，次序正是得分所需的，头数任意",
    weight=4,
)
def each_head(answer: Function, rng: torch.Generator) -> None:
    heads, pairs, width = torch.randint(2, 7, (3,), generator=rng).tolist()
    for h, dim, d in ((3, 8, 6), (heads, 2 * pairs, width), (5, 2, 7), (4, 6, 24), (1, 120, 3)):
        weight = torch.randn(h * dim, d, generator=rng)
        expect_agreement(answer, exercise.true_answer, weight, h)


@exercise.misconception(
    en="This is the way back, from half-split to interleaved. The two are inverse to each other "
    "and differ as soon as a head has more than four channels.",
    zh="这是反方向的，从前后半到交错。两者互为逆变换，一个头超过4个通道就不一样了。",
)
def inverse(weight: Tensor, heads: int) -> Tensor:
    return weight[_order(heads, weight.shape[0] // heads).argsort()]


@exercise.misconception(
    en="You reordered the rows of the whole matrix at once: rows of different heads got mixed. "
    "Reorder each head on its own.",
    zh="你对整个矩阵一起重排，不同头的行混在了一起。要每个头各自重排。",
)
def across_heads(weight: Tensor, heads: int) -> Tensor:
    return weight[_order(1, weight.shape[0])]


@exercise.misconception(
    en="The columns were reordered too, or instead. They belong to the input of the projection, "
    "which the layout does not touch; rows are the channels of q and k.",
    zh="你动了列。列对应投影的输入，和排布无关；行才是q、k的通道。",
)
def columns(weight: Tensor, heads: int) -> Tensor:
    width = weight.shape[1]
    return weight[:, torch.cat((torch.arange(0, width, 2), torch.arange(1, width, 2)))]


@exercise.misconception(
    en="The odd rows come first: in every pair the two members have changed places. The rotation "
    "then turns the other way, and a head takes ahead for behind.",
    zh="奇数行排到了前面：每一对的两个成员换了位置。于是转向反了，头会把前当成后。",
)
def odd_first(weight: Tensor, heads: int) -> Tensor:
    parts = weight.chunk(heads)
    return torch.cat([torch.cat((part[1::2], part[0::2])) for part in parts])


@exercise.misconception(
    en="You cut the matrix into D parts of `heads` rows. A head is D rows that lie together: there "
    "are `heads` parts (`chunk(n)` takes the number of parts, not their size).",
    zh="你把矩阵切成了D份，每份`heads`行。一个头是挨在一起的D行，一共应切成`heads`份"
    "（`chunk(n)`的n是份数，不是每份的大小）。",
)
def parts_of_heads_rows(weight: Tensor, heads: int) -> Tensor:
    parts = weight.chunk(len(weight) // heads)
    return torch.cat([torch.cat((part[0::2], part[1::2])) for part in parts])


@exercise.misconception(
    en="The rows are in their old order. Such a model runs and answers nonsense: no shape tells "
    "the two layouts apart.",
    zh="行还是原来的次序。这样的模型照样能跑，却答非所问：两种排布从形状上看不出区别。",
)
def unchanged(weight: Tensor, heads: int) -> Tensor:
    return weight.clone()


@exercise.misconception(
    en="The rows are written into the matrix from which they are still read, so that later ones "
    "copy what has just been written. Read from the old matrix, write into a new one.",
    zh="一边从矩阵里读行，一边又往同一个矩阵里写，后面的行抄到的是刚写进去的内容。要从旧矩阵"
    "读，写进新矩阵。",
)
def overwritten(weight: Tensor, heads: int) -> Tensor:
    mixed = weight.clone()
    for rows in mixed.chunk(heads):
        half = len(rows) // 2
        for i in range(half):
            rows[i] = rows[2 * i]
            rows[i + half] = rows[2 * i + 1]
    return mixed
