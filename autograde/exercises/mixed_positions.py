"""Exercise mixed_positions: three positions for every token of text, images and video."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text
from posenc_ref.mrope import mrope_positions

exercise = Exercise(
    id="mixed_positions",
    chapter="10_beyond_1d",
    title=Text(en="Text, images and video in one sequence", zh="文本、图像和视频排成一列"),
    task=Text(
        en=r"""Return the positions (time, height, width) of a sequence made of parts, as Qwen2-VL
counts them. A part is a number $n$, for $n$ words, or a tuple `(t, h, w)`, a grid of `t` frames
of `h` × `w` patches (an image has `t` = 1), read frame by frame and row by row.

- Each part begins at one number on all three axes: 0 for the first, afterwards the *largest*
  position so far, on any axis, plus 1.
- Word $j$ of a text stands $j$ further on all three axes. Patch $(a,b,c)$ stands $a$ further in
  time, $b$ in height, $c$ in width.

In: a list of parts. Out: integers, shape `(3, L)`.""",
        zh=r"""返回一个由若干部分组成的序列的位置（时间、高、宽），按Qwen2-VL的数法。一个部分要么是数$n$，
即$n$个词；要么是元组`(t, h, w)`，即`t`帧、每帧`h` × `w`个块的网格（图像的`t`为1），逐帧、按行读取。

- 每个部分在三个轴上从同一个数开始：第一个部分从0开始，以后从至今*最大*的位置（不论哪个轴）加1开始。
- 文本的第$j$个词在三个轴上都再往前$j$步。块$(a,b,c)$在时间上再往前$a$步，高上$b$步，宽上$c$步。

输入：由各部分组成的列表。输出：整数，形状为`(3, L)`。""",
    ),
    signature="mixed_positions(parts) -> (3, L)",
    points=3,
    difficulty=3,
    minutes=12,
    hints=(
        Text(
            en="Walk through the parts and keep one number: where the next part begins.",
            zh="逐个处理各部分，只需记住一个数：下一部分从哪里开始。",
        ),
        Text(
            en="Words: `torch.arange(n).expand(3, -1)`. A grid: "
            "`torch.cartesian_prod(torch.arange(t), torch.arange(h), torch.arange(w)).T` lists "
            "(a, b, c) frame by frame, row by row.",
            zh="词：`torch.arange(n).expand(3, -1)`。网格："
            "`torch.cartesian_prod(torch.arange(t), torch.arange(h), torch.arange(w)).T`，"
            "正好逐帧、按行列出(a, b, c)。",
        ),
        Text(
            en="After each part: `begun = columns[-1].max().item() + 1`; at the end "
            "`torch.cat(columns, dim=1)`.",
            zh="每处理完一部分：`begun = columns[-1].max().item() + 1`；"
            "最后`torch.cat(columns, dim=1)`。",
        ),
    ),
)

MIXED = ([2, (1, 2, 3), 2], [(1, 3, 2), 1], [1, (5, 2, 3), 2, (1, 2, 2), 1], [3, (1, 1, 4), 1])


@exercise.check(en="three integers for every token", zh="每个词元三个整数")
def shape(answer: Function, rng: torch.Generator) -> None:
    got = expect_shape(answer([2, (1, 2, 3), 1]), (3, 9))
    expect(not got.is_floating_point(), "positions should be integers", "位置应当是整数")


@exercise.check(
    en="text alone counts 0, 1, 2, … on all three axes",
    zh="只有文本时，三个轴上都是0、1、2……",
    weight=2,
)
def text_alone(answer: Function, rng: torch.Generator) -> None:
    expect_close(answer([4]), torch.arange(4).expand(3, -1))
    expect_close(answer([2, 3]), torch.arange(5).expand(3, -1))


@exercise.check(
    en="patches of an image share their time and differ in height and width",
    zh="一幅图像的各块时间相同，高和宽不同",
    weight=2,
)
def one_image(answer: Function, rng: torch.Generator) -> None:
    for parts in ([(1, 2, 3)], [2, (1, 3, 2)]):
        expect_close(answer(parts), mrope_positions(parts))


@exercise.check(
    en="what follows an image or a video begins at the largest position plus 1",
    zh="图像或视频之后的部分，从最大位置加1开始",
    weight=4,
)
def mixed(answer: Function, rng: torch.Generator) -> None:
    for parts in MIXED:
        expect_close(answer(parts), mrope_positions(parts))


def _walk(parts: list, on: Function, grid: Function, words: Function) -> Tensor:
    """Build a sequence; `on(sizes)` is how far a grid takes the next part."""
    begun, columns = 0, []
    for part in parts:
        sizes = part if isinstance(part, tuple) else (part, part, part)
        if isinstance(part, tuple):
            at = torch.cartesian_prod(*map(torch.arange, part)).T
            columns.append(grid(begun, at))
            begun += on(sizes)
        else:
            columns.append(words(begun, torch.arange(part).expand(3, -1)))
            begun += part
    return torch.cat(columns, dim=1)


def _moved(begun: int, at: Tensor) -> Tensor:
    return begun + at


@exercise.misconception(
    en="The text goes on after as many steps as the image has patches, t·h·w. The rule is the "
    "largest position plus 1: an image of 16 × 16 takes 16 positions, not 256.",
    zh="图像有多少块，文本就往后数了多少步，即t·h·w。规则是最大位置加1："
    "16×16的图像占16个位置，不是256个。",
)
def counts_patches(parts: list) -> Tensor:
    return _walk(parts, lambda s: s[0] * s[1] * s[2], _moved, _moved)


@exercise.misconception(
    en="The next part begins *at* the largest position, not one after it: the first word shares "
    "its place with the last patch of the longest axis.",
    zh="下一部分从最大位置*本身*开始，没有加1：第一个词会和最长那个轴上的最后一块重叠。",
)
def without_one(parts: list) -> Tensor:
    return _walk(parts, lambda s: max(s) - 1, _moved, _moved)


@exercise.misconception(
    en="Only time decides where the text goes on. An image then counts as one step, and words "
    "after "
    "it stand among its patches.",
    zh="只看时间轴来决定文本从哪里继续。图像就只算一步，后面的词会站到图像块中间去。",
)
def only_time(parts: list) -> Tensor:
    return _walk(parts, lambda s: s[0], _moved, _moved)


@exercise.misconception(
    en="Words got their position on the time axis only, with height and width 0. Then most pairs "
    "do "
    "not turn at all and text is not RoPE any more; a word stands at (p, p, p).",
    zh="词只在时间轴上有位置，高和宽都是0。这样大部分对根本不转，文本也就不再是RoPE了；"
    "词应当站在(p, p, p)。",
)
def words_in_time_only(parts: list) -> Tensor:
    only = torch.tensor([[1], [0], [0]])
    return _walk(parts, max, _moved, lambda begun, at: (begun + at) * only)


@exercise.misconception(
    en="Height and width start at 0 in every image. They must start where the image begins, as "
    "time "
    "does, or the patches stand next to the first words of the text.",
    zh="每幅图像的高和宽都从0开始了。它们应和时间一样，从图像开始的位置算起，"
    "否则图像块就挨着文本开头的词。",
)
def from_zero(parts: list) -> Tensor:
    time = torch.tensor([[1], [0], [0]])
    return _walk(parts, max, lambda begun, at: begun * time + at, _moved)


@exercise.misconception(
    en="Height and width are exchanged: the order of the axes is time, height, width.",
    zh="高和宽弄反了：轴的顺序是时间、高、宽。",
)
def exchanged(parts: list) -> Tensor:
    return _walk(parts, max, lambda begun, at: begun + at[[0, 2, 1]], _moved)


def _each_from(parts: list, following: Function, grid: Function = _moved) -> Tensor:
    """Build a sequence; `following(column)` is where the part after those columns begins."""
    begun, columns = torch.zeros(3, 1, dtype=torch.long), []
    for part in parts:
        if isinstance(part, tuple):
            columns.append(grid(begun, torch.cartesian_prod(*map(torch.arange, part)).T))
        else:
            columns.append(begun + torch.arange(part))
        begun = following(columns[-1]).expand(3, 1)
    return torch.cat(columns, dim=1)


@exercise.misconception(
    en="Every part begins *at* the largest position so far, without the plus 1: two texts in a row "
    "then share a position.",
    zh="每个部分都从至今最大的位置*本身*开始，没有加1：相接的两段文本会有两个词站在一处。",
)
def never_plus_one(parts: list) -> Tensor:
    return _each_from(parts, lambda column: column.max())


@exercise.misconception(
    en="Each axis goes on from its own largest position. After an image the three differ, and a "
    "word no longer stands at (p, p, p): take the largest on *any* axis.",
    zh="三个轴各从自己的最大位置往下数。图像之后三个轴不同，词就不再站在(p, p, p)："
    "要取*所有*轴上最大的那个。",
)
def each_axis_alone(parts: list) -> Tensor:
    return _each_from(parts, lambda column: column.amax(dim=1, keepdim=True) + 1)


@exercise.misconception(
    en="Only height and width decide where the next part begins. A video of many small frames "
    "reaches furthest in time: take the largest on *any* axis.",
    zh="只看高和宽来决定下一部分从哪里开始。帧多而每帧小的视频，走得最远的是时间："
    "要取*所有*轴上最大的那个。",
)
def without_time(parts: list) -> Tensor:
    return _each_from(parts, lambda column: column[1:].max() + 1)


@exercise.misconception(
    en="Height and width start at 0 in every image. They start where time does; as it is, patches "
    "stand next to the first words, and the text goes on too early.",
    zh="每幅图像的高和宽都从0开始了。它们应和时间从同一个数开始；"
    "现在图像块挨着文本开头的词，后面的文本也接得太早。",
)
def from_zero_and_early(parts: list) -> Tensor:
    time = torch.tensor([[1], [0], [0]])
    return _each_from(parts, lambda column: column.max() + 1, lambda begun, at: begun * time + at)
