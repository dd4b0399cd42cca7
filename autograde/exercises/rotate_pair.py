"""Exercise rotate_pair: turn points of the plane by an angle."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="rotate_pair",
    chapter="05_rope",
    title=Text(en="Rotate a pair", zh="旋转一对坐标"),
    task=Text(
        en=r"""Turn every point of the plane anticlockwise by its own angle $\alpha$:
$(a,b)\mapsto(a\cos\alpha-b\sin\alpha,\;a\sin\alpha+b\cos\alpha)$.

In: `x` of shape `(N, 2)`, `angles` of shape `(N,)` in radians. Out: shape `(N, 2)`.""",
        zh=r"""把平面上的每个点按它自己的角度$\alpha$逆时针旋转：
$(a,b)\mapsto(a\cos\alpha-b\sin\alpha,\;a\sin\alpha+b\cos\alpha)$。

输入：`x`形状为`(N, 2)`，`angles`形状为`(N,)`，单位是弧度。输出：形状为`(N, 2)`。""",
    ),
    signature="rotate_pair(x, angles) -> (N, 2)",
    points=1,
    difficulty=1,
    minutes=5,
    hints=(
        Text(
            en="Where does (1, 0) go when it turns by a quarter, π/2? Where does (0, 1) go?",
            zh="(1, 0)转四分之一圈（π/2）到哪里？(0, 1)呢？",
        ),
        Text(
            en="Take the columns apart with `a, b = x[:, 0], x[:, 1]`, write the two formulas and "
            "put them together with `torch.stack`.",
            zh="用`a, b = x[:, 0], x[:, 1]`拆成两列，写出两个式子，再用`torch.stack`合起来。",
        ),
        Text(
            en="Both formulas need the old a and b: compute them side by side, and stack on a new "
            "*last* axis, `dim=-1`.",
            zh="两个式子用的都是原来的a和b：并排算出来，再沿新的*最后*一个轴stack，即`dim=-1`。",
        ),
    ),
)


@exercise.truth
def by_complex_numbers(x: Tensor, angles: Tensor) -> Tensor:
    return torch.view_as_real(_complex(x) * torch.polar(torch.ones_like(angles), angles))


def _complex(x: Tensor) -> Tensor:
    return torch.complex(x[:, 0], x[:, 1])


def _inputs(rng: torch.Generator, points: int) -> tuple[Tensor, Tensor]:
    # contiguous, as the chapter's own way, `torch.view_as_complex`, wants it
    x, angles = torch.randn(points, 2, generator=rng), torch.randn(points, generator=rng)
    return x, 5 * angles


@exercise.check(en="returns one point for each point", zh="每个点返回一个点")
def shape(answer: Function, rng: torch.Generator) -> None:
    for points in (5, 1):
        expect_shape(answer(*_inputs(rng, points)), (points, 2))


@exercise.check(
    en="a quarter turn takes (1, 0) to (0, 1) and (0, 1) to (-1, 0)",
    zh="转四分之一圈：(1, 0)变成(0, 1)，(0, 1)变成(-1, 0)",
    weight=2,
)
def quarter(answer: Function, rng: torch.Generator) -> None:
    turned = answer(torch.eye(2), torch.full((2,), torch.pi / 2))
    expect_close(turned, torch.tensor([[0.0, 1.0], [-1.0, 0.0]]))


@exercise.check(
    en="equals multiplication by cos α + i sin α, for any angles",
    zh="对任意角度，都等于乘以cos α + i sin α",
    weight=3,
)
def values(answer: Function, rng: torch.Generator) -> None:
    for points in (int(torch.randint(3, 20, (), generator=rng)), 2, 120):
        expect_agreement(answer, exercise.true_answer, *_inputs(rng, points))


def _pair(first: Tensor, second: Tensor) -> Tensor:
    return torch.stack((first, second), dim=-1)


@exercise.misconception(
    en="You turned clockwise: the minus belongs to the first coordinate, a cos α − b sin α. No "
    "length and no dependence on distance would show it, but a checkpoint would see its sentences "
    "mirrored.",
    zh="你转成了顺时针：负号应在第一个坐标里，即a cos α − b sin α。"
    "只查长度、只查得分是否取决于距离，都看不出来，但现成的checkpoint看到的句子全是镜像的。",
)
def clockwise(x: Tensor, angles: Tensor) -> Tensor:
    (a, b), c, s = x.unbind(-1), angles.cos(), angles.sin()
    return _pair(a * c + b * s, b * c - a * s)


@exercise.misconception(
    en="The minus sign is missing. Without it the map is not a rotation: lengths change.",
    zh="少了负号。没有它就不是旋转，长度会变。",
)
def no_minus(x: Tensor, angles: Tensor) -> Tensor:
    (a, b), c, s = x.unbind(-1), angles.cos(), angles.sin()
    return _pair(a * c + b * s, a * s + b * c)


@exercise.misconception(
    en="The first coordinate is right; the second has a minus where a plus belongs: it is "
    "a sin α + b cos α.",
    zh="第一个坐标对了；第二个坐标里该用加号的地方用了减号，应为a sin α + b cos α。",
)
def minus_twice(x: Tensor, angles: Tensor) -> Tensor:
    (a, b), c, s = x.unbind(-1), angles.cos(), angles.sin()
    return _pair(a * c - b * s, b * c - a * s)


@exercise.misconception(
    en="The first coordinate is right; the second is a sin α − b cos α, and at angle 0 b comes "
    "back as −b. Its minus must be a plus: a sin α + b cos α.",
    zh="第一个坐标对了；第二个坐标写成了a sin α − b cos α，角度为0时b就成了−b。"
    "减号要改成加号：a sin α + b cos α。",
)
def minus_at_the_cosine(x: Tensor, angles: Tensor) -> Tensor:
    (a, b), c, s = x.unbind(-1), angles.cos(), angles.sin()
    return _pair(a * c - b * s, a * s - b * c)


@exercise.misconception(
    en="Sine and cosine are exchanged: turning by 0 must change nothing, and cos 0 = 1.",
    zh="正弦和余弦放反了：转0度必须什么都不变，而cos 0 = 1。",
)
def exchanged(x: Tensor, angles: Tensor) -> Tensor:
    (a, b), c, s = x.unbind(-1), angles.cos(), angles.sin()
    return _pair(a * s - b * c, a * c + b * s)


@exercise.misconception(
    en="The second coordinate was computed from the *new* first one. Keep the old a until both "
    "formulas are done.",
    zh="算第二个坐标时用了*新的*第一个坐标。两个式子都算完之前，要保留原来的a。",
)
def overwritten(x: Tensor, angles: Tensor) -> Tensor:
    (a, b), c, s = x.unbind(-1), angles.cos(), angles.sin()
    a = a * c - b * s
    return _pair(a, a * s + b * c)


@exercise.misconception(
    en="The points are right, but still complex numbers: `torch.view_as_real` makes two columns "
    "of them again.",
    zh="点转对了，但还是复数：用`torch.view_as_real`变回两列。",
)
def still_complex(x: Tensor, angles: Tensor) -> Tensor:
    return _complex(x) * torch.polar(torch.ones_like(angles), angles)


@exercise.misconception(
    en="The two coordinates came back as two rows: `torch.stack` puts its new axis first; you need "
    "`dim=-1`.",
    zh="两个坐标成了两行：`torch.stack`默认把新的轴放在最前面，要写`dim=-1`。",
)
def two_rows(x: Tensor, angles: Tensor) -> Tensor:
    (a, b), c, s = x.unbind(-1), angles.cos(), angles.sin()
    return torch.stack((a * c - b * s, a * s + b * c))


@exercise.misconception(
    en="The angle was read in degrees. `cos` and `sin` take radians, and `angles` is in radians "
    "already.",
    zh="你把弧度当成了度。`cos`和`sin`用的是弧度，`angles`本来就是弧度。",
)
def degrees(x: Tensor, angles: Tensor) -> Tensor:
    (a, b), turned = x.unbind(-1), torch.deg2rad(angles)
    c, s = turned.cos(), turned.sin()
    return _pair(a * c - b * s, a * s + b * c)


@exercise.misconception(
    en="The two coordinates are joined into one long vector, first all a, then all b: `torch.cat` "
    "keeps the number of axes. `torch.stack(…, dim=-1)` makes a point of each pair.",
    zh="两个坐标首尾相接，成了一个长向量，先是所有的a，再是所有的b：`torch.cat`不增加轴。"
    "`torch.stack(…, dim=-1)`才把每一对合成一个点。",
)
def one_long_vector(x: Tensor, angles: Tensor) -> Tensor:
    return by_complex_numbers(x, angles).T.flatten()


@exercise.misconception(
    en="`reshape` does not put the two coordinates side by side: after `torch.stack` all a come "
    "before all b, and (N, 2) cuts them in that order, two a to a point. Write `dim=-1`.",
    zh="`reshape`不会把两个坐标并排：`torch.stack`之后，所有的a都在b前面，"
    "变成(N, 2)时照这个次序切开，一个点里就是两个a。要写`dim=-1`。",
)
def rows_cut_again(x: Tensor, angles: Tensor) -> Tensor:
    return by_complex_numbers(x, angles).T.reshape(x.shape)
