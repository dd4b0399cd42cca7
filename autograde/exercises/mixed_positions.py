"""Exercise mixed_positions: three positions for every token of text, images and video."""

import math

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text
from posenc_ref.mrope import mrope_positions

exercise = Exercise(
    id="mixed_positions",
    chapter="10_beyond_1d",
    title=Text(en="Text, images and video in one sequence", zh="文本、图像和视频排成一列"),
    task=Text(
        en=r"""Return the positions (time, height, width) of every token of a sequence of words,
images and videos, as Qwen2-VL counts them. `is_patch` tells the patches from the words; `grids`
names the size `(t, h, w)` of each image or video, in the order of the sequence: `t` steps in time,
each of `h` × `w` merged patches (an image has `t` = 1), read step by step and row by row. Here,
unlike in Qwen2-VL, two of them may follow each other without a word between.

- A word is at $(p,p,p)$, where $p$ is 0 for the first token and afterwards the *largest*
  position so far, on any axis, plus 1.
- A grid begins at such a $p$ on all three axes; patch $(a,b,c)$ is $a$ further in time, $b$ in
  height, $c$ in width.

In: `is_patch` `(L,)`, boolean; `grids`, a list of tuples (empty for text alone).
Out: integers, shape `(3, L)`.""",
        zh=r"""一个序列由词、图像和视频组成，返回每个词元的位置（时间、高、宽），按Qwen2-VL的数法。
`is_patch`标出哪些词元是图像块，其余是词；
`grids`按出现的次序，列出每幅图像或每段视频的大小`(t, h, w)`：
`t`个时间步、每步`h` × `w`个合并后的块（图像的`t`为1），逐步、按行读取。
与Qwen2-VL不同，这里的图像、视频之间可以没有词。

- 词的位置是$(p,p,p)$：第一个词元的$p$是0，以后是至今*最大*的位置（不论哪个轴）加1。
- 网格在三个轴上都从这样的$p$开始；块$(a,b,c)$在时间上再加$a$，高上加$b$，宽上加$c$。

输入：`is_patch`，形状`(L,)`，布尔；`grids`，由元组组成的列表（只有文本时为空）。
输出：整数，形状为`(3, L)`。""",
    ),
    signature="mixed_positions(is_patch, grids) -> (3, L)",
    points=4,
    difficulty=4,
    minutes=20,
    hints=(
        Text(
            en="Write down all three rows for one word, an image of 2 × 3 patches, and one more "
            "word. Where is the last word, and why there?",
            zh="写出这个序列的三行：一个词，一幅2×3的图像，再一个词。最后那个词的位置是多少？为什么？",
        ),
        Text(
            en="Walk along the sequence and keep two numbers: the token at which you are, and the "
            "position at which the next piece begins. A patch that you meet there is the first "
            "of a piece of t · h · w tokens; a word is a piece of one token.",
            zh="沿着序列走下去，记住两个数：走到了哪个词元，以及下一段从哪个位置开始。"
            "遇到图像块，它就是t·h·w块里的第一块；一个词自成一段。",
        ),
        Text(
            en="`torch.cartesian_prod(torch.arange(t), torch.arange(h), torch.arange(w)).T` lists "
            "(a, b, c) step by step, row by row; the next piece begins further on, by the "
            "largest of these numbers plus 1.",
            zh="`torch.cartesian_prod(torch.arange(t), torch.arange(h), torch.arange(w)).T`"
            "正好逐步、按行列出(a, b, c)；其中最大的数加1，就是下一段起点与这一段起点之差。",
        ),
    ),
)


Grids = list[tuple[int, int, int]]
WORD = (1, 1, 1)  # a word is placed as a grid of one


@exercise.truth
def piece_by_piece(is_patch: Tensor, grids: Grids) -> Tensor:
    """Return the reference's positions of the pieces."""
    pieces = _pieces(is_patch, grids)
    return mrope_positions([1 if piece == WORD else piece for piece in pieces])


def _pieces(is_patch: Tensor, grids: Grids) -> Grids:
    """Return the sequence as grids, a word being one of one cell."""
    pieces, rest, at = [], list(grids), 0
    while at < len(is_patch):
        pieces.append(rest.pop(0) if is_patch[at] else WORD)
        at += math.prod(pieces[-1])
    return pieces


def _inputs(*parts: int | tuple[int, int, int]) -> tuple[Tensor, Grids]:
    """Return flags and grids of parts: a number of words, or (t, h, w)."""
    flags = []
    for part in parts:
        flags += [False] * part if isinstance(part, int) else [True] * math.prod(part)
    return torch.tensor(flags), [part for part in parts if isinstance(part, tuple)]


def _sizes(rng: torch.Generator) -> tuple[int, int, int]:
    """Return a number of words, and two sizes of which the second is larger."""
    words, low, more = torch.randint(2, 7, (3,), generator=rng).tolist()
    return words, low, low + more


@exercise.check(en="three integers for every token", zh="每个词元三个整数")
def shape(answer: Function, rng: torch.Generator) -> None:
    got = expect_shape(answer(*_inputs(2, (1, 2, 5), 1)), (3, 13))
    expect(not got.is_floating_point(), "positions should be integers", "位置应当是整数")


@exercise.check(
    en="text alone counts 0, 1, 2, … on all three axes",
    zh="只有文本时，三个轴上都是0、1、2……",
    weight=2,
)
def text_alone(answer: Function, rng: torch.Generator) -> None:
    words, _, _ = _sizes(rng)
    for length in (words, 1, 220):
        expect_close(answer(*_inputs(length)), torch.arange(length).expand(3, -1))


@exercise.check(
    en="patches of an image share their time and differ in height and width",
    zh="一幅图像的各块时间相同，高和宽不同",
    weight=2,
)
def one_image(answer: Function, rng: torch.Generator) -> None:
    words, low, high = _sizes(rng)
    for parts in ([words, (1, low, high)], [(1, high, low)], [(1, 1, 1)], [(1, 14, 16)]):
        expect_agreement(answer, exercise.true_answer, *_inputs(*parts))


@exercise.check(
    en="what follows an image or a video begins at the largest position plus 1",
    zh="图像或视频之后的部分，从最大位置加1开始",
    weight=4,
)
def mixed(answer: Function, rng: torch.Generator) -> None:
    words, low, high = _sizes(rng)
    for parts in (
        [words, (1, low, high), words],
        [(1, high, low), 1],
        [1, (high + 1, low, high), words, (1, low, low), 1],
        [words, (1, low, high), (2, high, low), 1],  # no word between
        [words, (1, 1, high), 1],
    ):
        expect_agreement(answer, exercise.true_answer, *_inputs(*parts))


def _walk(is_patch: Tensor, grids: Grids, on: Function, grid: Function, words: Function) -> Tensor:
    """Build a sequence; `on(sizes)` is how far a grid takes the next piece."""
    begun, columns = 0, []
    for piece in _pieces(is_patch, grids):
        at = torch.cartesian_prod(*map(torch.arange, piece)).T
        columns.append((words if piece == WORD else grid)(begun, at))
        begun += 1 if piece == WORD else on(piece)
    return torch.cat(columns, dim=1)


def _moved(begun: int, at: Tensor) -> Tensor:
    return begun + at


@exercise.misconception(
    en="The text goes on after as many steps as the image has patches, t·h·w. The rule is the "
    "largest position plus 1: an image of 16 × 16 takes 16 positions, not 256.",
    zh="图像有多少块，文本就往后数了多少步，即t·h·w。规则是最大位置加1："
    "16×16的图像占16个位置，不是256个。",
)
def counts_patches(is_patch: Tensor, grids: Grids) -> Tensor:
    return _walk(is_patch, grids, lambda s: s[0] * s[1] * s[2], _moved, _moved)


@exercise.misconception(
    en="The next part begins *at* the largest position, not one after it: on the longest axis the "
    "first word has the same position as the last patch.",
    zh="下一部分从最大位置*本身*开始，没有加1：在最长的那个轴上，第一个词会和最后一块重叠。",
)
def without_one(is_patch: Tensor, grids: Grids) -> Tensor:
    return _walk(is_patch, grids, lambda s: max(s) - 1, _moved, _moved)


@exercise.misconception(
    en="Only time decides where the text goes on. An image then counts as one step, and words "
    "after "
    "it are among its patches.",
    zh="只看时间轴来决定文本从哪里继续。图像就只算一步，后面的词会落到图像块中间去。",
)
def only_time(is_patch: Tensor, grids: Grids) -> Tensor:
    return _walk(is_patch, grids, lambda s: s[0], _moved, _moved)


@exercise.misconception(
    en="Words got their position on the time axis only, with height and width 0. Then most pairs "
    "do "
    "not turn at all and text is not RoPE any more; a word is at (p, p, p).",
    zh="词只在时间轴上有位置，高和宽都是0。这样大部分对根本不转，文本也就不再是RoPE了；"
    "词应当位于(p, p, p)。",
)
def words_in_time_only(is_patch: Tensor, grids: Grids) -> Tensor:
    only = torch.tensor([[1], [0], [0]])
    return _walk(is_patch, grids, max, _moved, lambda begun, at: (begun + at) * only)


@exercise.misconception(
    en="Height and width start at 0 in every image. They must start where the image begins, as "
    "time "
    "does, or the patches are next to the first words of the text.",
    zh="每幅图像的高和宽都从0开始了。它们应和时间一样，从图像开始的位置算起，"
    "否则图像块就挨着文本开头的词。",
)
def from_zero(is_patch: Tensor, grids: Grids) -> Tensor:
    time = torch.tensor([[1], [0], [0]])
    return _walk(is_patch, grids, max, lambda begun, at: begun * time + at, _moved)


@exercise.misconception(
    en="Height and width are exchanged: the axes should be in the order time, height, width.",
    zh="高和宽弄反了：轴的顺序应为时间、高、宽。",
)
def exchanged(is_patch: Tensor, grids: Grids) -> Tensor:
    return _walk(is_patch, grids, max, lambda begun, at: begun + at[[0, 2, 1]], _moved)


def _each_from(
    is_patch: Tensor, grids: Grids, following: Function, grid: Function = _moved
) -> Tensor:
    """Build a sequence; `following(column)` is where the piece after those columns begins."""
    begun, columns = torch.zeros(3, 1, dtype=torch.long), []
    for piece in _pieces(is_patch, grids):
        at = torch.cartesian_prod(*map(torch.arange, piece)).T
        columns.append(grid(begun, at) if piece != WORD else begun + at)
        begun = following(columns[-1]).expand(3, 1)
    return torch.cat(columns, dim=1)


@exercise.misconception(
    en="Each axis goes on from its own largest position. After an image the three differ, and a "
    "word is no longer at (p, p, p): take the largest on *any* axis.",
    zh="三个轴各从自己的最大位置往下数。图像之后三个轴不同，词的位置就不再是(p, p, p)："
    "要取*所有*轴上最大的那个。",
)
def each_axis_alone(is_patch: Tensor, grids: Grids) -> Tensor:
    return _each_from(is_patch, grids, lambda column: column.amax(dim=1, keepdim=True) + 1)


@exercise.misconception(
    en="Only height and width decide where the next part begins. A video of many small steps "
    "reaches furthest in time: take the largest on *any* axis.",
    zh="只看高和宽来决定下一部分从哪里开始。步数多而每步块少的视频，走得最远的是时间："
    "要取*所有*轴上最大的那个。",
)
def without_time(is_patch: Tensor, grids: Grids) -> Tensor:
    return _each_from(is_patch, grids, lambda column: column[1:].max() + 1)


@exercise.misconception(
    en="Height and width start at 0 in every image. They must start where time does; as it is, "
    "patches are next to the first words, and the text goes on too early.",
    zh="每幅图像的高和宽都从0开始了。它们应和时间从同一个数开始；"
    "现在图像块挨着文本开头的词，后面的文本也接得太早。",
)
def from_zero_and_early(is_patch: Tensor, grids: Grids) -> Tensor:
    time = torch.tensor([[1], [0], [0]])
    return _each_from(
        is_patch, grids, lambda column: column.max() + 1, lambda begun, at: begun * time + at
    )


@exercise.misconception(
    en="The text goes on after t + h + w steps. The three sizes are not added: the largest "
    "position on any axis decides, so an image of 16 × 16 takes 16 positions.",
    zh="文本往后数了t + h + w步。三个大小不是相加，而是看哪个轴上的位置最大："
    "16×16的图像占16个位置。",
)
def sum_of_sizes(is_patch: Tensor, grids: Grids) -> Tensor:
    return _walk(is_patch, grids, sum, _moved, _moved)


@exercise.misconception(
    en="Every token is counted on all three axes, 0, 1, 2, …: that is RoPE in one dimension, and "
    "the patch below is as far away as the image is wide.",
    zh="每个词元在三个轴上都是0、1、2……：这就是一维的RoPE，图像有多宽，下方的块就有多远。",
)
def plain_counting(is_patch: Tensor, grids: Grids) -> Tensor:
    return torch.arange(len(is_patch)).expand(3, -1)


@exercise.misconception(
    en="The patches are read column by column. Patch 1 is the right neighbour of patch 0: the last "
    "axis, width, runs fastest.",
    zh="图像块被按列读取了。第1块是第0块右边的邻居：最后一个轴，也就是宽，变化最快。",
)
def column_by_column(is_patch: Tensor, grids: Grids) -> Tensor:
    def sideways(begun: int, at: Tensor) -> Tensor:
        time, height, width = (at.amax(dim=1) + 1).tolist()
        cells = torch.cartesian_prod(*map(torch.arange, (time, width, height))).T
        return begun + cells[[0, 2, 1]]

    return _walk(is_patch, grids, max, sideways, _moved)


@exercise.misconception(
    en="The sizes are read as (t, w, h). They are steps in time, rows, columns; on a square image "
    "nobody notices.",
    zh="你把大小读成了(t, w, h)。次序是时间步、行、列；图像是正方形时，谁也看不出来。",
)
def sizes_exchanged(is_patch: Tensor, grids: Grids) -> Tensor:
    return piece_by_piece(is_patch, [(time, width, height) for time, height, width in grids])


@exercise.misconception(
    en="The next part begins after the *width* of the last patch. A video may reach further in "
    "time, an image in height: take the largest on *any* axis.",
    zh="你从最后一块的*宽*加1处接着数。视频可能在时间上走得更远，图像可能更高：要取*所有*轴上最大的那个。",
)
def after_the_last_width(is_patch: Tensor, grids: Grids) -> Tensor:
    return _each_from(is_patch, grids, lambda column: column[2, -1] + 1)
