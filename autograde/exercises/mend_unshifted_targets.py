"""Exercise mend_unshifted_targets: a loss on the token that the model has just read."""

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text

exercise = Exercise(
    id="mend_unshifted_targets",
    chapter="09_extrapolation",
    title=Text(en="Fix: a test of what was just read", zh="改错：考的是模型刚读过的词元"),
    task=Text(
        en=r"""Fix `loss_of_the_input`: return the loss of every token but the first. The logits at
position $p$ predict token $p+1$; no position predicts token 0, and what the last one predicts is
not in `tokens`.

In: `logits` `(B, L, vocabulary)`; `tokens` `(B, L)`. Out: `(B, L − 1)`, nats.""",
        zh=r"""修好`loss_of_the_input`：除第一个外，返回每个词元的损失。
位置$p$的logits预测的是词元$p+1$；没有哪个位置预测词元0，最后一个位置预测的词元也不在`tokens`里。

输入：`logits`，`(B, L, vocabulary)`；`tokens`，`(B, L)`。输出：`(B, L − 1)`，单位奈特。""",
    ),
    signature="mend_unshifted_targets(logits, tokens) -> (B, L − 1)",
    points=2,
    difficulty=1,
    minutes=5,
    hints=(
        Text(
            en="Which logits go with token 1? Write down the pairs for L = 3.",
            zh="词元1对应哪个logits？把L = 3时的配对写出来。",
        ),
        Text(
            en="`logits[:, :-1]` beside `tokens[:, 1:]`.",
            zh="`logits[:, :-1]`配`tokens[:, 1:]`。",
        ),
        Text(
            en='`F.cross_entropy(logits[:, :-1].mT, tokens[:, 1:], reduction="none")`: the '
            "vocabulary has to be axis 1.",
            zh='`F.cross_entropy(logits[:, :-1].mT, tokens[:, 1:], reduction="none")`：'
            "词表要放在第1轴。",
        ),
    ),
)


@exercise.truth
def next_token_losses(logits: Tensor, tokens: Tensor) -> Tensor:
    """Return minus the log probability of each token, by the logits before it."""
    scores = logits.double().log_softmax(-1)[:, :-1]
    return -scores.gather(-1, tokens[:, 1:, None]).squeeze(-1).to(logits.dtype)


def _case(rng: torch.Generator, batch: int, length: int, words: int) -> tuple[Tensor, Tensor]:
    logits = 3 * torch.randn(batch, length, words, generator=rng)
    return logits, torch.randint(words, (batch, length), generator=rng)


@exercise.check(en="one loss for every token but the first", zh="除第一个外，每个词元一个损失")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(*_case(rng, 2, 6, 5)), (2, 5))
    expect_shape(answer(*_case(rng, 1, 2, 5)), (1, 1))


@exercise.check(en="logits at p meet token p + 1", zh="位置p的logits对应词元p + 1", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    batch, length, words = torch.randint(3, 12, (3,), generator=rng).tolist()
    for sizes in ((batch, length, words), (1, 210 + length, 3), (2, words, words), (1, 9, 5000)):
        expect_agreement(answer, exercise.true_answer, *_case(rng, *sizes))


@exercise.check(
    en="a model that repeats its input is not praised", zh="只会复读输入的模型得不到好分", weight=2
)
def parrot(answer: Function, rng: torch.Generator) -> None:
    tokens = torch.stack([torch.randperm(6, generator=rng) for _ in range(2)])
    logits = 8.0 * torch.nn.functional.one_hot(tokens, 6)
    expect_agreement(answer, exercise.true_answer, logits, tokens)


def _losses(logits: Tensor, tokens: Tensor) -> Tensor:
    return cross_entropy(logits.mT, tokens, reduction="none")


@exercise.misconception(
    en="Still unshifted: the logits at p are compared with token p, which the model has just "
    "read. "
    "A parrot would get a loss near 0.",
    zh="还是没有错开：位置p的logits在和词元p比，而模型刚读过词元p。鹦鹉的损失都会接近0。",
)
def unchanged(logits: Tensor, tokens: Tensor) -> Tensor:
    return _losses(logits[:, 1:], tokens[:, 1:])


@exercise.misconception(
    en="You shifted the wrong way: the logits at p + 1 have to predict token p.",
    zh="错开的方向反了：拿位置p + 1的logits去预测词元p。",
)
def backwards(logits: Tensor, tokens: Tensor) -> Tensor:
    return _losses(logits[:, 1:], tokens[:, :-1])


@exercise.misconception(
    en="You rolled the tokens round: the last logits have to predict token 0, and no column was "
    "dropped.",
    zh="你把词元循环移了一位：最后的logits被要求预测词元0，也没有去掉一列。",
)
def rolled(logits: Tensor, tokens: Tensor) -> Tensor:
    return _losses(logits, tokens.roll(-1, 1))


@exercise.misconception(
    en="You rolled the tokens round, and dropped the first column. It is the last that has to go: "
    "there the logits have to predict token 0. Write `[:, :-1]`.",
    zh="你把词元循环移了一位，然后去掉了第一列。该去掉的是最后一列：那里的logits被要求预测词元0。"
    "要用`[:, :-1]`。",
)
def rolled_without_the_first(logits: Tensor, tokens: Tensor) -> Tensor:
    return rolled(logits, tokens)[:, 1:]


@exercise.misconception(
    en="Still unshifted, and no column was dropped: all logits have to predict the token that was "
    "just read.",
    zh="还是没有错开，也没有去掉一列：每个logits都在预测刚读过的词元。",
)
def all_columns(logits: Tensor, tokens: Tensor) -> Tensor:
    return _losses(logits, tokens)


@exercise.misconception(
    en="Still unshifted, with the last column dropped from both: the logits at p are compared "
    "with "
    "token p.",
    zh="还是没有错开，只是两边都去掉了最后一列：位置p的logits仍在和词元p比。",
)
def unshifted_front(logits: Tensor, tokens: Tensor) -> Tensor:
    return _losses(logits[:, :-1], tokens[:, :-1])


@exercise.misconception(
    en="The shift is right, but `cross_entropy` takes axis 1 for the vocabulary, and there you "
    "have "
    "the positions: swap the two axes with `.mT` (a `reshape` would mix them up).",
    zh="错开得对，但`cross_entropy`把第1轴当作词表，而你那里放的是位置：用`.mT`对调这两个轴"
    "（`reshape`会把数弄乱）。",
)
def positions_for_words(logits: Tensor, tokens: Tensor) -> Tensor:
    return cross_entropy(logits[:, :-1], tokens[:, 1:], reduction="none")


@exercise.misconception(
    en="The shift is right, but the losses were averaged: `cross_entropy` does so without "
    '`reduction="none"`. Return the loss of every token.',
    zh='错开得对，但求了平均：不写`reduction="none"`，`cross_entropy`就会这样。要的是每个词元的损失。',
)
def averaged(logits: Tensor, tokens: Tensor) -> Tensor:
    return _losses(logits[:, :-1], tokens[:, 1:]).mean()


@exercise.misconception(
    en="The sign is missing: a loss is *minus* the logarithm of the probability, never below 0.",
    zh="漏了负号：损失是概率对数的*相反数*，不会小于0。",
)
def without_minus(logits: Tensor, tokens: Tensor) -> Tensor:
    return -_losses(logits[:, :-1], tokens[:, 1:])


@exercise.misconception(
    en="The shift is right, but `cross_entropy` got probabilities: it takes the softmax itself, "
    "so it was taken twice, and no loss is near 0. Hand it the logits.",
    zh="错开得对，但交给`cross_entropy`的是概率：它自己会做softmax，于是做了两遍，"
    "损失再也接近不了0。要把logits交给它。",
)
def softmax_twice(logits: Tensor, tokens: Tensor) -> Tensor:
    return _losses(logits.softmax(-1)[:, :-1], tokens[:, 1:])


@exercise.misconception(
    en="The shift is right, but `reshape` (or `view`) made (B, vocabulary, L − 1) of the logits: "
    "that cuts up the numbers differently. Swap the two axes, with `.mT`.",
    zh="错开得对，但用`reshape`（或`view`）把logits变成了(B, vocabulary, L − 1)，"
    "数字被重新切分了。应当用`.mT`对调这两个轴。",
)
def reshaped_axes(logits: Tensor, tokens: Tensor) -> Tensor:
    predicted = logits[:, :-1]
    return _losses(predicted.reshape(predicted.mT.shape).mT, tokens[:, 1:])


@exercise.misconception(
    en="The shift is right, but the softmax runs over the positions, axis 1. It belongs to the "
    "vocabulary, the last axis.",
    zh="错开得对，但softmax沿着位置（第1轴）做了。它属于词表，即最后一个轴。",
)
def softmax_over_positions(logits: Tensor, tokens: Tensor) -> Tensor:
    scores = logits[:, :-1].log_softmax(1)
    return -scores.gather(-1, tokens[:, 1:, None]).squeeze(-1)


@exercise.misconception(
    en="The logarithm is missing: a loss in nats is minus the *logarithm* of the probability.",
    zh="少取了对数：以奈特计的损失，是概率*对数*的相反数。",
)
def without_logarithm(logits: Tensor, tokens: Tensor) -> Tensor:
    return -logits[:, :-1].softmax(-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)


@exercise.misconception(
    en="The losses are right, with a 0 in front for the first token. Nothing predicts it, and a 0 "
    "lowers every mean taken later: return L − 1 columns.",
    zh="损失都对，但前面给第一个词元补了一个0。没有什么在预测它，这个0还会拉低以后求的平均："
    "只返回L − 1列。",
)
def zero_in_front(logits: Tensor, tokens: Tensor) -> Tensor:
    return torch.nn.functional.pad(next_token_losses(logits, tokens), (1, 0))
