"""Exercise parts_ramp: how much of its frequency each pair keeps."""

import math

import torch
from torch import Tensor

from autograde.exercises._ramps import WRONG_RAMPS, ramp
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="parts_ramp",
    chapter="06_rope_scaling",
    title=Text(en="The ramp of NTK-by-parts", zh="NTK-by-parts的斜坡"),
    task=Text(
        en=r"""Return $\gamma$ of every pair: $0$ for a pair that turns less than $\alpha$ times
within the trained length, $1$ for one that turns more than $\beta$ times, and between them a
straight line in the number of turns.

In: `omega` of shape `(D/2,)`, radians per token, in any order; `trained_length` is $L$, in tokens;
$0<\alpha<\beta$. Out: shape `(D/2,)`.""",
        zh=r"""返回每一对的$\gamma$：在训练长度内转不到$\alpha$圈的为$0$，超过$\beta$圈的为$1$，
两者之间随圈数线性变化。

输入：`omega`形状为`(D/2,)`，弧度/词元，次序任意；`trained_length`就是$L$，单位是词元；
$0<\alpha<\beta$。输出：形状为`(D/2,)`。""",
    ),
    signature="parts_ramp(omega, trained_length, alpha=1.0, beta=32.0) -> (D/2,)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="A pair with wavelength λ turns L/λ times. What is λ for a frequency ω?",
            zh="波长为λ的一对转L/λ圈。频率为ω时，λ是多少？",
        ),
        Text(
            en="Which straight line is 0 at α and 1 at β?",
            zh="哪条直线在α处为0、在β处为1？",
        ),
        Text(
            en="It is (r - α)/(β - α). Outside of α … β cut it off, at both ends.",
            zh="就是(r - α)/(β - α)。超出α到β的部分，两端都要截断。",
        ),
    ),
)


def _answer_with(share: Function) -> Function:
    def answer(
        omega: Tensor, trained_length: int, alpha: float = 1.0, beta: float = 32.0
    ) -> Tensor:
        return share(trained_length * omega / (2 * math.pi), alpha, beta)

    return answer


exercise.truth(_answer_with(ramp))


@exercise.check(en="one number for every pair", zh="每一对一个数")
def shape(answer: Function, rng: torch.Generator) -> None:
    for dim in (64, 2, 6):
        expect_shape(answer(frequencies(dim), 2048), (dim // 2,))


@exercise.check(
    en="fast pairs keep all (γ = 1), slow ones nothing (γ = 0)",
    zh="高频对全部保留（γ = 1），低频对一点不留（γ = 0）",
    weight=2,
)
def ends(answer: Function, rng: torch.Generator) -> None:
    got = expect_shape(answer(frequencies(64), 2048), (32,))
    expect(
        abs(got[0] - 1) < 1e-5,
        f"the fastest pair turns 326 times and has γ = {got[0].item():.4g}, expected 1",
        f"最高频的一对转了326圈，γ = {got[0].item():.4g}，应为1",
    )
    expect(
        abs(got[-1]) < 1e-5,
        f"the slowest pair turns 0.04 times and has γ = {got[-1].item():.4g}, expected 0",
        f"最低频的一对只转0.04圈，γ = {got[-1].item():.4g}，应为0",
    )


@exercise.check(
    en="is linear in the number of turns in between", zh="两者之间随圈数线性变化", weight=3
)
def values(answer: Function, rng: torch.Generator) -> None:
    for _ in range(3):
        omega = frequencies(64)[torch.randperm(32, generator=rng)]
        length = int(torch.randint(300, 10_000, (), generator=rng))
        alpha, width = (4 + 20 * torch.rand(2, generator=rng)).tolist()
        expect_agreement(answer, exercise.true_answer, omega, length, alpha, alpha + width)
    expect_agreement(answer, exercise.true_answer, frequencies(256), 2048)


WRONG_RAMPS.name_in(exercise, _answer_with)


@exercise.misconception(
    en="`alpha` and `beta` are not used: your borders stay at 1 and 32 turns.",
    zh="没用到`alpha`和`beta`：你的边界总是1圈和32圈。",
)
def fixed_borders(
    omega: Tensor, trained_length: int, alpha: float = 1.0, beta: float = 32.0
) -> Tensor:
    return _answer_with(ramp)(omega, trained_length)


@exercise.misconception(
    en="A pair turns Lω/2π times within L tokens; you left out L, and counted the turns in a "
    "single token.",
    zh="一对在L个词元内转Lω/2π圈；你漏了L，数的是一个词元内转多少圈。",
)
def turns_of_one_token(
    omega: Tensor, trained_length: int, alpha: float = 1.0, beta: float = 32.0
) -> Tensor:
    return _answer_with(ramp)(omega, 1, alpha, beta)


@exercise.misconception(
    en="Your ramp is linear in the number of the pair, between the two borders, as it is in YaRN's "
    "code. The task asks for the paper's ramp, linear in the number of turns.",
    zh="你的斜坡在两个边界之间随对的编号线性变化：YaRN的代码是这样。"
    "这里要的是论文里的斜坡，随圈数线性变化。",
)
def linear_in_the_pair(
    omega: Tensor, trained_length: int, alpha: float = 1.0, beta: float = 32.0
) -> Tensor:
    turns = trained_length * omega / (2 * math.pi)
    low, high = int((turns > beta).sum()), int((turns >= alpha).sum())
    return 1 - ((torch.arange(len(omega)) - low) / max(high - low, 1e-3)).clamp(0, 1)
