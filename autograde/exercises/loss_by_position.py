"""Exercise loss_by_position: the mean loss at every position, over the rows that ask there."""

import math

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="loss_by_position",
    chapter="14_under_glass",
    title=Text(en="Loss by position", zh="逐个位置的损失"),
    task=Text(
        en=r"""Return the mean loss at every position, in nats: over the rows that ask something
there, the mean of $-\ln p$, $p$ being the probability of the target. NaN where no row asks.

In: `logits` `(B, L, V)`, float32 or bfloat16, before the softmax; `targets` `(B, L)`, int64:
`targets[b, t]` is the token that should follow token $t$ of row $b$, and −100 where nothing is
asked. Out: shape `(L,)`, right to four significant digits, for bfloat16 logits too, and where
a model is sure of the wrong token: logits can be hundreds apart.""",
        zh=r"""返回每个位置上的平均损失，单位奈特（nat）：对在该位置有提问的所有行，
把$-\ln p$取平均，$p$是目标词元的概率。没有一行提问的位置填NaN。

输入：`logits`，形状`(B, L, V)`，float32或bfloat16，是softmax之前的值；`targets`，形状`(B, L)`，
int64：`targets[b, t]`是第$b$行第$t$个词元之后应当出现的词元，不提问的位置为−100。
输出：形状`(L,)`。logits是16位时，结果也要准到四位有效数字；模型对错误的词元很有把握时同样要对：
logits之间可以相差几百。""",
    ),
    signature="loss_by_position(logits, targets) -> (L,)",
    points=3,
    difficulty=3,
    minutes=10,
    hints=(
        Text(
            en="Of 3 rows, one has −100 at position 5. By what number is the sum of the losses "
            "at position 5 divided?",
            zh="共3行，其中一行在位置5是−100。位置5上的损失之和该除以几？",
        ),
        Text(
            en="`F.cross_entropy(…, reduction='none')` gives each loss by itself, and 0 for −100. "
            "It wants the vocabulary on axis 1: `logits.transpose(1, 2)`.",
            zh="`F.cross_entropy(…, reduction='none')`逐个给出损失，−100处为0。"
            "它要求词表在第1轴：`logits.transpose(1, 2)`。",
        ),
        Text(
            en="bfloat16 has two to three digits. Make it float32 before the softmax: "
            "`logits.float()`. Then `each.sum(0) / (targets != -100).sum(0)`; 0/0 is NaN.",
            zh="bfloat16只有两三位有效数字。先变成float32再做softmax：`logits.float()`。"
            "然后`each.sum(0) / (targets != -100).sum(0)`，0/0就是NaN。",
        ),
    ),
)


@exercise.truth
def asked_ones(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the mean over the rows that ask, position by position, in float64."""
    return _mean(_losses(logits, targets), targets)


def _losses(logits: Tensor, targets: Tensor) -> Tensor:
    """Return each loss (B, L), as if token 0 were asked where nothing is."""
    tokens = targets.clamp(min=0)[..., None]
    return -logits.double().log_softmax(-1).gather(-1, tokens)[..., 0]


def _mean(losses: Tensor, targets: Tensor) -> Tensor:
    return losses.masked_fill(targets == -100, torch.nan).nanmean(0)


def _case(
    rng: torch.Generator, batch: int, length: int, vocabulary: int, scale: float = 2.0
) -> tuple[Tensor, Tensor]:
    """Return logits, a view of a larger tensor, and targets; some rows do not ask."""
    logits = scale * torch.randn(length, batch, vocabulary, generator=rng).transpose(0, 1)
    targets = torch.randint(vocabulary, (batch, length), generator=rng)
    silent = torch.rand(batch, length, generator=rng) < 0.4
    silent[torch.randint(batch, (length,), generator=rng), torch.arange(length)] = False
    return logits, targets.masked_fill(silent, -100)


def _expect_losses(answer: Function, logits: Tensor, targets: Tensor) -> None:
    """Compare with the true losses: NaN in the right places first."""
    want = exercise.true_answer(logits, targets)
    got = expect_shape(answer(logits, targets), tuple(want.shape))
    right, yours = (side.isnan().nonzero().flatten().tolist() for side in (want, got))
    expect(
        right == yours,
        f"NaN belongs at the positions {right}, where nothing is asked, and nowhere else; "
        + (f"yours is at {yours}" if yours else "yours has none"),
        f"NaN应在没有提问的位置{right}，别处不该有；"
        + (f"你的在{yours}" if yours else "你的结果里没有"),
    )
    expect_close(got.nan_to_num(-1.0), want.nan_to_num(-1.0))


@exercise.check(en="one number for each position", zh="每个位置一个数")
def shape(answer: Function, rng: torch.Generator) -> None:
    for sizes in ((3, 6, 5), (4, 1, 7), (1, 9, 4)):
        expect_shape(answer(*_case(rng, *sizes)), (sizes[1],))


@exercise.check(en="the mean where every row asks", zh="每行都提问时的平均", weight=2)
def all_ask(answer: Function, rng: torch.Generator) -> None:
    batch, length = torch.randint(2, 9, (2,), generator=rng).tolist()
    for sizes in ((batch, length, 11), (5, 6, 30), (1, 4, 5000)):
        logits, targets = _case(rng, *sizes)
        _expect_losses(answer, logits, targets.clamp(min=0))
    targets = torch.randint(4, (2, 5), generator=rng)
    sure = 200.0 * torch.nn.functional.one_hot(targets[0], 4)  # its loss is 0
    _expect_losses(answer, torch.stack((sure, torch.randn(5, 4, generator=rng))), targets)


@exercise.check(en="−100 does not count", zh="−100不计入", weight=2)
def some_ask(answer: Function, rng: torch.Generator) -> None:
    batch, length = torch.randint(3, 9, (2,), generator=rng).tolist()
    for sizes in ((batch, length, 11), (9, 2, 6), (2, 40, 3)):
        _expect_losses(answer, *_case(rng, *sizes))


@exercise.check(en="NaN where nothing is asked", zh="没有提问的位置是NaN")
def none_asks(answer: Function, rng: torch.Generator) -> None:
    for sizes in ((4, 7, 6), (1, 8, 3)):
        logits, targets = _case(rng, *sizes)
        targets[:, [0, 4]] = -100
        _expect_losses(answer, logits, targets)


@exercise.check(
    en="16-bit logits, and logits hundreds apart", zh="16位的logits，相差几百的logits", weight=2
)
def precise(answer: Function, rng: torch.Generator) -> None:
    logits, targets = _case(rng, 3, 8, 12)
    _expect_losses(answer, logits.bfloat16(), targets)
    _expect_losses(answer, *_case(rng, 4, 5, 7, scale=150.0))


@exercise.misconception(
    en="−100 was counted as a loss of 0: you divided by all rows, and so positions where few ask "
    "look better than they are.",
    zh="−100被当作损失0算了进去：你除以了全部行数，提问少的位置因此显得比实际好。",
)
def silent_as_zero(logits: Tensor, targets: Tensor) -> Tensor:
    return _losses(logits, targets).masked_fill(targets == -100, 0.0).mean(0)


@exercise.misconception(
    en="NaN is in the right places, but elsewhere you divided by all rows: those that ask nothing "
    "count as a loss of 0. Divide by the rows that ask.",
    zh="NaN的位置对了，但别处你除以了全部行数：不提问的行被当作损失0算了进去。应当除以提问的行数。",
)
def silent_rows_in_the_mean(logits: Tensor, targets: Tensor) -> Tensor:
    return silent_as_zero(logits, targets).where((targets != -100).any(0), torch.nan)


@exercise.misconception(
    en="A loss of exactly 0 was taken for a place where nothing is asked. A model that is sure and "
    "right has such a loss too: look for −100 in `targets`.",
    zh="损失恰好为0的地方被当成了没有提问。模型很有把握又答对时，损失也会是0：要看`targets`里的−100。",
)
def zero_as_silent(logits: Tensor, targets: Tensor) -> Tensor:
    losses = _losses(logits, targets).float().masked_fill(targets == -100, 0.0)
    return losses.masked_fill(losses == 0, torch.nan).nanmean(0)


@exercise.misconception(
    en="Positions where nothing is asked got 0, the best loss there is. Nobody asked, so it "
    "should be NaN.",
    zh="没有提问的位置你填了0，那是最好的损失。没有人问过，应为NaN。",
)
def nothing_as_zero(logits: Tensor, targets: Tensor) -> Tensor:
    return asked_ones(logits, targets).nan_to_num(0.0)


silent_counts = exercise.misconception(
    en="−100 was taken for a token: those losses count, though nothing was asked there.",
    zh="你把−100换成了某个词元，那里的损失也算了进去，可那里并没有提问。",
)


@silent_counts
def silent_as_token_0(logits: Tensor, targets: Tensor) -> Tensor:
    return _losses(logits, targets).mean(0)


@silent_counts
def silent_as_token_0_beside_others(logits: Tensor, targets: Tensor) -> Tensor:
    return silent_as_token_0(logits, targets).where((targets != -100).any(0), torch.nan)


@exercise.misconception(
    en="Token 0 was left out. It is a token like any other; only −100 means that nothing is asked: "
    "`targets != -100`.",
    zh="你漏掉了词元0。它和别的词元一样，只有−100表示没有提问：`targets != -100`。",
)
def token_0_as_silent(logits: Tensor, targets: Tensor) -> Tensor:
    return asked_ones(logits, targets.masked_fill(targets == 0, -100))


@exercise.misconception(
    en="A position is NaN as soon as *one* row asks nothing there. Leave that row out of the mean.",
    zh="只要*有一行*没有提问，那个位置就成了NaN。应当只把那一行跳过。",
)
def nan_if_one_is_silent(logits: Tensor, targets: Tensor) -> Tensor:
    return _losses(logits, targets).masked_fill(targets == -100, torch.nan).mean(0)


@exercise.misconception(
    en="You took the mean along each row: one number per row. Positions are axis 1, which should "
    "stay.",
    zh="你沿着每一行取了平均：每行一个数。位置在第1轴，要保留它。",
)
def by_row(logits: Tensor, targets: Tensor) -> Tensor:
    return _losses(logits, targets).masked_fill(targets == -100, torch.nan).nanmean(1)


@exercise.misconception(
    en="You took one mean over everything: that is what training prints, and what hides where the "
    "loss is.",
    zh="你对全部取了一个平均：训练时打印的就是它，它看不出损失出在哪里。",
)
def one_mean(logits: Tensor, targets: Tensor) -> Tensor:
    return _losses(logits, targets)[targets != -100].mean()


twice_shifted = exercise.misconception(
    en="You shifted once more. `targets[b, t]` is what follows token t already; now every guess is "
    "held against the token after next.",
    zh="你又错开了一格。`targets[b, t]`已经是第t个词元之后的那个；现在每次预测比的是再下一个。",
)


@twice_shifted
def shifted_and_filled(logits: Tensor, targets: Tensor) -> Tensor:
    return asked_ones(logits, torch.nn.functional.pad(targets[:, 1:], (0, 1), value=-100))


@twice_shifted
def shifted_again(logits: Tensor, targets: Tensor) -> Tensor:
    return asked_ones(logits[:, :-1], targets[:, 1:])


@exercise.misconception(
    en="You computed in 16 bits. bfloat16 keeps two to three digits; `logits.float()` should "
    "come first.",
    zh="你用16位做了计算。bfloat16只有两三位有效数字，应先`logits.float()`。",
)
def in_16_bits(logits: Tensor, targets: Tensor) -> Tensor:
    each = torch.nn.functional.cross_entropy(logits.transpose(1, 2), targets, reduction="none")
    return each.sum(0) / (targets != -100).sum(0)


late = exercise.misconception(
    en="`float()` came too late: the losses were computed in 16 bits, and the lost digits do not "
    "come back. It belongs before the softmax.",
    zh="`float()`来得太晚：损失是用16位算的，丢掉的位数回不来。应放在softmax之前。",
)


@late
def float_too_late(logits: Tensor, targets: Tensor) -> Tensor:
    each = torch.nn.functional.cross_entropy(logits.transpose(1, 2), targets, reduction="none")
    return each.float().sum(0) / (targets != -100).sum(0)


@late
def float_after_log_softmax(logits: Tensor, targets: Tensor) -> Tensor:
    chances = logits.log_softmax(-1).float()
    return _mean(-chances.gather(-1, targets.clamp(min=0)[..., None])[..., 0], targets)


@exercise.misconception(
    en="You took the softmax first and the logarithm after it: a small probability becomes 0, and "
    "its loss is infinite. `log_softmax` takes the logarithm before anything is lost.",
    zh="你先softmax再取对数：小概率会变成0，损失就成了无穷大。用`log_softmax`才不会丢掉它。",
)
def softmax_then_log(logits: Tensor, targets: Tensor) -> Tensor:
    p = logits.float().softmax(-1).gather(-1, targets.clamp(min=0)[..., None])[..., 0]
    return _mean(-p.log(), targets)


@exercise.misconception(
    en="You took the softmax first and the logarithm after it: a small probability becomes 0, its "
    "loss infinite, and infinity times a mask of 0 is NaN. `log_softmax` takes the logarithm "
    "before anything is lost.",
    zh="你先softmax再取对数：小概率会变成0，损失就成了无穷大，再乘以掩码里的0便是NaN。"
    "用`log_softmax`才不会丢掉它。",
)
def infinity_times_mask(logits: Tensor, targets: Tensor) -> Tensor:
    p = logits.float().softmax(-1).gather(-1, targets.clamp(min=0)[..., None])[..., 0]
    asks = targets != -100
    return (-p.log() * asks).sum(0) / asks.sum(0)


def _add_capped(kind: str, keep: Function, number: str, epsilon: float) -> None:
    def capped(logits: Tensor, targets: Tensor) -> Tensor:
        return _mean(-keep(_losses(logits, targets).neg().exp(), epsilon).log(), targets)

    capped.__name__, most = f"{kind}_{number.replace('-', '_')}", f"{-math.log(epsilon):.1f}"
    exercise.misconception(
        en=f"You added {number} to the probability, or clamped it there, to keep the logarithm "
        f"from 0: no loss can exceed {most} then, however sure the model is of the wrong token. "
        "`log_softmax` needs no such number.",
        zh=f"你给概率加了{number}，或规定它不小于{number}，免得对0取对数：损失因此不会超过{most}，"
        "哪怕模型对错误的词元再有把握。用`log_softmax`就不需要这个数。",
    )(capped)


SMALL = {f"1e-{digits}": 10.0**-digits for digits in (6, 7, 8, 9, 10, 12, 20, 30)}
SMALL["1.2e-7"] = torch.finfo(torch.float32).eps
for number, epsilon in SMALL.items():
    _add_capped("plus", torch.add, number, epsilon)
    if number != "1e-8":  # on the inputs of the checks, the same as with plus
        _add_capped("at_least", torch.clamp, number, epsilon)


@exercise.misconception(
    en="`cross_entropy` takes logits, and you gave it probabilities: a second softmax makes them "
    "almost alike, and no loss can come near 0.",
    zh="`cross_entropy`要的是logits，你给的是概率：再做一次softmax，它们就差不多一样了，"
    "损失不可能接近0。",
)
def softmax_twice(logits: Tensor, targets: Tensor) -> Tensor:
    return asked_ones(logits.double().softmax(-1), targets)


@exercise.misconception(
    en="The sign is lost: what you have is ln p, never above 0. The loss is −ln p.",
    zh="漏了负号：你算的是ln p，不会大于0。损失是−ln p。",
)
def log_of_p(logits: Tensor, targets: Tensor) -> Tensor:
    return -asked_ones(logits, targets)


@exercise.misconception(
    en="You have the loss in bits. Nats take the natural logarithm.",
    zh="你算的是比特。奈特用自然对数。",
)
def bits(logits: Tensor, targets: Tensor) -> Tensor:
    return asked_ones(logits, targets) / math.log(2)


@exercise.misconception(
    en="You have the share of right guesses, not the loss.",
    zh="你算的是猜对的比例，不是损失。",
)
def accuracy(logits: Tensor, targets: Tensor) -> Tensor:
    return _mean((logits.argmax(-1) == targets).double(), targets)


@exercise.misconception(
    en="You returned the perplexity, e to the power of the loss.",
    zh="你返回的是困惑度，也就是e的损失次方。",
)
def perplexity(logits: Tensor, targets: Tensor) -> Tensor:
    return asked_ones(logits, targets).exp()


@exercise.misconception(
    en="The softmax runs over the positions. Probabilities of the vocabulary sum to 1: axis −1.",
    zh="softmax做在了位置上。应让词表上的概率之和为1：轴是−1。",
)
def softmax_over_positions(logits: Tensor, targets: Tensor) -> Tensor:
    chances = logits.double().log_softmax(1)
    return _mean(-chances.gather(-1, targets.clamp(min=0)[..., None])[..., 0], targets)


@exercise.misconception(
    en="`cross_entropy` wants the vocabulary on axis 1. A `view` or `reshape` moves no axis: it "
    "cuts the same numbers into different rows. Use `transpose(1, 2)`.",
    zh="`cross_entropy`要求词表在第1轴。`view`和`reshape`不会移动轴，只是把同样的数重新切成行。"
    "要用`transpose(1, 2)`。",
)
def reshaped(logits: Tensor, targets: Tensor) -> Tensor:
    batch, length, vocabulary = logits.shape
    return asked_ones(logits.reshape(batch, vocabulary, length).transpose(1, 2), targets)
