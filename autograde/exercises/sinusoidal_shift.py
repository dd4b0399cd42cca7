"""Exercise sinusoidal_shift: the matrix that moves an encoding k positions on."""

import math

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text
from posenc_ref.shift_matrix import shift_matrix
from posenc_ref.sinusoidal import sinusoidal

exercise = Exercise(
    id="sinusoidal_shift",
    chapter="02_sinusoidal",
    title=Text(en="The shift matrix", zh="平移矩阵"),
    task=Text(
        en=r"""Return $M_k$, the matrix with $\mathrm{PE}(p+k)=M_k\,\mathrm{PE}(p)$ for *every* $p$,
where $\mathrm{PE}(p)$ is the sinusoidal encoding, a column vector in the interleaved layout
(sine, cosine, sine, …).

In: `offset` is $k$ (any number, possibly negative), `dim` even. Out: shape `(dim, dim)`.""",
        zh=r"""返回矩阵$M_k$，使$\mathrm{PE}(p+k)=M_k\,\mathrm{PE}(p)$对*所有*$p$成立；
$\mathrm{PE}(p)$是正弦位置编码，写成列向量，交错排布（正弦、余弦、正弦……）。

输入：`offset`就是$k$（任意数，可为负），`dim`为偶数。输出：形状为`(dim, dim)`。""",
    ),
    signature="sinusoidal_shift(offset, dim, base=10000.0) -> (dim, dim)",
    points=4,
    difficulty=4,
    minutes=20,
    hints=(
        Text(
            en="Begin with d = 2: PE(p) = (sin ωp, cos ωp). You look for four numbers that turn "
            "it into (sin ω(p+k), cos ω(p+k)).",
            zh="先看d = 2：PE(p) = (sin ωp, cos ωp)。"
            "要找四个数，把它变成(sin ω(p+k), cos ω(p+k))。",
        ),
        Text(
            en="sin(a+b) = sin a cos b + cos a sin b, cos(a+b) = cos a cos b − sin a sin b, with "
            "a = ωp and b = ωk. In each, what multiplies sin a, and what cos a?",
            zh="sin(a+b) = sin a cos b + cos a sin b，cos(a+b) = cos a cos b − sin a sin b，"
            "其中a = ωp，b = ωk。两式里乘在sin a和cos a上的各是什么？",
        ),
        Text(
            en="Row one of a block makes the sine, row two the cosine; the columns multiply sin ωp "
            "and cos ωp. A shift by 0 must give the identity: test your four numbers with it.",
            zh="块的第一行算出正弦，第二行算出余弦；两列分别乘sin ωp和cos ωp。"
            "平移0步必须得到单位矩阵：拿它检验你的四个数。",
        ),
        Text(
            en="Pair i only ever mixes with itself: its block lies in rows and columns 2i and "
            "2i+1, and turns by its own angle ωᵢk. All else is 0.",
            zh="第i对只和自己混合：它的块在第2i、2i+1行和列，转的是它自己的角度ωᵢk。其余全为0。",
        ),
    ),
)


@exercise.truth
def by_reference(offset: float, dim: int, base: float = 10000.0) -> Tensor:
    return shift_matrix(offset, dim, base=base)


def _dim(rng: torch.Generator) -> int:
    return 2 * int(torch.randint(3, 12, (), generator=rng))


@exercise.check(en="returns a dim × dim matrix", zh="返回dim×dim的矩阵")
def shape(answer: Function, rng: torch.Generator) -> None:
    for dim in (8, 2):
        expect_shape(answer(3, dim), (dim, dim))


@exercise.check(en="shifting by 0 changes nothing", zh="平移0步得到单位矩阵")
def identity(answer: Function, rng: torch.Generator) -> None:
    dim = _dim(rng)
    expect_close(answer(0, dim), torch.eye(dim))


@exercise.check(
    en="moves PE(p) to PE(p + k), for every p and every k, negative k included",
    zh="把PE(p)变成PE(p+k)：对每个p、每个k都成立，k为负也成立",
    weight=4,
)
def moves(answer: Function, rng: torch.Generator) -> None:
    steps = torch.randint(2, 40, (3,), generator=rng).tolist()
    positions = torch.randint(0, 100, (20,), generator=rng)
    for offset, dim in ((1, 8), (steps[0], _dim(rng)), (-steps[1], _dim(rng)), (steps[2], 102)):
        matrix = expect_shape(answer(offset, dim), (dim, dim)).float()
        table = sinusoidal(positions, dim)
        expect_close(table @ matrix.T, sinusoidal(positions + offset, dim), atol=1e-4)


@exercise.check(
    en="holds a rotation in each 2×2 block and zeros elsewhere, for any k and base",
    zh="每个2×2块是一个旋转，其余为零，对任意k和base都成立",
    weight=2,
)
def blocks(answer: Function, rng: torch.Generator) -> None:
    for _ in range(2):
        near, far = torch.rand(2, generator=rng).tolist()
        offset, base = 40 * near - 20, 50 + 400 * far
        expect_agreement(answer, by_reference, offset, _dim(rng), base, atol=2e-5)
    expect_agreement(answer, by_reference, 7, _dim(rng), atol=2e-5)


@exercise.check(
    en="is orthogonal: M Mᵀ = I, so norms and angles do not change",
    zh="是正交矩阵：M Mᵀ = I，范数和夹角都不变",
    weight=2,
)
def orthogonal(answer: Function, rng: torch.Generator) -> None:
    dim = _dim(rng)
    matrix = expect_shape(answer(4, dim), (dim, dim)).float()
    expect_close(matrix @ matrix.T, torch.eye(dim), atol=1e-4)


def _blocks(offset: float, dim: int, base: float, entries: Function) -> Tensor:
    matrix = [[0.0] * dim for _ in range(dim)]
    for i in range(0, dim - 1, 2):
        angle = offset * base ** (-i / dim)
        matrix[i][i : i + 2], matrix[i + 1][i : i + 2] = entries(math.cos(angle), math.sin(angle))
    return torch.tensor(matrix).view(dim, dim)


@exercise.misconception(
    en="This is the transpose, M₋ₖ: it moves back to p − k. With the vector ordered "
    "(sine, cosine) the minus sign is below the diagonal.",
    zh="这是转置，即M₋ₖ：它退回到p−k。向量按（正弦，余弦）排列时，负号在对角线下方。",
)
def transposed(offset: float, dim: int, base: float = 10000.0) -> Tensor:
    return _blocks(offset, dim, base, lambda c, s: [[c, -s], [s, c]])


@exercise.misconception(
    en="The minus sign is missing: cos(a+b) = cos a cos b − sin a sin b. Without it the block is "
    "not a rotation, and norms change.",
    zh="少了负号：cos(a+b)=cos a cos b−sin a sin b。没有它，这个块就不是旋转，范数也会变。",
)
def no_minus(offset: float, dim: int, base: float = 10000.0) -> Tensor:
    return _blocks(offset, dim, base, lambda c, s: [[c, s], [s, c]])


@exercise.misconception(
    en="Every block turns by the same angle k. Pair i must turn by ωᵢk: a different angle per "
    "pair.",
    zh="每个块都转了同样的角度k。第i对应当转ωᵢk，各对角度不同。",
)
def one_angle(offset: float, dim: int, base: float = 10000.0) -> Tensor:
    return _blocks(offset, dim, 1.0, lambda c, s: [[c, s], [-s, c]])


@exercise.misconception(
    en="This is right for the concatenated layout (all sines, then all cosines). In the "
    "interleaved one the two members of a pair are neighbours, so the blocks are 2×2 on the "
    "diagonal.",
    zh="这适用于拼接排布（先全部正弦，再全部余弦）。交错排布中同一对的两个成员相邻，所以是对角线上的2×2块。",
)
def half_layout(offset: float, dim: int, base: float = 10000.0) -> Tensor:
    rows = torch.arange(dim).view(2, -1).T.flatten()  # (0, d/2, 1, d/2+1, …)
    matrix = torch.zeros(dim, dim)
    matrix[rows[:, None], rows] = _blocks(offset, dim, base, lambda c, s: [[c, s], [-s, c]]).float()
    return matrix


@exercise.misconception(
    en="Sine and cosine are exchanged inside the block: cos ωk belongs on the diagonal. A shift "
    "by 0 must be the identity, and cos 0 = 1.",
    zh="块里的正弦和余弦放反了：对角线上应是cos ωk。平移0步必须是单位矩阵，而cos 0 = 1。",
)
def sine_on_the_diagonal(offset: float, dim: int, base: float = 10000.0) -> Tensor:
    return _blocks(offset, dim, base, lambda c, s: [[s, c], [c, -s]])


@exercise.misconception(
    en="The minus sign is in the wrong place: it belongs to sin ωk below the diagonal, not to "
    "cos ωk. A shift by 0 must be the identity.",
    zh="负号放错了地方：它属于对角线下方的sin ωk，不属于cos ωk。平移0步必须是单位矩阵。",
)
def minus_on_the_cosine(offset: float, dim: int, base: float = 10000.0) -> Tensor:
    return _blocks(offset, dim, base, lambda c, s: [[c, s], [s, -c]])


@exercise.misconception(
    en="The frequencies fall too fast, with twice the exponent: where the loop counts columns (0, "
    "2, 4, …), that number already is 2i.",
    zh="频率下降得太快，指数多乘了一次2：循环若按列号走（0、2、4……），列号本身就是2i。",
)
def doubled_index(offset: float, dim: int, base: float = 10000.0) -> Tensor:
    return _blocks(offset, dim, base**2, lambda c, s: [[c, s], [-s, c]])


@exercise.misconception(
    en="`offset` was cut to a whole number. The matrix exists for every real k: half a step turns "
    "pair i by ωᵢ/2.",
    zh="`offset`被截成了整数。对任意实数k都有这个矩阵：半步就是让第i对转ωᵢ/2。",
)
def whole_steps(offset: float, dim: int, base: float = 10000.0) -> Tensor:
    return _blocks(int(offset), dim, base, lambda c, s: [[c, s], [-s, c]])


@exercise.misconception(
    en="These are the blocks, one 2 × 2 matrix for each pair. Put them on the diagonal of a d × d "
    "matrix: `torch.block_diag(*blocks)`.",
    zh="这是一个个的块，每对一个2×2矩阵。要把它们放到d×d矩阵的对角线上："
    "`torch.block_diag(*blocks)`。",
)
def blocks_alone(offset: float, dim: int, base: float = 10000.0) -> Tensor:
    places = torch.arange(dim).view(-1, 2)
    matrix = _blocks(offset, dim, base, lambda c, s: [[c, s], [-s, c]])
    return matrix[places[:, :, None], places[:, None]]
