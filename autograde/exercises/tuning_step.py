"""Exercise tuning_step: one step of fine-tuning after position interpolation."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_effect, expect_other, expect_shape
from autograde.kit.expect_values import expect_agreement
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

In: `c` `(2m,)`; `y` `(n,)`, the target scores at the distances `k` `(n,)`; `omega` `(m,)`; `factor`
is $s$; `rate` is $\eta$. Out: shape `(2m,)`. Derive the gradient; autograd is not needed.""",
        zh=r"""一个头在距离$k$处的得分是
$\hat y_k=\sum_i a_i\cos(\omega_ik/s)+b_i\sin(\omega_ik/s)$：旋转编码，按$s$插值。
对损失$\frac1n\sum_k(\hat y_k-y_k)^2$，在系数$c=(a_1,a_2,\dots,b_1,b_2,\dots)$上走一步梯度下降，
返回新的系数$c-\eta\,\nabla_c$。

输入：`c`，`(2m,)`；`y`，`(n,)`，距离`k`（`(n,)`）处的目标得分；`omega`，`(m,)`；`factor`就是$s$；
`rate`就是$\eta$。输出：形状`(2m,)`。请自己推出梯度，用不着autograd。""",
    ),
    signature="tuning_step(c, y, k, omega, factor, rate) -> (2m,)",
    points=3,
    difficulty=2,
    minutes=12,
    seconds=30.0,  # torch imports 800 modules when `torch.func.grad` or an optimiser is first used
    hints=(
        Text(
            en="Write the score as a matrix times the coefficients. What are the columns?",
            zh="把得分写成矩阵乘系数。矩阵的列是什么？",
        ),
        Text(
            en="With F = [cos, sin] of k·ω/s, shape (n, 2m), the score is F c. Each distance adds "
            "2/n times its residual ŷ − y, times its own row of F: as a matrix product, what is "
            "that?",
            zh="令F = [cos, sin]，角度为k·ω/s，形状(n, 2m)；得分是F c。每个距离给梯度添上"
            "2/n乘它的残差ŷ − y，再乘F中它自己的那一行：写成矩阵乘法是什么？",
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


@exercise.truth
def step_by_hand(
    c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float
) -> Tensor:
    """Return the coefficients after the step, in float64."""
    return _step(c, y, k, omega, factor, rate)


def _waves(k: Tensor, omega: Tensor, factor: float) -> Tensor:
    angles = k.double()[:, None] * omega.double() / factor
    return torch.cat((angles.cos(), angles.sin()), 1)


def _gradient(c: Tensor, y: Tensor, waves: Tensor) -> Tensor:
    return 2 * waves.T @ (waves @ c.double() - y.double()) / len(y)


def _step(c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, size: float) -> Tensor:
    return c - size * _gradient(c, y, _waves(k, omega, factor))


def _case(rng: torch.Generator, pairs: int, n: int) -> tuple[Tensor, ...]:
    """Return coefficients, scores, distances with gaps, and frequencies."""
    c, y = torch.randn(2 * pairs, generator=rng), torch.randn(n, generator=rng)
    k = torch.randint(1, 5, (n,), generator=rng).cumsum(0)
    return c, y, k, 20.0 ** (-torch.arange(pairs) / pairs)


@exercise.check(en="returns as many coefficients as it was given", zh="返回同样多的系数")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(*_case(rng, 4, 12), 4.0, 0.1), (8,))
    expect_shape(answer(*_case(rng, 1, 1), 4.0, 0.1), (2,))


@exercise.check(
    en="equals the step, at several stretches", zh="在几种扩展倍数下都等于这一步", weight=3
)
def values(answer: Function, rng: torch.Generator) -> None:
    pairs, more = torch.randint(3, 7, (2,), generator=rng).tolist()
    for sizes, rate in (
        ((pairs, 2 * pairs + more), 0.3),
        ((60, 210 + more), 0.3),
        ((pairs, 1), 0.1),
    ):
        factor = 2 + 6 * torch.rand((), generator=rng).item()
        c, y, k, omega = _case(rng, *sizes)
        inputs = c, 8 * y, k, omega, factor, rate
        expect_agreement(answer, exercise.true_answer, *inputs, atol=2e-5)


@exercise.check(en="many steps bring the loss down", zh="走许多步，损失下降", weight=2)
def falls(answer: Function, rng: torch.Generator) -> None:
    c, y, k, omega = _case(rng, pairs=3, n=24)
    waves = _waves(k, omega, 8.0)
    losses, steps = [float(((waves @ c.double() - y) ** 2).mean())], [c]
    while len(losses) <= 30 and losses[-1] < 1000 * losses[0]:  # what diverges would overflow
        # detached: an answer may use autograd, and its result is the next input
        steps.append(expect_effect(answer(steps[-1], y, k, omega, 8.0, 0.2), (6,)).detach())
        losses.append(float(((waves @ steps[-1].double() - y) ** 2).mean()))
    last, before, after = len(losses) - 1, losses[0], losses[-1]
    expect(
        after < 0.9 * before,
        f"at first the loss is {before:.3g}, after step {last} it is {after:.3g}",
        f"起初损失是{before:.3g}，走到第{last}步是{after:.3g}",
    )
    expect_other(*steps[1:3])


@exercise.misconception(
    en="You tuned at the old angles, kω. The model will be used at kω/s, which it has not "
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
    en="You went uphill, c plus η times the gradient (or the residual is y − ŷ): the loss climbs.",
    zh="你走成了上坡，c加上了η乘梯度（或者残差写成了y − ŷ）：损失会上升。",
)
def uphill(c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float) -> Tensor:
    return _step(c, y, k, omega, factor, -rate)


@exercise.misconception(
    en="You did not divide by n: the step is n times as long as it should be, and with many "
    "distances it diverges.",
    zh="你没有除以n：步子成了应有的n倍，距离一多就发散。",
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


@exercise.misconception(
    en="You multiplied the angles by s. Interpolation divides them: kω/s.",
    zh="你给角度乘了s。插值是除：kω/s。",
)
def stretched_the_other_way(
    c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float
) -> Tensor:
    return _step(c, y, k, omega, 1 / factor, rate)


@exercise.misconception(
    en="You returned the gradient. Return the coefficients after the step: c − η times the "
    "gradient.",
    zh="你返回的是梯度。要的是走完一步之后的系数：c减去η乘梯度。",
)
def gradient_itself(
    c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float
) -> Tensor:
    return _gradient(c, y, _waves(k, omega, factor))


@exercise.misconception(
    en="You returned η times the gradient, without subtracting it from c.",
    zh="你只返回了η乘梯度，没有从c里减去它。",
)
def change_alone(
    c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float
) -> Tensor:
    return rate * _gradient(c, y, _waves(k, omega, factor))


@exercise.misconception(
    en="The rate η is missing: you subtracted the whole gradient.",
    zh="漏了学习率η：你减去了整个梯度。",
)
def without_rate(
    c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float
) -> Tensor:
    return _step(c, y, k, omega, factor, 1.0)


@exercise.misconception(
    en="You divided by 2m, the number of coefficients. The mean is over the n distances.",
    zh="你除以了系数的个数2m。平均是对n个距离取的。",
)
def mean_of_coefficients(
    c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float
) -> Tensor:
    return _step(c, y, k, omega, factor, rate * len(k) / len(c))


@exercise.misconception(
    en="Your columns are cos, sin, cos, sin, …, but c holds all a first and then all b.",
    zh="你的列是cos、sin、cos、sin……交错的，而c里先是所有的a，再是所有的b。",
)
def interleaved(
    c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float
) -> Tensor:
    waves = _waves(k, omega, factor).unflatten(1, (2, -1)).mT.flatten(1)
    return c - rate * _gradient(c, y, waves)


@exercise.misconception(
    en="You put the sines first. In c the a come first, and they belong to the cosines.",
    zh="你把sin放在了前面。c里先是a，它们对应cos。",
)
def sines_first(
    c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float
) -> Tensor:
    return c - rate * _gradient(c, y, _waves(k, omega, factor).roll(len(omega), 1))


@exercise.misconception(
    en="You returned the change, −η times the gradient, and not the coefficients after it: c is "
    "missing.",
    zh="你返回的是改变量，即−η乘梯度，不是走完之后的系数：少了c。",
)
def minus_change_alone(
    c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float
) -> Tensor:
    return -rate * _gradient(c, y, _waves(k, omega, factor))


@exercise.misconception(
    en="The b were changed with a residual that already has the new a. One step takes the whole "
    "gradient at the old c.",
    zh="算b的时候，残差里用的已经是新的a。一步梯度下降，整个梯度都要在旧的c处取。",
)
def one_half_after_the_other(
    c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float
) -> Tensor:
    waves, m = _waves(k, omega, factor), len(omega)
    cosines = torch.cat((c[:m] - rate * _gradient(c, y, waves)[:m], c[m:]))
    sines = c[m:] - rate * _gradient(cosines, y, waves)[m:]
    return torch.cat((cosines[:m], sines))


@exercise.misconception(
    en="You differentiated the cosine and the sine. The score is linear in a and b: its "
    "derivative "
    "with respect to aᵢ is the cosine itself, with respect to bᵢ the sine.",
    zh="你对cos和sin求了导。得分对a、b是线性的：对aᵢ的导数就是cos本身，对bᵢ的导数就是sin本身。",
)
def derivatives_of_the_waves(
    c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float
) -> Tensor:
    waves = _waves(k, omega, factor)
    cosine, sine = waves.chunk(2, dim=1)
    slopes = torch.cat((-sine, cosine), dim=1)
    return c - rate * 2 * slopes.T @ (waves @ c.double() - y.double()) / len(y)


@exercise.misconception(
    en="The two halves of the gradient are exchanged: the derivative with respect to a should "
    "have the cosines, that with respect to b the sines.",
    zh="梯度的两半弄反了：对a的导数用cos，对b的导数用sin。",
)
def gradients_exchanged(
    c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float
) -> Tensor:
    return c - rate * _gradient(c, y, _waves(k, omega, factor)).roll(len(omega))


@exercise.misconception(
    en="The half of b has the wrong sign: it goes uphill. The score is +b·sin, so its derivative "
    "with respect to b is +sin; the minus would be that of a cosine with respect to its angle.",
    zh="b那一半的正负号错了，走成了上坡。得分里是+b·sin，对b的导数就是+sin；"
    "cos对角度求导才有负号。",
)
def minus_sine(
    c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float
) -> Tensor:
    cosines, sines = _gradient(c, y, _waves(k, omega, factor)).chunk(2)
    return c - rate * torch.cat((cosines, -sines))


moved_too_early = exercise.misconception(
    en="You changed c before the gradient was complete: what came later in your loop already used "
    "the new numbers. Compute the whole gradient at the old c, then take one step.",
    zh="梯度还没算完，你就改了c：循环里后面的项用的已经是新的数。"
    "应当用原来的c把梯度全部算完，再走一步。",
)


@moved_too_early
def step_at_each_distance(
    c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float
) -> Tensor:
    for wave, target in zip(_waves(k, omega, factor), y.double(), strict=True):
        c = c - 2 * rate / len(y) * (wave @ c.double() - target) * wave
    return c


@moved_too_early
def step_at_each_coefficient(
    c: Tensor, y: Tensor, k: Tensor, omega: Tensor, factor: float, rate: float
) -> Tensor:
    waves, moved = _waves(k, omega, factor), c.double()
    error = waves @ moved - y.double()
    for i, wave in enumerate(waves.T):
        change = -2 * rate * (error * wave).mean()
        moved = moved.index_add(0, torch.tensor([i]), change[None])
        error = error + change * wave
    return moved
