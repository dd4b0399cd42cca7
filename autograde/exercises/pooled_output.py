"""Exercise pooled_output: one vector for a sentence, blind to padding and to order."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="pooled_output",
    chapter="01_permutation",
    title=Text(en="Mean pooling with padding", zh="带填充的平均池化"),
    task=Text(
        en=r"""Return one vector per sentence: the mean of the outputs of its tokens. Sentences of a
batch are padded to one length; padding must not count, wherever it is.

In: `h` of shape `(B, L, d)`; `mask` of shape `(B, L)`, boolean, True at tokens, at least one True
in each row. Out: shape `(B, d)`.""",
        zh=r"""每个句子返回一个向量：它的各个词元输出的平均。同一批次的句子被填充到相同长度，
填充无论在哪里都不能算在内。

输入：`h`形状为`(B, L, d)`；`mask`形状为`(B, L)`，布尔型，词元处为True，每行至少有一个True。
输出：形状为`(B, d)`。""",
    ),
    signature="pooled_output(h, mask) -> (B, d)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="A mean is a sum divided by a count. What is the sum over, and what is counted?",
            zh="平均等于和除以个数。对什么求和？数的又是什么？",
        ),
        Text(
            en="`mask[:, :, None]` has shape `(B, L, 1)` and fits `h`: padding becomes 0.",
            zh="`mask[:, :, None]`的形状是`(B, L, 1)`，能与`h`相乘：填充处变成0。",
        ),
        Text(
            en="The count is per sentence: `mask.sum(1, keepdim=True)`, shape `(B, 1)`.",
            zh="个数是每个句子各自的：`mask.sum(1, keepdim=True)`，形状为`(B, 1)`。",
        ),
    ),
)


@exercise.truth
def mean_of_tokens(h: Tensor, mask: Tensor) -> Tensor:
    return torch.stack([rows[seen].mean(0) for rows, seen in zip(h, mask, strict=True)])


def _batch(batch: int, length: int, dim: int, rng: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return vectors, half of their numbers 0 as after a ReLU, and a mask with holes."""
    mask = torch.rand(batch, length, generator=rng) < 0.6
    mask[range(batch), torch.randint(length, (batch,), generator=rng)] = True
    return torch.randn(batch, length, dim, generator=rng).relu(), mask


@exercise.check(en="one vector per sentence", zh="每个句子一个向量")
def shape(answer: Function, rng: torch.Generator) -> None:
    for batch, length, dim in ((3, 5, 4), (1, 5, 4), (3, 1, 1)):
        expect_shape(answer(*_batch(batch, length, dim, rng)), (batch, dim))


@exercise.check(
    en="without padding it is the mean over the tokens", zh="没有填充时就是对词元求平均"
)
def no_padding(answer: Function, rng: torch.Generator) -> None:
    h, mask = _batch(2, 6, 3, rng)
    expect_agreement(answer, mean_of_tokens, h, torch.ones_like(mask))


@exercise.check(
    en="padding does not count, wherever it is: left, right or in between",
    zh="填充不算在内，无论在左、在右还是在中间",
    weight=4,
)
def padding(answer: Function, rng: torch.Generator) -> None:
    for batch, length, dim in ((3, 7, 4), (1, 4, 2), (2, 110, 3)):
        expect_agreement(answer, mean_of_tokens, *_batch(batch, length, dim, rng))


@exercise.check(
    en="the order of tokens does not matter, padding or not",
    zh="词元的顺序不影响结果，有没有填充都一样",
    weight=2,
)
def invariant(answer: Function, rng: torch.Generator) -> None:
    h, mask = _batch(3, 6, 4, rng)
    order = torch.randperm(6, generator=rng)
    expect_close(answer(h[:, order], mask[:, order]), mean_of_tokens(h, mask))


@exercise.misconception(
    en="The mask is not used: padding vectors are averaged in.",
    zh="没有用到mask：填充的向量也被平均进去了。",
)
def ignores_padding(h: Tensor, mask: Tensor) -> Tensor:
    return h.mean(1)


@exercise.misconception(
    en="The sum is right, but you divided by L: padding still counts in the denominator, and short "
    "sentences get short vectors.",
    zh="和是对的，但你除的是L：填充仍算在分母里，短句的向量会偏小。",
)
def divides_by_length(h: Tensor, mask: Tensor) -> Tensor:
    return (h * mask[:, :, None]).mean(1)


@exercise.misconception(
    en="The count is right, but padding is still in the sum: set it to 0 before adding up.",
    zh="个数对了，但求和时填充还在里面：相加之前先把填充处置为0。",
)
def padding_in_the_sum(h: Tensor, mask: Tensor) -> Tensor:
    return h.sum(1) / mask.sum(1, keepdim=True)


@exercise.misconception(
    en="This is max pooling: the largest number of each channel. The task asks for the mean.",
    zh="这是最大池化：每个通道取最大的数。题目要的是平均。",
)
def largest_of_tokens(h: Tensor, mask: Tensor) -> Tensor:
    return h.masked_fill(~mask[..., None], -torch.inf).amax(1)


@exercise.misconception(
    en="This is the sum; divide by the number of tokens of each sentence.",
    zh="这是和；还要除以每个句子的词元数。",
)
def only_sum(h: Tensor, mask: Tensor) -> Tensor:
    return (h * mask[:, :, None]).sum(1)


@exercise.misconception(
    en="You divided by the number of tokens in the whole batch. Count them sentence by sentence.",
    zh="你除的是整个批次的词元数。应当逐句数。",
)
def counts_the_batch(h: Tensor, mask: Tensor) -> Tensor:
    return (h * mask[:, :, None]).sum(1) / mask.sum()


@exercise.misconception(
    en="You took the first token: that is [CLS] pooling, not the mean.",
    zh="你取了第一个词元：那是[CLS]池化，不是平均。",
)
def first_token(h: Tensor, mask: Tensor) -> Tensor:
    return h[:, 0]


@exercise.misconception(
    en="You averaged the padding and left out the tokens: here `mask` is True at *tokens*. A "
    "sentence without padding then has nothing to average: NaN.",
    zh="你平均的是填充，反把词元漏掉了：这里的`mask`在*词元*处为True。"
    "没有填充的句子就没有东西可平均，得到NaN。",
)
def averages_padding(h: Tensor, mask: Tensor) -> Tensor:
    return only_sum(h, ~mask) / (~mask).sum(1, keepdim=True)


@exercise.misconception(
    en="You averaged the first n vectors, n being the number of tokens. That is right only while "
    "all padding comes last.",
    zh="设句子有n个词元，你平均的是最前面n个向量。只有填充全在末尾时才对。",
)
def first_ones(h: Tensor, mask: Tensor) -> Tensor:
    counts = mask.sum(1).tolist()
    return torch.stack([rows[:n].mean(0) for rows, n in zip(h, counts, strict=True)])


@exercise.misconception(
    en="`h[mask]` puts the tokens of all sentences into one list: this is one mean for the whole "
    "batch.",
    zh="`h[mask]`把所有句子的词元排成了一列：得到的只是整个批次的一个平均。",
)
def one_for_the_batch(h: Tensor, mask: Tensor) -> Tensor:
    return h[mask].mean(0)


@exercise.misconception(
    en="You divided by the number of entries that are not 0. A channel of a token may well be 0: "
    "count tokens, with the mask.",
    zh="你除的是非零元素的个数。词元的某个通道完全可能是0：要用mask数词元。",
)
def counts_nonzero(h: Tensor, mask: Tensor) -> Tensor:
    total = only_sum(h, mask)
    return total / ((h * mask[:, :, None]) != 0).sum(1)


@exercise.misconception(
    en="You averaged the padding and left out the tokens: here `mask` is True at *tokens*. A "
    "sentence without padding then comes out as 0.",
    zh="你平均的是填充，反把词元漏掉了：这里的`mask`在*词元*处为True。"
    "没有填充的句子，结果就成了0。",
)
def mask_reversed(h: Tensor, mask: Tensor) -> Tensor:
    return only_sum(h, ~mask) / (~mask).sum(1, keepdim=True).clamp(min=1)


@exercise.misconception(
    en="You took the vector at position n − 1, n being the number of tokens: that is last-token "
    "pooling, as in a decoder, and padding on the left spoils it. Take the mean.",
    zh="设句子有n个词元，你取的是第n − 1处的向量：那是解码器常用的“取最后一个词元”，"
    "左边有填充就错了。题目要的是平均。",
)
def last_token(h: Tensor, mask: Tensor) -> Tensor:
    return h[range(len(h)), mask.sum(1) - 1]


@exercise.misconception(
    en="You averaged over the channels: one number for each token. Average over the tokens, axis "
    "1: one vector for each sentence.",
    zh="你是沿着通道平均的：每个词元得到一个数。应沿着词元（第1轴）平均：每个句子得到一个向量。",
)
def over_the_channels(h: Tensor, mask: Tensor) -> Tensor:
    return (h * mask[:, :, None]).mean(-1)
