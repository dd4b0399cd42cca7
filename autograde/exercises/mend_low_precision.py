"""Exercise mend_low_precision: the positions were counted in bfloat16."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import (
    expect,
    expect_dtype,
    expect_finite,
    expect_other,
    expect_shape,
)
from autograde.kit.expect_values import expect_close
from bilingual import Text
from posenc_ref.sinusoidal import sinusoidal

exercise = Exercise(
    id="mend_low_precision",
    chapter="02_sinusoidal",
    title=Text(en="Fix: positions that collide", zh="改错：撞在一起的位置"),
    task=Text(
        en="""Fix `colliding_table`: an interleaved sinusoidal table for a model that runs in 16
bits. The result has the model's `dtype`, and practically its only error is that of one rounding at
the end, at position 4095 as well as at 0. (Angles in float32 pass. Their error hardly shows in
bfloat16; in float16, far out, it can be nearly as large as that of the rounding.)

In: `positions` of shape `(L,)`, int64; `dim` even; `dtype`, `torch.bfloat16` or `torch.float16`.
Out: shape `(L, dim)`, of that `dtype`.""",
        zh="""修好`colliding_table`：为以16位运行的模型生成交错排布的正弦编码表。
结果的dtype就是参数`dtype`（即模型所用的），位置4095处也要和位置0处差不多准，误差基本上只来自最后那次舍入。（角度用float32算也算对：它的误差在bfloat16里几乎看不出，在float16里，位置远了就可能与舍入误差相当。）

输入：`positions`形状为`(L,)`，int64；`dim`为偶数；`dtype`是`torch.bfloat16`或`torch.float16`。
输出：形状为`(L, dim)`，dtype由参数`dtype`给出。""",
    ),
    signature="mend_low_precision(positions, dim, dtype) -> (L, dim)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="bfloat16 has 8 significant bits. Up to which integer can it count?",
            zh="bfloat16只有8位二进制有效数字。它能逐个数到几？",
        ),
        Text(
            en="Positions, frequencies and angles all need float32 or better. A sine lies "
            "between −1 and 1: that is the thing to round.",
            zh="位置、频率、角度都需要float32或更高精度。正弦值在−1到1之间：要舍入的应当是它。",
        ),
        Text(
            en="int64 times bfloat16 is bfloat16 again: say in which dtype you compute. Where is "
            "the only place for `.to(dtype)`?",
            zh="int64乘bfloat16还是bfloat16：要写明用哪种dtype计算。`.to(dtype)`只该出现在哪一处？",
        ),
    ),
)


@exercise.truth
def rounded_once(positions: Tensor, dim: int, dtype: torch.dtype) -> Tensor:
    return sinusoidal(positions, dim, dtype=torch.float64).to(dtype)


@exercise.check(en="one row per position, dim columns", zh="每个位置一行，共dim列")
def shape(answer: Function, rng: torch.Generator) -> None:
    for length, dim in ((5, 8), (1, 8), (3, 2)):
        expect_shape(answer(torch.arange(length), dim, torch.bfloat16), (length, dim))


@exercise.check(en="the table has the dtype of the model", zh="编码表的dtype与模型一致")
def dtype(answer: Function, rng: torch.Generator) -> None:
    for half in (torch.bfloat16, torch.float16):
        expect_dtype(answer(torch.arange(1, 4), 8, half), half)


@exercise.check(
    en="positions 256 and 257 get different rows, and so do 4094 and 4095",
    zh="位置256和257的两行不同，4094和4095也不同",
    weight=2,
)
def distinct(answer: Function, rng: torch.Generator) -> None:
    tables = []
    for first in (256, 4094):
        got = answer(torch.tensor([first, first + 1]), 64, torch.bfloat16)
        rows = expect_finite(got, (2, 64)).double()
        tables.append(rows)
        expect(
            not torch.equal(rows[0], rows[1]),
            f"rows {first} and {first + 1} are identical: the position was rounded",
            f"第{first}行和第{first + 1}行完全相同：位置被舍入了",
        )
    expect_other(*tables)


@exercise.check(
    en="right but for one last rounding, near and far, in bfloat16 and float16",
    zh="位置无论远近，误差都只来自最后一次舍入，bfloat16和float16都如此",
    weight=4,
)
def values(answer: Function, rng: torch.Generator) -> None:
    far = torch.randint(0, 4096, (101,), generator=rng)
    positions = torch.cat((torch.tensor([0, 1, 7, 256, 257, 4095]), far))
    dim = 2 * int(torch.randint(20, 50, (), generator=rng))
    for half, atol in ((torch.bfloat16, 3e-3), (torch.float16, 1e-3)):  # angles in float32 pass
        got = expect_shape(answer(positions, dim, half), (len(positions), dim))
        expect_close(got, sinusoidal(positions, dim, dtype=torch.float64), rtol=0.0, atol=atol)


def _table(angles: Tensor) -> Tensor:
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


def _frequencies(dim: int) -> Tensor:
    return 10000.0 ** (-torch.arange(0, dim, 2).double() / dim)


def _in_float32(dim: int) -> Tensor:  # as people write them: the last bit decides a rounding
    return 10000.0 ** (-torch.arange(0, dim, 2) / dim)


@exercise.misconception(
    en="Still the broken version: positions are counted in the model's dtype. In bfloat16, 257 is "
    "256.",
    zh="还是有错的那个版本：用模型的dtype来数位置。在bfloat16里，257就是256。",
)
def unchanged(positions: Tensor, dim: int, dtype: torch.dtype) -> Tensor:
    return _table(positions.to(dtype)[:, None] * _in_float32(dim)).to(dtype)


in_16_bits = exercise.misconception(
    en="Positions are exact now, but the frequencies are rounded to 16 bits (this is what "
    "`model.to(torch.bfloat16)` does to a buffer): the error of an angle grows with the position.",
    zh="位置准了，但频率被舍入成了16位（`model.to(torch.bfloat16)`就会这样改写缓冲区）：位置越远，角度误差越大。",
)


@in_16_bits
def rounded_frequencies(positions: Tensor, dim: int, dtype: torch.dtype) -> Tensor:
    return _table(positions[:, None] * _frequencies(dim).to(dtype).double()).to(dtype)


@in_16_bits
def frequencies_from_16_bits(positions: Tensor, dim: int, dtype: torch.dtype) -> Tensor:
    omega = 10000.0 ** (-torch.arange(0, dim, 2, dtype=dtype) / dim)
    return _table(positions[:, None] * omega.double()).to(dtype)


@exercise.misconception(
    en="The frequencies have the model's dtype, and int64 times bfloat16 is bfloat16: positions "
    "and angles are rounded although no line says so. In bfloat16, 257 is 256.",
    zh="频率用的是模型的dtype，而int64乘bfloat16得bfloat16：虽然没有哪一行写明，"
    "位置和角度都被舍入了。"
    "在bfloat16里，257就是256。",
)
def frequencies_decide(positions: Tensor, dim: int, dtype: torch.dtype) -> Tensor:
    return _table(positions[:, None] * _frequencies(dim).to(dtype)).to(dtype)


@exercise.misconception(
    en="You rounded the angle before the sine. An angle near 4095 in bfloat16 is off by up to 8 "
    "radians, more than a whole turn.",
    zh="你在取正弦之前舍入了角度。在bfloat16里，4095附近的角度最多差8弧度，超过一整圈。",
)
def rounded_angles(positions: Tensor, dim: int, dtype: torch.dtype) -> Tensor:
    return _table((positions[:, None] * _frequencies(dim)).to(dtype).double()).to(dtype)


@exercise.misconception(
    en="The numbers are right, but the table keeps the precision it was computed in: added to "
    "16-bit embeddings, it raises the sum to that precision too. Round at the end: `.to(dtype)`.",
    zh="数值是对的，但编码表还是计算时的精度：与16位的嵌入相加，和也会变成更宽的类型。最后要`.to(dtype)`。",
)
def never_cast(positions: Tensor, dim: int, dtype: torch.dtype) -> Tensor:
    return _table(positions[:, None] * _frequencies(dim)).float()


through_bfloat16 = exercise.misconception(
    en="Whatever `dtype` says, the numbers are rounded to bfloat16. float16 has three more bits: "
    "round once, to `dtype`.",
    zh="不管`dtype`是什么，数值都舍入成了bfloat16。float16的尾数多三位：只舍入一次，直接用`dtype`。",
)


@through_bfloat16
def always_bfloat16(positions: Tensor, dim: int, dtype: torch.dtype) -> Tensor:
    return _table(positions.double()[:, None] * _frequencies(dim)).to(torch.bfloat16)


@through_bfloat16
def bfloat16_first(positions: Tensor, dim: int, dtype: torch.dtype) -> Tensor:
    return always_bfloat16(positions, dim, dtype).to(dtype)


@exercise.misconception(
    en="Positions are exact now, but the column number was doubled: `arange(0, dim, 2)` already "
    "is 2i. Half of the columns then hardly move.",
    zh="位置准了，但列号又乘了一次2：`arange(0, dim, 2)`本身就是2i。这样有一半的列几乎不动。",
)
def doubled_index(positions: Tensor, dim: int, dtype: torch.dtype) -> Tensor:
    return _table(positions[:, None] * _frequencies(dim) ** 2).to(dtype)


@exercise.misconception(
    en="On the way, positions were rounded to float16, which holds every whole number only up to "
    "2048: 3373 becomes 3372. Keep them exact until the end.",
    zh="位置中途舍入成了float16，而float16只能精确表示到2048为止的整数：3373变成了3372。"
    "在最后舍入之前，位置都要保持精确。",
)
def positions_in_float16(positions: Tensor, dim: int, dtype: torch.dtype) -> Tensor:
    return _table(positions.half()[:, None] * _in_float32(dim)).to(dtype)
