"""Exercise mend_attended_axis: sentences of a batch attended to each other."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_finite, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text
from posenc_ref.attention import attention

exercise = Exercise(
    id="mend_attended_axis",
    chapter="01_permutation",
    title=Text(en="Fix: who attends to whom", zh="改错：谁在看谁"),
    task=Text(
        en=r"""Fix `across_the_batch`: self-attention with $Q=K=V=x$ in which each token attends to
the tokens of its *own sentence*.

In: `x` of shape `(B, L, d)`. Out: shape `(B, L, d)`, scores divided by $\sqrt d$.""",
        zh=r"""修好`across_the_batch`：$Q=K=V=x$的自注意力，每个词元只看*本句*的词元。

输入：`x`形状为`(B, L, d)`。输出：形状为`(B, L, d)`，得分要除以$\sqrt d$。""",
    ),
    signature="mend_attended_axis(x) -> (B, L, d)",
    points=2,
    difficulty=3,
    minutes=8,
    hints=(
        Text(
            en="In the einsum, which axis of x do i and j run over?",
            zh="在einsum里，i和j走的是x的哪个轴？",
        ),
        Text(
            en='In `"ibd,jbd->bij"` they run over axis 0, written for `(L, B, d)`. Here axis 0 is '
            "the batch.",
            zh='`"ibd,jbd->bij"`里i、j走的是第0轴，那是给`(L, B, d)`写的；而这里第0轴是批次。',
        ),
        Text(
            en='Scores: `torch.einsum("bid,bjd->bij", x, x)`; output: `weights @ x`.',
            zh='得分：`torch.einsum("bid,bjd->bij", x, x)`；输出：`weights @ x`。',
        ),
    ),
)


@exercise.truth
def own_sentence(x: Tensor) -> Tensor:
    heads = x[:, None]
    return attention(heads, heads, heads)[:, 0]


@exercise.check(en="keeps the shape (B, L, d)", zh="保持形状(B, L, d)")
def shape(answer: Function, rng: torch.Generator) -> None:
    for size in ((2, 5, 4), (1, 5, 4), (3, 1, 4)):
        expect_shape(answer(torch.randn(*size, generator=rng)), size)


@exercise.check(
    en="the other sentences in the batch change nothing", zh="批次里的其他句子不影响结果"
)
def other_sentences(answer: Function, rng: torch.Generator) -> None:
    x = torch.randn(3, 4, 6, generator=rng)
    together = expect_finite(answer(x), (3, 4, 6))
    alone = expect_finite(answer(x[:1]), (1, 4, 6))
    expect(
        torch.allclose(together[:1], alone, atol=1e-5),
        "the first sentence gets a different output when it is alone in the batch",
        "第一句话单独成批时，输出变了",
    )


@exercise.check(
    en="the other tokens of a sentence matter", zh="同一句话里的其他词元有影响", weight=2
)
def other_tokens(answer: Function, rng: torch.Generator) -> None:
    x = torch.randn(2, 4, 6, generator=rng)
    changed = x.clone()
    changed[:, 3] += 1
    before, after = (expect_finite(answer(each), (2, 4, 6)) for each in (x, changed))
    expect(
        not torch.allclose(before[:, 0], after[:, 0], atol=1e-4),
        "token 0 does not notice that token 3 of its sentence has changed",
        "本句的词元3变了，词元0却毫无察觉",
    )


@exercise.check(
    en="equals softmax(xxᵀ/√d)x, sentence by sentence", zh="逐句等于softmax(xxᵀ/√d)x", weight=4
)
def values(answer: Function, rng: torch.Generator) -> None:
    for size in ((2, 5, 4), (4, 4, 3), (1, 3, 9), (2, 1, 5), (2, 102, 3)):
        expect_agreement(answer, own_sentence, torch.randn(*size, generator=rng))
    turned = torch.randn(5, 3, 4, generator=rng).transpose(0, 1)  # (3, 5, 4), not contiguous
    expect_agreement(answer, own_sentence, turned)


@exercise.misconception(
    en="Still the broken version: each token attends to the tokens at its position in the *other "
    "sentences*, and to no other token of its own sentence.",
    zh="还是有错的那个版本：每个词元看的是*其他句子*里同一位置的词元，本句的其他词元一个也没看。",
)
def unchanged(x: Tensor) -> Tensor:
    weights = (torch.einsum("ibd,jbd->bij", x, x) / x.shape[-1] ** 0.5).softmax(-1)
    return torch.einsum("bij,jbd->ibd", weights, x)


@exercise.misconception(
    en="`view` and `reshape` do not exchange axes: they cut the same run of numbers into different "
    "pieces and mix the sentences. `x.transpose(0, 1)` gives (L, B, d).",
    zh="`view`和`reshape`不会交换两个轴：它们只是把同一串数换个切法，句子就混在一起了。"
    "要得到(L, B, d)，用`x.transpose(0, 1)`。",
)
def reshaped(x: Tensor) -> Tensor:
    return unchanged(x.reshape(x.shape[1], x.shape[0], -1)).reshape(x.shape)


@exercise.misconception(
    en="You laid the batch out as one long text: tokens attend to their own sentence and to all "
    "the other sentences.",
    zh="你把整个批次拉成了一段长文本：词元看了本句，也看了其他所有句子。",
)
def one_long_text(x: Tensor) -> Tensor:
    flat = x.flatten(0, 1)
    return ((flat @ flat.T / x.shape[-1] ** 0.5).softmax(-1) @ flat).view_as(x)


over_channels = exercise.misconception(
    en="Channels attend to channels: xᵀx has shape (B, d, d). Tokens must attend to tokens.",
    zh="成了通道看通道：xᵀx的形状是(B, d, d)。应当是词元看词元。",
)


@over_channels
def channels(x: Tensor) -> Tensor:
    return x @ (x.transpose(1, 2) @ x / x.shape[-1] ** 0.5).softmax(-1)


@over_channels
def channels_by_row(x: Tensor) -> Tensor:
    return x @ (x.transpose(1, 2) @ x / x.shape[-1] ** 0.5).softmax(-1).mT


@exercise.misconception(
    en="The axes are right now, but the division by √d is gone.",
    zh="轴选对了，但漏了除以√d。",
)
def lost_scale(x: Tensor) -> Tensor:
    return (x @ x.transpose(1, 2)).softmax(-1) @ x


@exercise.misconception(
    en="Each token attends to its own sentence now, but columns of your weights sum to 1 where "
    "rows should: the softmax runs over the queries, or the weights are transposed where they "
    "meet x.",
    zh="每个词元看的已经是本句了，但你的权重每列之和为1，应是每行：要么softmax沿着查询做了，"
    "要么权重与x相乘时转置了。",
)
def over_queries(x: Tensor) -> Tensor:
    return (x @ x.transpose(1, 2) / x.shape[-1] ** 0.5).softmax(1) @ x


@exercise.misconception(
    en="The exchange of axes was the right idea; now exchange them back: the result is still "
    "(L, B, d).",
    zh="交换两个轴，思路是对的；别忘了换回来：结果还是(L, B, d)。",
)
def not_turned_back(x: Tensor) -> Tensor:
    return unchanged(x.transpose(0, 1))


@exercise.misconception(
    en="The axes are right now, but you divided by d instead of √d: the weights come out too even.",
    zh="轴选对了，但你除的是d，而不是√d：权重会过于平均。",
)
def by_d(x: Tensor) -> Tensor:
    return (x @ x.transpose(1, 2) / x.shape[-1]).softmax(-1) @ x


@exercise.misconception(
    en="These are the attention weights, (B, L, L). The output is the average of the values, x "
    "itself, with these weights: `weights @ x`.",
    zh="这是注意力权重，形状(B, L, L)。输出是按这些权重对值求的平均，值就是x本身：`weights @ x`。",
)
def weights_alone(x: Tensor) -> Tensor:
    return (x @ x.transpose(1, 2) / x.shape[-1] ** 0.5).softmax(-1)


@exercise.misconception(
    en="You divided by √L, the length of the sentence. Take the root of d, the size of the last "
    "axis: otherwise a longer sentence makes attention more even.",
    zh="你除的是√L，即句子的长度。开方的应当是d，也就是最后一个轴的大小：否则句子越长，"
    "注意力就越平均。",
)
def by_length(x: Tensor) -> Tensor:
    return (x @ x.mT / x.shape[1] ** 0.5).softmax(-1) @ x


@exercise.misconception(
    en="A causal mask was added: only the last token still reads the whole sentence. The task has "
    "no mask.",
    zh="多加了因果掩码：只有最后一个词元还读得到整句话。题目里没有掩码。",
)
def causal(x: Tensor) -> Tensor:
    scores = x @ x.mT / x.shape[-1] ** 0.5
    future = torch.ones_like(scores[0]).triu(1).bool()
    return scores.masked_fill(future, -torch.inf).softmax(-1) @ x
