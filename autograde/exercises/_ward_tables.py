"""The misconceptions of ward 1 of the bug clinic, whose patients add a sinusoidal table to x."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise


def positions_of(mask: Tensor) -> Tensor:
    """Return 0, 1, 2, … for the tokens of each row, (B, L); -1 at padding in front of them."""
    return mask.cumsum(1) - 1


def encoded(x: Tensor, at: Tensor, exponent: Tensor) -> Tensor:
    """Return x plus interleaved sines and cosines: at (B, L), exponent of 10000 (d/2,)."""
    angles = at[..., None] * 10000.0**exponent
    return x + torch.stack((angles.sin(), angles.cos()), -1).flatten(-2)


def add_wrong_tables(exercise: Exercise) -> None:
    """Add what the patients of the ward compute, and what half a mend makes of them."""
    _add_wrong_frequencies(exercise)
    _add_wrong_columns(exercise)
    _add_wrong_positions(exercise)


def _exponent(x: Tensor) -> Tensor:
    d = x.shape[-1]
    return -torch.arange(0, d, 2) / d


def _add_wrong_frequencies(exercise: Exercise) -> None:
    @exercise.misconception(
        en="Still case 1: the exponent is positive, so the last pair turns by thousands of radians "
        "per token.",
        zh="这还是病例1：指数是正的，最后一对每个词元要转几千弧度。",
    )
    def positive_exponent(x: Tensor, mask: Tensor) -> Tensor:
        return encoded(x, positions_of(mask), -_exponent(x))

    @exercise.misconception(
        en="This is case 2: `//` rounds every exponent down to 0, so all pairs turn by 1 radian "
        "per token.",
        zh="这是病例2：`//`把指数全都舍成了0，所有的对都是每个词元转1弧度。",
    )
    def whole_exponents(x: Tensor, mask: Tensor) -> Tensor:
        return encoded(x, positions_of(mask), torch.zeros(x.shape[-1] // 2))

    @exercise.misconception(
        en="With the minus inside, `-2 // d` is -1: all pairs but the first have frequency "
        "1/10000. Divide with `/`.",
        zh="负号放进去以后，`-2 // d`等于-1：除第一对外频率都是1/10000。要用`/`来除。",
    )
    def floor_of_negative(x: Tensor, mask: Tensor) -> Tensor:
        return encoded(x, positions_of(mask), _exponent(x).floor())

    @exercise.misconception(
        en="The order of the frequencies is reversed: the first pair must turn by 1 radian per "
        "token, and the last must be the slowest. Change the sign of the exponent, nothing else.",
        zh="频率的次序颠倒了：每个词元转1弧度的本该是第一对，最后一对最慢。只要改指数的正负号。",
    )
    def reversed_order(x: Tensor, mask: Tensor) -> Tensor:
        return encoded(x, positions_of(mask), _exponent(x).flip(0))

    @exercise.misconception(
        en="The sign is right, but the factor 2 is lost: `torch.arange(0, d, 2)` already counts "
        "0, 2, 4, …; yours counts 0, 1, 2, ….",
        zh="正负号对了，却丢了因子2：`torch.arange(0, d, 2)`数的是0、2、4……，你数的是0、1、2……。",
    )
    def half_the_exponent(x: Tensor, mask: Tensor) -> Tensor:
        return encoded(x, positions_of(mask), _exponent(x) / 2)

    @exercise.misconception(
        en="The sign is right, but the factor 2 counts twice: `torch.arange(0, d, 2)` is 2i "
        "already.",
        zh="正负号对了，因子2却算了两次：`torch.arange(0, d, 2)`本身已是2i。",
    )
    def twice_the_exponent(x: Tensor, mask: Tensor) -> Tensor:
        return encoded(x, positions_of(mask), 2 * _exponent(x))

    @exercise.misconception(
        en="Brackets are missing: `p / 10000 ** i / d` divides by the power, then by d. The "
        "exponent is i/d, so it needs brackets of its own.",
        zh="少了括号：`p / 10000 ** i / d`先除以幂，再除以d。指数是i/d，要给它加上括号。",
    )
    def exponent_without_brackets(x: Tensor, mask: Tensor) -> Tensor:
        d = x.shape[-1]
        return encoded(x, positions_of(mask) / d, _exponent(x) * d)

    @exercise.misconception(
        en="The minus comes before the power, not in the exponent: frequencies still rise "
        "to thousands, and every pair turns backwards.",
        zh="负号放到了整个幂的前面，而不是指数里：频率照样升到几千，每一对还都反着转。",
    )
    def minus_outside(x: Tensor, mask: Tensor) -> Tensor:
        return encoded(x, -positions_of(mask), -_exponent(x))

    @exercise.misconception(
        en="These are the frequencies of tensor2tensor: the number of a pair is divided by "
        "d/2 − 1, and the last pair has exactly 1/10000. The paper divides by d/2.",
        zh="这是tensor2tensor的频率：对的编号除以了d/2 − 1，最后一对恰好是1/10000。"
        "论文里除以的是d/2。",
    )
    def frequencies_of_tensor2tensor(x: Tensor, mask: Tensor) -> Tensor:
        d = x.shape[-1]
        return encoded(x, positions_of(mask), _exponent(x) * d / max(d - 2, 1))


def _add_wrong_columns(exercise: Exercise) -> None:
    @exercise.misconception(
        en="This is case 3: all sines come first, then all cosines. Every property holds, but "
        "most columns are not where the paper has them.",
        zh="这是病例3：正弦全在前，余弦全在后。性质样样都对，可大多数列不在论文所说的位置上。",
    )
    def two_halves(x: Tensor, mask: Tensor) -> Tensor:
        angles = positions_of(mask)[..., None] * 10000.0 ** _exponent(x)
        return x + torch.cat((angles.sin(), angles.cos()), -1)

    @exercise.misconception(
        en="Sines and cosines alternate, but the cosine comes first: row 0 must be 0, 1, 0, 1, ….",
        zh="确实交替了，但余弦跑到了前面：第0行应为0、1、0、1……。",
    )
    def cosine_first(x: Tensor, mask: Tensor) -> Tensor:
        angles = positions_of(mask)[..., None] * 10000.0 ** _exponent(x)
        return x + torch.stack((angles.cos(), angles.sin()), -1).flatten(-2)

    @exercise.misconception(
        en="Each column has the frequency of its own index; the sine and the cosine of a pair "
        "should share one.",
        zh="你让每一列各用各的列号作频率；同一对的正弦和余弦应共用一个频率。",
    )
    def own_frequency(x: Tensor, mask: Tensor) -> Tensor:
        column = torch.arange(x.shape[-1])
        angles = positions_of(mask)[..., None] * 10000.0 ** (-column / x.shape[-1])
        return x + torch.where(column % 2 == 0, angles.sin(), angles.cos())


def _add_wrong_positions(exercise: Exercise) -> None:
    @exercise.misconception(
        en="This is case 4: it counts down the batch, so a token's position is the number of "
        "tokens above it in its column.",
        zh="这是病例4：它沿批次来数位置，词元的位置成了同一列里它上方的词元数。",
    )
    def down_the_batch(x: Tensor, mask: Tensor) -> Tensor:
        return encoded(x, mask.cumsum(0) - 1, _exponent(x))

    @exercise.misconception(
        en="The first token is at 1: `cumsum` counts the token itself, so subtract 1.",
        zh="第一个词元成了位置1：`cumsum`把词元自己也数了进去，要减1。",
    )
    def from_one(x: Tensor, mask: Tensor) -> Tensor:
        return encoded(x, mask.cumsum(1), _exponent(x))

    @exercise.misconception(
        en="You count columns, padding included: a sentence after 2 of padding begins at 2.",
        zh="你数的是列，把填充也数进去了：2格填充后面的句子从2开始。",
    )
    def columns(x: Tensor, mask: Tensor) -> Tensor:
        return encoded(x, torch.arange(x.shape[1]).expand(mask.shape), _exponent(x))

    @exercise.misconception(
        en="You count on through the batch: the second sentence goes on where the first stopped.",
        zh="你在整个批次里一路数下去：第二句接着第一句往后数。",
    )
    def runs_on(x: Tensor, mask: Tensor) -> Tensor:
        at = (mask.flatten().cumsum(0) - 1).view(mask.shape)
        return encoded(x, at, _exponent(x))

    @exercise.misconception(
        en="The encoding is right, but `x` is lost: return the sum of both.",
        zh="编码是对的，`x`却丢了：要返回两者之和。",
    )
    def table_alone(x: Tensor, mask: Tensor) -> Tensor:
        return encoded(torch.zeros_like(x), positions_of(mask), _exponent(x))
