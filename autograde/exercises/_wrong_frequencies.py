"""Wrong frequencies of RoPE: the mistakes that its exercises share."""

import torch
from torch import Tensor

from autograde.exercises._shared_mistakes import SharedMistakes

WRONG_FREQUENCIES = SharedMistakes()  # of d and the base: ω, (d/2,)


def _pairs(dim: int) -> Tensor:
    return torch.arange(dim // 2).double()


@WRONG_FREQUENCIES.version(
    en="The exponent has the wrong sign: ω must fall from 1, base^(-2i/d). With + every pair but "
    "the first turns by more than 1 radian a token.",
    zh="指数的符号反了：ω应从1往下降，即base^(-2i/d)。写成正号，除第一对外，"
    "每个词元都要转1弧度以上。",
)
def plus_sign(dim: int, base: float) -> Tensor:
    return base ** (2 * _pairs(dim) / dim)


@WRONG_FREQUENCIES.version(
    en="The factor 2 is missing: the exponent is -2i/d, so that the last pair comes close to "
    "1/base. Yours stops at the square root of that, and every pair but the first turns too fast.",
    zh="少了因子2：指数是-2i/d，这样最后一对才接近1/base。你的只到它的平方根，除第一对外都转得太快。",
)
def no_two(dim: int, base: float) -> Tensor:
    return base ** (-_pairs(dim) / dim)


@WRONG_FREQUENCIES.version(
    en="Pairs are counted from 1 in the RoFormer paper, but its exponent is then -2(i-1)/d: the "
    "first pair turns by exactly 1 radian a token.",
    zh="RoFormer论文从1开始数，可它的指数是-2(i-1)/d：第一对每个词元恰好转1弧度。",
)
def counted_from_one(dim: int, base: float) -> Tensor:
    return base ** (-2 * (_pairs(dim) + 1) / dim)


@WRONG_FREQUENCIES.version(
    en="These are tensor2tensor's frequencies, i/(d/2-1) in the exponent. RoPE takes the paper's, "
    "2i/d, and never reaches 1/base.",
    zh="这是tensor2tensor的频率，指数里是i/(d/2-1)。RoPE用的是论文的2i/d，取不到1/base。",
)
def tensor2tensor(dim: int, base: float) -> Tensor:
    return base ** (-_pairs(dim) / max(dim // 2 - 1, 1))


@WRONG_FREQUENCIES.version(
    en="The exponent is twice what it should be: it is -2i/d, and `torch.arange(0, dim, 2)` "
    "already is 2i. Your frequencies fall towards 1/base².",
    zh="指数大了一倍：应为-2i/d，而`torch.arange(0, dim, 2)`已经是2i。你的频率一路降向1/base²。",
)
def two_twice(dim: int, base: float) -> Tensor:
    return base ** (-4 * _pairs(dim) / dim)


@WRONG_FREQUENCIES.version(
    en="`-base ** x` is −(base^x): the power comes before the minus. Your frequencies are "
    "negative and grow; the minus belongs to the exponent, in brackets.",
    zh="`-base ** x`是−(base^x)：先算乘方，后取负。你的频率是负的，还越来越大；负号属于指数，"
    "要写在括号里。",
)
def minus_in_front(dim: int, base: float) -> Tensor:
    return -(base ** (2 * _pairs(dim) / dim))


@WRONG_FREQUENCIES.version(
    en="All frequencies are 1: `//` cuts the exponent 2i/d, which is below 1, down to 0. Divide "
    "with `/`.",
    zh="所有频率都是1：指数2i/d小于1，`//`把它取整成了0。请用`/`来除。",
)
def whole_exponent(dim: int, base: float) -> Tensor:
    return torch.ones_like(_pairs(dim))
