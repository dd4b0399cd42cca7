"""Exercise ntk_base: the base that divides the slowest frequency by s."""

import torch

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect_values import expect_agreement, expect_number
from bilingual import Text

exercise = Exercise(
    id="ntk_base",
    chapter="06_rope_scaling",
    title=Text(en="The base of NTK-aware scaling", zh="NTK-aware缩放的base"),
    task=Text(
        en=r"""Return the new base $b'$ that leaves the fastest frequency as it is and divides the
slowest by exactly $s$. The frequencies are $\omega_i=b^{-2i/d}$ for $i=0,\dots,d/2-1$.

In: `dim` is $d$, even and at least 4; `factor` is $s\ge1$; `base` is $b$. Out: a number.""",
        zh=r"""返回新的base $b'$，使最高的频率不变，最低的频率恰好除以$s$。
频率为$\omega_i=b^{-2i/d}$，$i=0,\dots,d/2-1$。

输入：`dim`就是$d$，偶数，至少为4；`factor`就是$s\ge1$；`base`就是$b$。输出：一个数。""",
    ),
    signature="ntk_base(dim, factor, base=10000.0) -> number",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Write down the last frequency with b and with b′. Which exponent is there?",
            zh="分别用b和b′写出最后一个频率。指数是什么？",
        ),
        Text(
            en="The last pair has exponent -(d-2)/d, so b′^((d-2)/d) = s · b^((d-2)/d).",
            zh="最后一对的指数是-(d-2)/d，所以b′^((d-2)/d) = s · b^((d-2)/d)。",
        ),
        Text(
            en="Raise both sides to the power that leaves b′ alone on the left. Which power of s "
            "does that make?",
            zh="两边取一个次方，让左边只剩b′。s的指数是多少？",
        ),
    ),
)


@exercise.truth
def solved(dim: int, factor: float, base: float = 10000.0) -> float:
    slowest = base ** (-(dim - 2) / dim) / factor
    return slowest ** (-dim / (dim - 2))


def _arguments(rng: torch.Generator, fewest: int, most: int) -> tuple[int, float, float]:
    """Return a dimension of so many pairs, a factor and a base, all far from the defaults."""
    dim = 2 * int(torch.randint(fewest, most, (), generator=rng))
    factor = 2.5 + 16 * torch.rand((), generator=rng).item()
    return dim, factor, float(torch.randint(50, 600_000, (), generator=rng))


@exercise.check(en="factor 1 leaves the base as it is", zh="factor为1时base不变")
def unchanged(answer: Function, rng: torch.Generator) -> None:
    dim, _, base = _arguments(rng, 2, 65)
    expect_number(answer(64, 1.0), 10000.0)
    expect_number(answer(dim, 1.0, base), base)


@exercise.check(
    en="the slowest frequency is divided by exactly s", zh="最低的频率恰好除以s", weight=3
)
def slowest(answer: Function, rng: torch.Generator) -> None:
    # a small dim first: there d/(d-2) is far from 1, and wrong exponents are far from each other
    for fewest, most in ((4, 6), (2, 3), (10, 130)):  # for d = 6 much comes to the same
        expect_agreement(answer, exercise.true_answer, *_arguments(rng, fewest, most), rtol=1e-5)
    expect_agreement(answer, exercise.true_answer, 64, 4.0, rtol=1e-5)


@exercise.misconception(
    en="The exponent is d/(d-1). The last pair is i = d/2 - 1, and 2i = d - 2: with d - 1 the "
    "slowest frequency is divided by too little.",
    zh="指数写成了d/(d-1)。最后一对是i = d/2 - 1，2i = d - 2；写d - 1，最低的频率就除得不够。",
)
def one_off(dim: int, factor: float, base: float = 10000.0) -> float:
    return base * factor ** (dim / (dim - 1))


@exercise.misconception(
    en="The base is multiplied by s alone. For d = 128 and s = 8 the slowest frequency is then "
    "divided by 7.74: close, and past the trained angles at the end.",
    zh="base只乘了s。d = 128、s = 8时，最低的频率只除以7.74：差不多，"
    "但末尾仍会越过训练见过的角度。",
)
def times_factor(dim: int, factor: float, base: float = 10000.0) -> float:
    return base * factor


@exercise.misconception(
    en="s^(-2/d) makes the base smaller and all pairs but the first faster: for d = 128 and s = 8 "
    "the slowest frequency is divided by 0.97. The formula circulates, but it is wrong.",
    zh="s^(-2/d)让base变小，除第一对外每一对反而更快：d = 128、s = 8时，最低的频率除以0.97。"
    "这个公式流传很广，却是错的。",
)
def smaller_base(dim: int, factor: float, base: float = 10000.0) -> float:
    return base * factor ** (-2 / dim)


@exercise.misconception(
    en="2/(d-2) is the exponent of a single step, from one pair to the next: ω_i is divided by "
    "s^(2/(d-2)) i times. The base needs d/(d-2). Yours divides the slowest frequency by 1.03 "
    "for d = 128 and s = 8.",
    zh="2/(d-2)是相邻两对之间的一步，ω_i要缩小i步；base需要的是d/(d-2)。"
    "d = 128、s = 8时，你的最低频率只除以1.03。",
)
def one_step(dim: int, factor: float, base: float = 10000.0) -> float:
    return base * factor ** (2 / (dim - 2))


@exercise.misconception(
    en="You put the number of pairs, d/2, where the exponent has the dimension: it is d/(d-2).",
    zh="指数里的d是维数，你用的却是通道对的个数d/2。指数是d/(d-2)。",
)
def pairs_for_dim(dim: int, factor: float, base: float = 10000.0) -> float:
    pairs = dim / 2
    return base * factor ** (pairs / (pairs - 2))


@exercise.misconception(
    en="dim/2 counts pairs; as an exponent it makes the base astronomical. The exponent that "
    "divides the last frequency by s is d/(d-2), a little above 1.",
    zh="dim/2是通道对的个数，拿来当指数，base会大得离谱。让最后一个频率除以s的指数是d/(d-2)，"
    "比1略大。",
)
def pairs_as_exponent(dim: int, factor: float, base: float = 10000.0) -> float:
    return base * factor ** (dim / 2)


@exercise.misconception(
    en="The exponent (d-2)/d is upside down. The last frequency has it; the base must undo it: "
    "d/(d-2). Yours divides the slowest frequency by 7.50 for d = 128 and s = 8.",
    zh="指数(d-2)/d上下颠倒了。最后一个频率带着它，base要把它抵消：d/(d-2)。"
    "d = 128、s = 8时，你的最低频率只除以7.50。",
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
    en="The exponent d/(d-2) went to the old base alone: b^(d/(d-2)) · s. It is s that has to be "
    "raised, and for s = 1 the base must not change.",
    zh="d/(d-2)次方加到了原来的base上：b^(d/(d-2)) · s。该取次方的是s；s = 1时base不应改变。",
)
def base_raised(dim: int, factor: float, base: float = 10000.0) -> float:
    return base ** (dim / (dim - 2)) * factor


@exercise.misconception(
    en="This is the slowest frequency, divided by s, not the base that gives it.",
    zh="这是除以s之后的最低频率，不是给出它的base。",
)
def slowest_frequency(dim: int, factor: float, base: float = 10000.0) -> float:
    return base ** (-(dim - 2) / dim) / factor


@exercise.misconception(
    en="`factor ** dim / (dim - 2)` raises s to the power d and divides after that: the power "
    "comes first. Put the exponent in brackets, `(dim / (dim - 2))`.",
    zh="`factor ** dim / (dim - 2)`先取s的d次方，再做除法：乘方先算。"
    "指数要加括号：`(dim / (dim - 2))`。",
)
def power_first(dim: int, factor: float, base: float = 10000.0) -> float:
    return base * factor**dim / (dim - 2)
