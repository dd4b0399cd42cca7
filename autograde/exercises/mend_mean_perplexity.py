"""Exercise mend_mean_perplexity: a mean of perplexities is not that of the whole text."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="mend_mean_perplexity",
    chapter="09_extrapolation",
    title=Text(en="Fix: a mean of perplexities", zh="改错：困惑度的平均"),
    task=Text(
        en=r"""Fix `mean_of_windows`: return the perplexity of a whole text that was cut into
windows, $\exp$ of the mean loss over all *tokens*.

In: `losses` `(n,)`, the mean loss of each window in nats; `counts` `(n,)`, its number of tokens;
the last window is often shorter. Out: shape `()`.""",
        zh=r"""修好`mean_of_windows`：一篇文本被切成了若干窗口，返回整篇的困惑度，
即所有*词元*的平均损失取$\exp$。

输入：`losses`，`(n,)`，每个窗口的平均损失，单位奈特；`counts`，`(n,)`，窗口的词元数，
最后一个窗口常常短一些。输出：形状`()`。""",
    ),
    signature="mend_mean_perplexity(losses, counts) -> ()",
    points=2,
    difficulty=2,
    minutes=5,
    hints=(
        Text(
            en="What would the result be if the text were one window?",
            zh="如果整篇文本就是一个窗口，结果会是多少？",
        ),
        Text(
            en="The total loss is Σ losses · counts. Divide by all tokens, then take exp, once.",
            zh="总损失是Σ losses · counts。除以词元总数，然后只取一次exp。",
        ),
        Text(
            en="`((losses * counts).sum() / counts.sum()).exp()`",
            zh="`((losses * counts).sum() / counts.sum()).exp()`",
        ),
    ),
)


@exercise.truth
def token_by_token(losses: Tensor, counts: Tensor) -> Tensor:
    """Return exp of the mean over all tokens, each with the mean loss of its window."""
    return losses.double().repeat_interleave(counts).mean().exp()


@exercise.check(en="returns one number", zh="返回一个数")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(torch.rand(3, generator=rng), torch.tensor([8, 8, 4])), ())
    expect_shape(answer(torch.rand(1, generator=rng), torch.tensor([5])), ())


@exercise.check(
    en="is exp of the mean loss of all tokens", zh="等于所有词元平均损失的exp", weight=3
)
def values(answer: Function, rng: torch.Generator) -> None:
    windows, size = torch.randint(3, 20, (2,), generator=rng).tolist()
    random = torch.randint(1, 100, (windows,), generator=rng)
    last_shorter = torch.tensor([100 + size] * windows + [size])
    many = torch.randint(1, 9, (230,), generator=rng)
    for counts in (random, last_shorter, many, random[:1]):
        losses = 0.5 + 3 * torch.rand(len(counts), generator=rng)
        expect_agreement(answer, exercise.true_answer, losses, counts)


@exercise.check(
    en="the same text cut differently has the same perplexity",
    zh="同一篇文本换个切法，困惑度不变",
    weight=2,
)
def cut_otherwise(answer: Function, rng: torch.Generator) -> None:
    tokens = 4 * torch.rand(12, generator=rng)
    want = tokens.double().mean().exp()
    for pieces in (tokens.split(12), tokens.split(5), tokens.split(4)):
        losses = torch.stack([piece.mean() for piece in pieces])
        expect_close(answer(losses, torch.tensor([len(piece) for piece in pieces])), want)


@exercise.misconception(
    en="Still a mean of perplexities: one bad window, with a loss of 10, counts 22026 and "
    "outweighs all others.",
    zh="还是困惑度的平均：一个损失为10的坏窗口就是22026，压过其余所有窗口。",
)
def unchanged(losses: Tensor, counts: Tensor) -> Tensor:
    return losses.exp().mean()


@exercise.misconception(
    en="Every window counts the same here, although the last one may hold a handful of tokens.",
    zh="这里每个窗口权重相同，可最后一个窗口也许只有几个词元。",
)
def unweighted(losses: Tensor, counts: Tensor) -> Tensor:
    return losses.mean().exp()


@exercise.misconception(
    en="You weighted by counts, but after exp: still a mean of perplexities.",
    zh="你按词元数加了权，却是在exp之后：仍是困惑度的平均。",
)
def weighted_late(losses: Tensor, counts: Tensor) -> Tensor:
    return (losses.exp() * counts).sum() / counts.sum()


@exercise.misconception(
    en="That is the mean loss. The perplexity is its exp.", zh="这是平均损失，困惑度要再取exp。"
)
def the_loss(losses: Tensor, counts: Tensor) -> Tensor:
    return (losses * counts).sum() / counts.sum()


@exercise.misconception(
    en="The total loss is right, but you divided it by the number of windows. Divide by the number "
    "of tokens.",
    zh="总损失对了，可你除以了窗口数。应当除以词元数。",
)
def by_windows(losses: Tensor, counts: Tensor) -> Tensor:
    return ((losses * counts).sum() / len(losses)).exp()


@exercise.misconception(
    en="You divided a sum of means by the number of tokens. Each mean has to be multiplied by its "
    "count first, which gives the loss of its window.",
    zh="你把各窗口的平均加起来，除以了词元总数。每个平均要先乘它的词元数，才是那个窗口的总损失。",
)
def sum_of_means(losses: Tensor, counts: Tensor) -> Tensor:
    return (losses.sum() / counts.sum()).exp()


@exercise.misconception(
    en="The formula is right, but the product of all exponentials is beyond what a float holds, "
    "and becomes inf. Take the mean of the losses first, and `exp` last.",
    zh="公式没错，但所有指数连乘超出了浮点数的范围，变成了inf。先求损失的平均，最后再取`exp`。",
)
def product_of_all(losses: Tensor, counts: Tensor) -> Tensor:
    return torch.prod(losses.exp() ** counts) ** (1 / counts.sum())


@exercise.misconception(
    en="You raised 2 to the mean loss. The losses are in nats, natural logarithms: raise e to it.",
    zh="你取了2的平均损失次方。损失的单位是奈特，用的是自然对数：底数应是e。",
)
def power_of_two(losses: Tensor, counts: Tensor) -> Tensor:
    return 2 ** ((losses * counts).sum() / counts.sum())


@exercise.misconception(
    en="The last window was left out because it is shorter. Its tokens belong to the text: weight "
    "every window by its count, and nothing has to go.",
    zh="最后一个窗口短一些，你就把它丢了。它的词元也属于这篇文本：按词元数加权，就不必丢掉什么。",
)
def without_the_last(losses: Tensor, counts: Tensor) -> Tensor:
    return losses[:-1].mean().exp()


@exercise.misconception(
    en="The weights are right, but the last window is left out. Its tokens belong to the text, and "
    "a text of one window has no other.",
    zh="加权是对的，但漏掉了最后一个窗口。它的词元也属于这篇文本，而只有一个窗口的文本就什么也不剩了。",
)
def all_but_the_last(losses: Tensor, counts: Tensor) -> Tensor:
    return token_by_token(losses[:-1], counts[:-1])


@exercise.misconception(
    en="All losses were multiplied by the count of the first window. Only windows of one length "
    "could share a count: each loss has to be multiplied by its own.",
    zh="所有损失都乘了第一个窗口的词元数。只有窗口一样长时才能这样：每个损失要乘它自己的词元数。",
)
def counted_like_the_first(losses: Tensor, counts: Tensor) -> Tensor:
    return (losses.sum() * counts[0] / counts.sum()).exp()


@exercise.misconception(
    en="You assumed that all windows but the last are as long as the first. Any window may be "
    "shorter: "
    "`counts` has the length of each.",
    zh="除最后一个外，所有窗口都被当成和第一个一样长。任何窗口都可能更短：`counts`里有每一个的长度。",
)
def only_the_last_differs(losses: Tensor, counts: Tensor) -> Tensor:
    lengths = torch.cat((counts[:1].expand(len(counts) - 1), counts[-1:]))
    return token_by_token(losses, lengths)


@exercise.misconception(
    en="The weights are upside down, 1/counts: the shortest window weighs the most. Every *token* "
    "weighs the same, so a window weighs as much as it has tokens.",
    zh="权重颠倒了，成了1/counts：最短的窗口占得最重。每个*词元*的权重相同，窗口的权重就是它的词元数。",
)
def weighted_inversely(losses: Tensor, counts: Tensor) -> Tensor:
    return ((losses / counts).sum() / (1 / counts).sum()).exp()


@exercise.misconception(
    en="The total loss is divided by the count of each window, which gives one number for each. "
    "Divide by the sum of the counts.",
    zh="总损失除以了各个窗口的词元数，于是每个窗口得到一个数。应当除以词元数之和。",
)
def divided_by_each_count(losses: Tensor, counts: Tensor) -> Tensor:
    return ((losses * counts).sum() / counts).exp()
