"""Exercise excess_loss: what a byte costs late in a long window, beyond its cost in a short one."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="excess_loss",
    chapter="09_extrapolation",
    title=Text(en="Excess loss", zh="超额损失"),
    task=Text(
        en=r"""Return the *excess loss* of a model at length $T$: the mean, over all windows and
over the positions from $T/2$ on, of the loss in the long window minus the loss of the same byte in
a fresh window of the trained length.

In: `losses` and `fresh`, both `(n, T)`, nats; entry `[w, p]` of both belongs to the same byte; $T$
is even. The first columns of `fresh` may be NaN: those bytes have no fresh window.
Out: a tensor of shape `()`.""",
        zh=r"""返回模型在长度$T$上的*超额损失*：在所有窗口、从$T/2$起的所有位置上，
长窗口中的损失减去同一个字节在训练长度的新窗口中的损失，取平均。

输入：`losses`和`fresh`，形状都是`(n, T)`，单位奈特；两者的`[w, p]`属于同一个字节；$T$为偶数。
`fresh`开头几列可能是NaN：那些字节没有新窗口。
输出：形状为`()`的张量。""",
    ),
    signature="excess_loss(losses, fresh) -> ()",
    points=2,
    difficulty=1,
    minutes=5,
    hints=(
        Text(
            en="Each byte is compared with itself. Which is subtracted from which, and where?",
            zh="每个字节都和自己比。谁减谁？在哪些位置上减？",
        ),
        Text(
            en="The second half of the columns starts at `T // 2`.",
            zh="后一半的列从`T // 2`开始。",
        ),
        Text(
            en="`(losses - fresh)[:, T // 2 :].mean()`, with `T = losses.shape[1]`.",
            zh="`(losses - fresh)[:, T // 2 :].mean()`，其中`T = losses.shape[1]`。",
        ),
    ),
)


def _case(rng: torch.Generator, windows: int, length: int) -> tuple[Tensor, Tensor]:
    fresh = 1 + torch.rand(windows, length, generator=rng)
    return fresh + torch.rand(windows, length, generator=rng) - 0.3, fresh


def _late(x: Tensor) -> Tensor:
    return x[:, x.shape[1] // 2 :]


@exercise.check(en="returns one number", zh="返回一个数")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(*_case(rng, 3, 8)), ())


@exercise.check(en="is the mean difference in the second half", zh="等于后一半上差的平均", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    for windows, length in ((6, 8), (1, 2), (5, 64)):
        losses, fresh = _case(rng, windows, length)
        expect_close(answer(losses, fresh), _late(losses - fresh).mean())


@exercise.check(
    en="a byte without a fresh window does not matter", zh="没有新窗口的字节不影响结果", weight=2
)
def not_a_number(answer: Function, rng: torch.Generator) -> None:
    losses, fresh = _case(rng, 4, 16)
    fresh[:, :4] = torch.nan
    expect_close(answer(losses, fresh), _late(losses - fresh).mean())


@exercise.check(
    en="is 0 when the bytes are hard and position does not matter",
    zh="字节本身难、而位置无影响时为0",
    weight=2,
)
def hard_bytes(answer: Function, rng: torch.Generator) -> None:
    fresh = torch.linspace(1, 3, 32).repeat(20, 1)  # later bytes are harder, everywhere
    expect_close(answer(fresh.clone(), fresh), torch.tensor(0.0))


@exercise.misconception(
    en="You subtracted the wrong way round: a model that breaks would have a negative excess.",
    zh="减反了：失效的模型反而会得到负的超额损失。",
)
def reversed_(losses: Tensor, fresh: Tensor) -> Tensor:
    return _late(fresh - losses).mean()


@exercise.misconception(
    en="You averaged over the whole window. Of its first half, some bytes lie within the trained "
    "length and some have no fresh window at all: they dilute the excess, or make it NaN.",
    zh="你对整个窗口求了平均。前一半有的没超出训练过的范围，有的根本没有新窗口：超额会被冲淡，"
    "甚至变成NaN。",
)
def whole_window(losses: Tensor, fresh: Tensor) -> Tensor:
    return (losses - fresh).mean()


@exercise.misconception(
    en="You compared late bytes with early bytes of the long window. They are other bytes: if the "
    "late ones are harder to guess, that looks like bad extrapolation.",
    zh="你拿长窗口里靠后的字节和靠前的字节比。那是不同的字节：若靠后的本来就难猜，看上去就像外推不好。",
)
def other_bytes(losses: Tensor, fresh: Tensor) -> Tensor:
    return _late(losses).mean() - losses[:, : losses.shape[1] // 2].mean()


@exercise.misconception(
    en="You returned the loss itself. It tells how good the model is at all, not what length costs "
    "it.",
    zh="你返回的是损失本身。它说明模型总体好不好，不说明长度让它付出了多少。",
)
def loss_itself(losses: Tensor, fresh: Tensor) -> Tensor:
    return _late(losses).mean()


@exercise.misconception(
    en="You took the last position alone: one byte a window, so mostly noise.",
    zh="你只取了最后一个位置：每个窗口一个字节，多半是噪声。",
)
def last_position(losses: Tensor, fresh: Tensor) -> Tensor:
    return (losses - fresh)[:, -1].mean()


@exercise.misconception(
    en="You averaged over the whole window and only left out the NaN. Bytes within the trained "
    "length, where the excess is about 0, still dilute it: begin at T/2.",
    zh="你对整个窗口求了平均，只跳过了NaN。没超出训练长度的字节，超额本来就在0附近，照样把它冲淡："
    "应当从T/2开始。",
)
def whole_window_but_nan(losses: Tensor, fresh: Tensor) -> Tensor:
    return (losses - fresh).nanmean()


@exercise.misconception(
    en="Your slice cuts axis 0, the windows. Positions are axis 1: `[:, T // 2 :]`.",
    zh="你的切片切的是第0轴，也就是窗口。位置在第1轴：`[:, T // 2 :]`。",
)
def late_windows(losses: Tensor, fresh: Tensor) -> Tensor:
    return (losses - fresh)[losses.shape[1] // 2 :].mean()


@exercise.misconception(
    en="You added the differences up. A longer window would have a larger excess for that alone: "
    "take the mean.",
    zh="你把差加了起来。那样窗口越长，超额就越大：应当取平均。",
)
def summed(losses: Tensor, fresh: Tensor) -> Tensor:
    return _late(losses - fresh).sum()
