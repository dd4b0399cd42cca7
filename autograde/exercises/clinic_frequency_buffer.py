"""Exercise clinic_frequency_buffer: frequencies that came in 16 bits."""

import torch
from torch import Tensor

from autograde.exercises._ward_stretching import as_programs_do, plain, positions, tables
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_dtype, expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="clinic_frequency_buffer",
    chapter="12_bug_clinic",
    title=Text(
        en="Fix: a model that was moved to 16 bits",
        zh="改错：搬到16位的模型",
    ),
    task=Text(
        en=r"""Fix `case_17`. `omega` is a buffer of the model; `model.to(torch.bfloat16)` has
rounded it. Return the cosines and sines of RoPE (base 10000): in 16 bits, each right up to one
rounding; in float32, to $3\cdot10^{-5}$ at positions below 60 and to $10^{-3}$ beyond. The
lost bits cannot be recovered from the buffer; use only its length and dtype.

In: `omega` `(D/2,)`, 16 or 32 bits; `at` `(L,)`, int64, up to 4000. Out: `(2, L, D/2)` in the
type of `omega`, cosines, then sines.""",
        zh=r"""修好`case_17`。`omega`是模型的缓冲区，`model.to(torch.bfloat16)`已经把它舍入过。
返回RoPE（base为10000）的余弦和正弦：16位时每个数至多只差一次舍入；
float32时，位置不到60的误差不超过$3\cdot10^{-5}$，更远的不超过$10^{-3}$。
舍掉的位从缓冲区里找不回来：你只需要它的长度和类型。

输入：`omega`，形状`(D/2,)`，16或32位；`at`，形状`(L,)`，int64，到4000为止。
输出：`(2, L, D/2)`，类型与`omega`相同，先余弦，后正弦。""",
    ),
    signature="clinic_frequency_buffer(omega, at) -> (2, L, D/2)",
    points=1,
    difficulty=3,
    minutes=6,
    broken="rounded_frequencies",
    hints=(
        Text(
            en="Does `omega.float()` bring the lost bits back?",
            zh="`omega.float()`能把丢掉的位找回来吗？",
        ),
        Text(
            en="An error of 0.2% in the frequency is an error of 2 radians at angle 1000.",
            zh="频率差0.2%，角度到1000弧度时就差2弧度。",
        ),
        Text(
            en="The formula of the frequencies needs D alone. The buffer has D/2 entries; compute "
            "in float32 or float64, and cast to its type at the very end.",
            zh="频率的公式只要D。缓冲区有D/2个数；用float32或float64来算，到最后再转成它的类型。",
        ),
    ),
)


@exercise.truth
def exact_frequencies(omega: Tensor, at: Tensor) -> Tensor:
    """Return the tables of exact frequencies, of which omega tells the number and the type."""
    return tables(at, plain(2 * len(omega)), omega.dtype)


@exercise.check(en="shape and dtype", zh="形状与dtype")
def shape(answer: Function, rng: torch.Generator) -> None:
    for dtype, pairs, length in (
        (torch.float32, 4, 5),
        (torch.bfloat16, 3, 1),
        (torch.float16, 1, 2),
    ):
        got = answer(plain(2 * pairs).to(dtype), torch.arange(length))
        expect_dtype(expect_shape(got, (2, length, pairs)), dtype)


@exercise.check(
    en="in float32, also after the buffer was rounded", zh="float32，缓冲区被舍入过也一样", weight=1
)
def single(answer: Function, rng: torch.Generator) -> None:
    omega = plain(12).bfloat16().float()
    near, far = positions(rng, 60), positions(rng, 1000)
    expect_close(answer(omega, near), exercise.true_answer(omega, near), rtol=0.0, atol=3e-5)
    expect_close(answer(omega, far), exercise.true_answer(omega, far), atol=1e-3)


@exercise.check(
    en="16 bits: one rounding away from the right number",
    zh="16位：与正确的数只差一次舍入",
    weight=4,
)
def values(answer: Function, rng: torch.Generator) -> None:
    for dtype, atol in ((torch.bfloat16, 0.003), (torch.float16, 0.0008)):
        for dim in (6, 130):
            at = torch.cat((positions(rng, 4000), torch.tensor([3, 100, 1003, 4000])))
            got = expect_dtype(answer(plain(dim).to(dtype), at), dtype)
            expect_close(got, tables(at, plain(dim), torch.float32), rtol=0.0, atol=atol)


in_16_bits = exercise.misconception(
    en="Your frequencies are rounded to 16 bits, whether taken from the buffer or cast to its "
    "type: lost bits do not come back with `.float()`. At position 4000, with D = 128, a cosine "
    "is off by up to 1.8.",
    zh="你用的频率舍入到了16位，不管是取自缓冲区，还是转成了它的类型：丢掉的位用`.float()`找不回来。"
    "D = 128时，位置4000处余弦的误差可达1.8。",
)


@in_16_bits
def rounded_frequencies(omega: Tensor, at: Tensor) -> Tensor:
    return as_programs_do(at, omega.float(), omega.dtype)


@in_16_bits
def rounded_again(omega: Tensor, at: Tensor) -> Tensor:
    return as_programs_do(at, plain(2 * len(omega)).to(omega.dtype).float(), omega.dtype)


again_in_16_bits = exercise.misconception(
    en="You compute the frequencies again, but in 16 bits: rounded once more.",
    zh="频率是重新算的，却用16位来算：又舍入了一次。",
)


@again_in_16_bits
def computed_in_16_bits(omega: Tensor, at: Tensor) -> Tensor:
    exponent = -torch.arange(0, 2 * len(omega), 2).to(omega.dtype) / (2 * len(omega))
    return as_programs_do(at, 10000.0**exponent, omega.dtype)


@again_in_16_bits
def exponents_in_16_bits(omega: Tensor, at: Tensor) -> Tensor:
    exponent = -torch.arange(len(omega), dtype=omega.dtype) / len(omega)
    return as_programs_do(at, 10000.0 ** exponent.float(), omega.dtype)


@exercise.misconception(
    en="The length of the buffer is D/2: with it as D the exponents run twice as far.",
    zh="缓冲区的长度是D/2：把它当成D，指数就成了应有的两倍。",
)
def half_the_dimension(omega: Tensor, at: Tensor) -> Tensor:
    return as_programs_do(at, plain(2 * len(omega)) ** 2, omega.dtype)


@exercise.misconception(
    en="The frequencies are right, but the positions went to 16 bits: 1003 becomes 1004 in "
    "bfloat16.",
    zh="频率对了，位置却转成了16位：bfloat16里1003变成1004。",
)
def rounded_positions(omega: Tensor, at: Tensor) -> Tensor:
    return as_programs_do(at.to(omega.dtype), plain(2 * len(omega)), omega.dtype)


@exercise.misconception(
    en="Whole positions times 16-bit frequencies are angles of 16 bits: not only the frequencies "
    "are rounded, but the product, too.",
    zh="整数位置乘16位的频率，得到的角度也是16位：不只频率被舍入，乘积也被舍入。",
)
def angles_in_16_bits(omega: Tensor, at: Tensor) -> Tensor:
    angles = at[:, None] * omega  # integers take the type of omega
    return torch.stack((angles.cos(), angles.sin()))


@exercise.misconception(
    en="The numbers are right, but the type is not: the result must have the type of `omega`.",
    zh="数对了，类型不对：结果的类型应与`omega`相同。",
)
def never_cast(omega: Tensor, at: Tensor) -> Tensor:
    return as_programs_do(at, plain(2 * len(omega)), torch.float32)


@exercise.misconception(
    en="Sines come before cosines: the first of the two tables should hold the cosines.",
    zh="正弦排在了余弦前面：两张表中，第一张应是余弦。",
)
def sines_first(omega: Tensor, at: Tensor) -> Tensor:
    return as_programs_do(at, plain(2 * len(omega)), omega.dtype).flip(0)


@exercise.misconception(
    en="Frequencies are exact, but the *angles* are rounded before the cosine: far out they are "
    "off by whole radians.",
    zh="频率准确了，但*角度*在取余弦之前被舍入：位置一远就差出好几弧度。",
)
def rounded_angles(omega: Tensor, at: Tensor) -> Tensor:
    angles = (at[:, None] * plain(2 * len(omega)).float()).to(omega.dtype)
    return torch.stack((angles.cos(), angles.sin()))


@exercise.misconception(
    en="The exponent is −i/D, half of what it should be: `-2 * i / D`, with D twice the length "
    "of the buffer.",
    zh="指数成了−i/D，只有应有的一半：应为`-2 * i / D`，D是缓冲区长度的两倍。",
)
def half_the_exponent(omega: Tensor, at: Tensor) -> Tensor:
    return as_programs_do(at, plain(2 * len(omega)).sqrt(), omega.dtype)


@exercise.misconception(
    en="You took the length of the buffer for D, and half as many columns come out. There is a "
    "frequency for each *pair*: D is twice that length.",
    zh="你把缓冲区的长度当成了D，列数就少了一半。每一*对*有一个频率：D是这个长度的两倍。",
)
def half_of_the_columns(omega: Tensor, at: Tensor) -> Tensor:
    return as_programs_do(at, plain(len(omega)), omega.dtype)


@exercise.misconception(
    en="The number of channels, 64, is written into the function. It should be twice the length "
    "of the buffer.",
    zh="函数里把通道数写死成了64。缓冲区的长度乘2就是通道数。",
)
def always_64_channels(omega: Tensor, at: Tensor) -> Tensor:
    return as_programs_do(at, plain(64), omega.dtype)


@exercise.misconception(
    en="You trust a buffer of float32. A model may have been in 16 bits before it was moved back: "
    "the type says nothing about what was rounded. Compute the frequencies again in either case.",
    zh="缓冲区是float32时，你就直接用了它。模型可能先搬到16位、又搬回来：从类型看不出舍入过没有。"
    "两种情形都要重新计算频率。",
)
def float32_trusted(omega: Tensor, at: Tensor) -> Tensor:
    exact = omega if omega.dtype == torch.float32 else plain(2 * len(omega))
    return tables(at, exact, omega.dtype)
