"""The misconceptions of ward 4 of the bug clinic, whose patients make RoPE's cosines and sines."""

from collections.abc import Callable

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise

Frequencies = Callable[[int, float], Tensor]  # (dim, factor) -> (dim/2,), float64


def plain(dim: int, factor: float = 1.0) -> Tensor:
    """Return the frequencies without any stretching."""
    return 10000.0 ** (-torch.arange(0, dim, 2).double() / dim)


def interpolated(dim: int, factor: float) -> Tensor:
    """Return the frequencies of position interpolation: all divided by the factor."""
    return plain(dim) / factor


def ntk_aware(dim: int, factor: float) -> Tensor:
    """Return the frequencies of NTK-aware scaling: the last alone divided by the whole factor."""
    return with_base(dim, 10000.0 * factor ** (dim / (dim - 2)))


def with_base(dim: int, base: float) -> Tensor:
    """Return the frequencies of another base."""
    return base ** (-torch.arange(0, dim, 2).double() / dim)


def tables(at: Tensor, omega: Tensor, dtype: torch.dtype) -> Tensor:
    """Return cosines and sines (2, …, L, dim/2), computed in float64 and rounded once."""
    angles = at[..., None].double() * omega.double()
    return torch.stack((angles.cos(), angles.sin())).to(dtype)


def as_programs_do(at: Tensor, omega: Tensor, dtype: torch.dtype) -> Tensor:
    """Return the same in float32, so that 16 bits are rounded where a wrong program rounds them."""
    angles = at[..., None].float() * omega.float()
    return torch.stack((angles.cos(), angles.sin())).to(dtype)


def positions(rng: torch.Generator, below: int) -> Tensor:
    """Return 0 and six positions that jump, one of them twice, out of order."""
    at = torch.randint(1, below, (6,), generator=rng)
    return torch.cat((at, at[:1], torch.zeros(1, dtype=torch.int64)))


def add_wrong_stretchings(exercise: Exercise) -> None:
    """Add what the patients of the ward compute, and what half a mend makes of them.

    What the exercise asks for is interpolation.
    """

    # these two first: they are near the truth, as others are where nothing is stretched
    @exercise.misconception(
        en="The numbers are right, but the type is not: the model asked for `dtype`, and you "
        "return float32.",
        zh="数对了，类型不对：模型要的是`dtype`，你返回的是float32。",
    )
    def never_cast(
        at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> Tensor:
        return as_programs_do(at, interpolated(dim, factor), torch.float32)

    @exercise.misconception(
        en="The result went through float16 on its way, even where float32 is asked for: half of "
        "its digits are lost.",
        zh="结果中途经过了float16，要float32时也是如此：有效数字丢了一半。",
    )
    def through_float16(
        at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> Tensor:
        return as_programs_do(at, interpolated(dim, factor), torch.float16).to(dtype)

    def add(en: str, zh: str, name: str, omega: Frequencies) -> None:
        def answer(
            at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
        ) -> Tensor:
            return tables(at, omega(dim, factor), dtype)

        answer.__name__ = name
        exercise.misconception(en=en, zh=zh)(answer)

    add(
        "This is case 14: the base is multiplied by s itself. The last frequency is divided by "
        "7.5 instead of 8 (dim = 64, s = 8).",
        "这是病例14：base只乘了s。最后一个频率除以了7.5而不是8（dim = 64，s = 8）。",
        "base_times_s",
        lambda dim, factor: with_base(dim, 10000.0 * factor),
    )
    add(
        "This is case 15: positions *and* frequencies are divided, the angle by s². With s = 8 a "
        "text of 8000 tokens is squeezed into 125.",
        "这是病例15：位置和频率都除了，角度除以了s²。s = 8时，8000个词元被压进了125个的范围。",
        "divided_twice",
        lambda dim, factor: plain(dim) / factor**2,
    )
    add(
        "Nothing is stretched: `factor` has no effect, and angles run past what was trained.",
        "根本没有扩展：`factor`不起作用，角度超出训练过的范围。",
        "not_stretched",
        plain,
    )
    add(
        "You multiply by s where you should divide: positions are spread, not squeezed.",
        "该除的地方你乘了s：位置被拉开，而不是压缩。",
        "multiplied",
        lambda dim, factor: plain(dim) * factor,
    )
    add(
        "You changed the base: that is NTK-aware scaling. Interpolation divides every angle by s.",
        "你改了base：那是NTK-aware缩放。位置插值要把每个角度都除以s。",
        "other_base",
        ntk_aware,
    )
    add(
        "You divided the base by s, which makes every pair but the first *faster*. "
        "Interpolation divides the angles themselves.",
        "你把base除以了s，除第一对外反而都变*快*了。位置插值除的是角度本身。",
        "base_divided",
        lambda dim, factor: with_base(dim, 10000.0 / factor),
    )
    _add_whole_positions(exercise)
    add(
        "Half mended: besides the division by s there is still one by √s, so the angle is "
        "divided by s·√s. One division by s is enough.",
        "只修好一半：一边除以s，另一边还除以√s，角度除以了s·√s。除一次s就够了。",
        "root_as_well",
        lambda dim, factor: plain(dim) / factor**1.5,
    )
    _add_wrong_roundings(exercise)
    _add_wrong_shapes(exercise)


def _add_whole_positions(exercise: Exercise) -> None:
    @exercise.misconception(
        en="You round positions to whole numbers after dividing: neighbours then share a position.",
        zh="除完以后你又把位置取了整：相邻的词元就共用一个位置了。",
    )
    def whole_positions(
        at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> Tensor:
        return tables((at / factor).floor(), plain(dim), dtype)


def _add_wrong_shapes(exercise: Exercise) -> None:
    @exercise.misconception(
        en="The finished cosines and sines were divided by s. It is the angle that s divides; "
        "cosines and sines that are too small shrink what they turn.",
        zh="你把算好的余弦和正弦除以了s。该除以s的是角度；余弦、正弦缩小了，旋转就会把向量缩短。",
    )
    def tables_divided(
        at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> Tensor:
        return (tables(at, plain(dim), torch.float64) / factor).to(dtype)

    @exercise.misconception(
        en="You return a column for each channel. Two channels form a pair and share an angle: "
        "dim/2 columns.",
        zh="你给每个通道都算了一列。两个通道为一对，共用一个角度：应是dim/2列。",
    )
    def column_for_each_channel(
        at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> Tensor:
        table = tables(at, interpolated(dim, factor), dtype)
        return torch.cat((table, table), -1)

    @exercise.misconception(
        en="The two tables were stacked along a last axis, so that cosine and sine are side by "
        "side: (L, dim/2, 2). Stack them along the first: (2, L, dim/2).",
        zh="两张表沿最后一个轴叠在了一起，余弦和正弦挨着：(L, dim/2, 2)。应沿第一个轴叠："
        "(2, L, dim/2)。",
    )
    def stacked_last(
        at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> Tensor:
        return tables(at, interpolated(dim, factor), dtype).movedim(0, -1)


def _add_wrong_roundings(exercise: Exercise) -> None:
    @exercise.misconception(
        en="This is case 16: positions are rounded to `dtype` first. In bfloat16, 257 is 256, and "
        "of 0 … 4095 only 769 are left.",
        zh="这是病例16：先把位置舍入到`dtype`。bfloat16里257就是256，0到4095只剩下769个不同的数。",
    )
    def rounded_positions(
        at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> Tensor:
        return as_programs_do(at.to(dtype), interpolated(dim, factor), dtype)

    @exercise.misconception(
        en="Positions are divided by s and then rounded to 16 bits. That is case 16 again: "
        "bfloat16 keeps 8 bits, divided or not. Divide in float64.",
        zh="先把位置除以s，再舍入到16位。这仍是病例16：除不除，bfloat16都只有8位。要在float64里除。",
    )
    def rounded_after_division(
        at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> Tensor:
        return as_programs_do((at / factor).to(dtype), interpolated(dim, factor) * factor, dtype)

    @exercise.misconception(
        en="This is case 17: frequencies are rounded to `dtype` before they are multiplied, so "
        "angles drift away, further with every token.",
        zh="这是病例17：频率在相乘之前先舍入到`dtype`，于是角度越走越偏。",
    )
    def rounded_frequencies(
        at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> Tensor:
        return as_programs_do(at, interpolated(dim, factor).to(dtype), dtype)

    @exercise.misconception(
        en="Positions are exact now, but the *angles* are rounded before the cosine: an angle "
        "near 1000 radians in bfloat16 is off by up to 2.",
        zh="位置准确了，但*角度*在取余弦之前被舍入：1000弧度上下的角度在bfloat16里最多差2。",
    )
    def rounded_angles(
        at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> Tensor:
        angles = (at[..., None].float() * interpolated(dim, factor).float()).to(dtype)
        return torch.stack((angles.float().cos(), angles.float().sin())).to(dtype)

    @exercise.misconception(
        en="Everything is computed in `dtype`: positions, frequencies, angles, each rounded before "
        "the next step. Round the finished cosines and sines alone.",
        zh="从头到尾都用`dtype`来算：位置、频率、角度，每一步都先舍入。只应舍入算好的余弦和正弦。",
    )
    def all_in_dtype(
        at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> Tensor:
        angles = (at / factor).to(dtype)[..., None] * plain(dim).float().to(dtype)
        return torch.stack((angles.cos(), angles.sin()))

    @exercise.misconception(
        en="Sines come before cosines: the first of the two tables should hold the cosines.",
        zh="正弦排在了余弦前面：两张表中，第一张应是余弦。",
    )
    def sines_first(
        at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> Tensor:
        return as_programs_do(at, interpolated(dim, factor), dtype).flip(0)
