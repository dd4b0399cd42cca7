"""Exercise tuning_step: one step of fine-tuning after position interpolation."""

import torch
from torch import Tensor

from autograde.exercise import Exercise, Function
from autograde.expect import expect, expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="tuning_step",
    chapter="09_extrapolation",
    title=Text(en="One step after interpolation", zh="插值之后的一步"),
    task=Text(
        en=r"""The score of a head at distance $k$ is
$\hat y_k=\sum_i a_i\cos(\omega_ik/s)+b_i\sin(\omega_ik/s)$: rotary, interpolated by $s$. Take one
step of gradient descent on the coefficients $c=(a_1,a_2,\dots,b_1,b_2,\dots)$ for the loss
$\frac1n\sum_k(\hat y_k-y_k)^2$, and return the new coefficients, $c-\eta\,\nabla_c$.

In: `c` `(2m,)`; `y` `(n,)`, the wanted scores at the distances `k` `(n,)`; `omega` `(m,)`; `factor`
is $s$; `rate` is $\eta$. Out: shape `(2m,)`. Derive the gradient; no autograd needed.""",
        zh=r"""一个头在距离$k$处的得分是
$\hat y_k=\sum_i a_i\cos(\omega_ik/s)+b_i\sin(\omega_ik/s)$：旋转编码，按$s$插值。
对损失$\frac1n\sum_k(\hat y_k-y_k)^2$，在系数$c=(a_1,a_2,\dots,b_1,b_2,\dots)$上走一步梯度下降，
返回新的系数$c-\eta\,\nabla_c$。

输入：`c`，`(2m,)`；`y`，`(n,)`，距离`k`（`(n,)`）处想要的得分；`omega`，`(m,)`；`factor`就是$s$；
`rate`就是$\eta$。输出：形状`(2m,)`。自己推出梯度即可，不需要autograd。""",
    ),
    signature="tuning_step(c, y, k, omega, factor, rate) -> (2m,)",
    points=3,
    difficulty=2,
    minutes=10,
    hints=(
        Text(
            en="Write the score as a matrix times the coefficients. What are the columns?",
            zh="把得分写成矩阵乘系数。矩阵的列是什么？",
        ),
        Text(
            en="With F = [cos, sin] of k·ω/s, shape (n, 2m), the score is F c and the gradient is "
            "2 Fᵀ(F c − y)/n.",
            zh="令F = [cos, sin]，角度为k·ω/s，形状(n, 2m)；得分是F c，梯度是2 Fᵀ(F c − y)/n。",
        ),
        Text(
            en="`angles = k[:, None] * omega / factor`, "
            "`F = torch.cat((angles.cos(), angles.sin()), dim=1)`, then "
            "`c - rate * 2 * F.T @ (F @ c - y) / len(k)`.",
            zh="`angles = k[:, None] * omega / factor`，"
            "`F = torch.cat((angles.cos(), angles.sin()), dim=1)`，然后"
            "`c - rate * 2 * F.T @ (F @ c - y) / len(k)`。",
        ),
    ),
)


def _waves(k: Tensor, omega: Tensor, factor: float) -> Tensor:
    angles = k.double()[:, None] * omega.double() / factor
    return torch.cat((angles.cos(), angles.sin()), 1)


def _gradient(c: Tensor, y: Tensor, waves: Tensor) -> Tensor:
    return 2 * waves.T @ (waves @ c.double() - y.double()) / len(y)


def _case(rng: torch.Generator, pairs: int = 4, n: int = 12) -> tuple[Tensor, ...]:
    omega = 10.0 ** -torch.arange(pairs)
    c, y = torch.randn(2 * pairs, generator=rng), torch.randn(n, generator=rng)
    return c, y, torch.arange(n) * 3, omega


@exercise.check(en="returns as many coefficients", zh="返回同样多的系数")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(*_case(rng), 4.0, 0.1), (8,))


@exercise.check(
    en="equals the step, at several stretches", zh="在几种拉伸倍数下都等于这一步", weight=3
)
def values(answer: Function, rng: torch.Generator) -> None:
    for factor, rate in ((1.0, 0.1), (4.0, 0.3), (8.0, 0.05)):
        c, y, k, omega = _case(rng)
        want = c - rate * _gradient(c, y, _waves(k, omega, factor))
        expect_close(answer(c, y, k, omega, factor, rate), want, rtol=1e-3, atol=1e-4)


@exercise.check(en="many steps bring the loss down", zh="走许多步，损失下降", weight=2)
def falls(answer: Function, rng: torch.Generator) -> None:
    c, y, k, omega = _case(rng, pairs=3, n=24)
    waves = _waves(k, omega, 8.0)
    before = ((waves @ c.double() - y) ** 2).mean()
    for _ in range(30):
        c = expect_shape(answer(c, y, k, omega, 8.0, 0.2), (6,))
    after = ((waves @ c.double() - y) ** 2).mean()
    expect(
        after < 0.9 * before,
        f"after 30 steps the loss is {after:.3f}, at first it was {before:.3f}",
        f"走了30步，损失是{after:.3f}，起初是{before:.3f}",
    )


def _step(c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, size: float) -> Tensor:
    return c - size * _gradient(c, y, _waves(k, omega, factor))


@exercise.misconception(
    en="You tuned at the old angles, kω. The model will be used at kω/s, and those it has not "
    "practised.",
    zh="你用原来的角度kω微调。实际使用时是kω/s，那里它没练过。",
)
def old_angles(
    c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float
) -> Tensor:
    return _step(c, y, k, omega, 1.0, rate)


@exercise.misconception(
    en="You interpolated twice: positions and frequencies were both divided by s, so the angles "
    "are kω/s².",
    zh="你插值了两次：位置和频率都除以了s，角度成了kω/s²。",
)
def twice(c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float) -> Tensor:
    return _step(c, y, k, omega, factor**2, rate)


@exercise.misconception(
    en="You added the gradient: the loss climbs.", zh="你加上了梯度：损失会上升。"
)
def uphill(c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float) -> Tensor:
    return _step(c, y, k, omega, factor, -rate)


@exercise.misconception(
    en="You did not divide by n: the step is n times too long, and for many distances it diverges.",
    zh="你没有除以n：步子大了n倍，距离一多就发散。",
)
def summed(c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float) -> Tensor:
    return _step(c, y, k, omega, factor, rate * len(k))


@exercise.misconception(
    en="The factor 2 of the square's derivative is missing: half a step.",
    zh="漏了平方求导的因子2：只走了半步。",
)
def half_a_step(
    c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float
) -> Tensor:
    return _step(c, y, k, omega, factor, rate / 2)
