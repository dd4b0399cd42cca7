"""Exercise ntk_base: the base that divides the slowest frequency by s."""

import torch

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_number
from bilingual import Text

exercise = Exercise(
    id="ntk_base",
    chapter="06_rope_scaling",
    title=Text(en="The base of NTK-aware scaling", zh="NTK-aware缩放的base"),
    task=Text(
        en=r"""Return the new base $b'$ for which the slowest frequency, pair $i=d/2-1$, is divided
by exactly $s$.

In: `dim` is $d$, even and at least 4; `factor` is $s\ge1$; `base` is $b$. Out: a number.""",
        zh=r"""返回新的base $b'$，使最慢的频率（第$i=d/2-1$对）恰好除以$s$。

输入：`dim`就是$d$，偶数，至少为4；`factor`就是$s\ge1$；`base`就是$b$。输出：一个数。""",
    ),
    signature="ntk_base(dim, factor, base=10000.0) -> number",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Write down the last frequency with b and with b′. Which exponent stands there?",
            zh="分别用b和b′写出最后一个频率。指数是什么？",
        ),
        Text(
            en="The last pair has exponent -(d-2)/d, so b′^((d-2)/d) = s · b^((d-2)/d).",
            zh="最后一对的指数是-(d-2)/d，所以b′^((d-2)/d) = s · b^((d-2)/d)。",
        ),
        Text(
            en="Raise both sides to the power d/(d-2): the new base is b · s^(d/(d-2)).",
            zh="两边取d/(d-2)次方：新的base就是b · s^(d/(d-2))。",
        ),
    ),
)


@exercise.check(en="factor 1 leaves the base as it is", zh="factor为1时base不变")
def unchanged(answer: Function, rng: torch.Generator) -> None:
    expect_number(answer(64, 1.0), 10000.0)
    expect_number(answer(8, 1.0, 500.0), 500.0)


@exercise.check(
    en="the slowest frequency is divided by exactly s", zh="最慢的频率恰好除以s", weight=3
)
def slowest(answer: Function, rng: torch.Generator) -> None:
    # a small dim first: there d/(d-2) is far from 1, and wrong exponents are far from each other
    cases = ((8, 3.0, 100.0), (128, 8.0, 10000.0), (4, 3.0, 100.0), (64, 16.0, 500000.0))
    for dim, factor, base in cases:
        want = base * factor ** (dim / (dim - 2))
        expect_number(answer(dim, factor, base), want, rtol=1e-6)
    expect_number(answer(64, 4.0), 10000.0 * 4.0 ** (64 / 62), rtol=1e-6)


@exercise.misconception(
    en="The exponent is d/(d-1). The last pair is i = d/2 - 1, and 2i = d - 2: with d - 1 the "
    "slowest frequency is divided by too little.",
    zh="指数写成了d/(d-1)。最后一对是i = d/2 - 1，2i = d - 2；写d - 1，最慢的频率就除得不够。",
)
def one_off(dim: int, factor: float, base: float = 10000.0) -> float:
    return base * factor ** (dim / (dim - 1))


@exercise.misconception(
    en="The base is multiplied by s alone. For d = 128 and s = 8 the slowest frequency is then "
    "divided by 7.74: close, and past the trained angles at the end.",
    zh="base只乘了s。d = 128、s = 8时，最慢的频率只除以7.74：差不多，"
    "但末尾仍会越过训练见过的角度。",
)
def times_factor(dim: int, factor: float, base: float = 10000.0) -> float:
    return base * factor


@exercise.misconception(
    en="s^(-2/d) makes the base smaller and all pairs faster: for d = 128 and s = 8 the slowest "
    "frequency is divided by 0.97. A formula that circulates, and wrong.",
    zh="s^(-2/d)让base变小，每一对反而更快：d = 128、s = 8时，最慢的频率除以0.97。"
    "这个公式流传很广，是错的。",
)
def smaller_base(dim: int, factor: float, base: float = 10000.0) -> float:
    return base * factor ** (-2 / dim)


@exercise.misconception(
    en="2/(d-2) is the step from pair to pair, by which ω_i shrinks i times; the base needs "
    "d/(d-2). Yours divides the slowest frequency by 1.03 for d = 128 and s = 8.",
    zh="2/(d-2)是相邻两对之间的一步，ω_i要缩小i步；base需要的是d/(d-2)。"
    "d = 128、s = 8时，你的最慢频率只除以1.03。",
)
def one_step(dim: int, factor: float, base: float = 10000.0) -> float:
    return base * factor ** (2 / (dim - 2))


@exercise.misconception(
    en="dim/2 counts pairs; as an exponent it makes the base astronomic. The exponent that divides "
    "the last frequency by s is d/(d-2), a little above 1.",
    zh="dim/2是通道对的个数，拿来当指数，base会大得离谱。让最后一个频率除以s的指数是d/(d-2)，比1略大。",
)
def pairs_as_exponent(dim: int, factor: float, base: float = 10000.0) -> float:
    return base * factor ** (dim / 2)


@exercise.misconception(
    en="The exponent (d-2)/d is upside down. The last frequency has it; the base must undo it: "
    "d/(d-2). Yours divides the slowest frequency by 7.50 for d = 128 and s = 8.",
    zh="指数(d-2)/d上下颠倒了。最后一个频率带着它，base要把它抵消：d/(d-2)。"
    "d = 128、s = 8时，你的最慢频率只除以7.50。",
)
def upside_down(dim: int, factor: float, base: float = 10000.0) -> float:
    return base * factor ** ((dim - 2) / dim)


@exercise.misconception(
    en="The exponent has the wrong sign: the base gets smaller and every pair but the first turns "
    "faster. To slow the waves down, the base must grow.",
    zh="指数的符号反了：base变小，除第一对外每一对都更快。要让波变慢，base得变大。",
)
def wrong_sign(dim: int, factor: float, base: float = 10000.0) -> float:
    return base * factor ** (-dim / (dim - 2))


@exercise.misconception(
    en="dim / dim - 2 is -1: the division comes first. The exponent is dim / (dim - 2).",
    zh="dim / dim - 2等于-1：先算的是除法。指数是dim / (dim - 2)。",
)
def no_brackets(dim: int, factor: float, base: float = 10000.0) -> float:
    return base * factor ** (dim / dim - 2)


@exercise.misconception(
    en="The old base is raised to d/(d-2) as well, so that it changes even for s = 1. The power "
    "belongs to s alone.",
    zh="原来的base也取了d/(d-2)次方，于是s = 1时它也变了。这个次方只加在s上。",
)
def both_raised(dim: int, factor: float, base: float = 10000.0) -> float:
    return (base * factor) ** (dim / (dim - 2))


@exercise.misconception(
    en="`base` is not used: you start from 10000, whatever base is asked for.",
    zh="没用到`base`：不管给哪个base，你都从10000算起。",
)
def fixed_base(dim: int, factor: float, base: float = 10000.0) -> float:
    return 10000.0 * factor ** (dim / (dim - 2))
