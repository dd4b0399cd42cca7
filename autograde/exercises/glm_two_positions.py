"""Exercise glm_two_positions: the two positions of every token in ChatGLM-6B."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="glm_two_positions",
    chapter="10_beyond_1d",
    title=Text(en="Two positions for every token", zh="每个词元两个位置"),
    task=Text(
        en=r"""A prompt of `context` tokens contains a gap: token number `gap` (from 0) is a mask.
The model writes `written` tokens after the prompt; they fill the gap. Return both streams of
positions, first for the prompt, then for what is written:

- first: place in the text. Written tokens are where the mask is.
- second: place inside the filling. 0 for the prompt, then 1, 2, 3, ….

In: whole numbers, `0 <= gap < context`. Out: integers, shape `(2, context + written)`.""",
        zh=r"""prompt共`context`个词元，里面有一个空缺，第`gap`个词元（从0数）是[MASK]。
模型在prompt之后写出`written`个词元来补这个空缺。返回两串位置，先是prompt，再是写出的部分：

- 第一串：在文本中的位置。写出的词元用[MASK]所在的位置。
- 第二串：在补全内容内部的位置。prompt为0，之后是1、2、3……。

输入：整数，`0 <= gap < context`。输出：整数，形状为`(2, context + written)`。""",
    ),
    signature="glm_two_positions(context, gap, written) -> (2, context + written)",
    points=3,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="Write down both streams for a prompt of 4 tokens with the mask at 1, and 2 "
            "written tokens.",
            zh="prompt有4个词元，[MASK]在位置1，写出2个词元：把两串都写出来。",
        ),
        Text(
            en="Each stream has two pieces, one for the prompt and one for what is written. "
            "Which of the four pieces count, and which stand still?",
            zh="每一串都由prompt和写出的部分两段组成。四段里哪些在递增，哪些不变？",
        ),
        Text(
            en="`torch.full((written,), gap)` repeats a number, `torch.arange(1, written + 1)` "
            "counts from 1.",
            zh="`torch.full((written,), gap)`重复一个数，`torch.arange(1, written + 1)`从1数起。",
        ),
    ),
)


@exercise.truth
def place_and_inside(context: int, gap: int, written: int) -> Tensor:
    """Return both streams, written down number by number."""
    place = [*range(context), *[gap] * written]
    inside = [*[0] * context, *range(1, written + 1)]
    return torch.tensor([place, inside])


def _cases(rng: torch.Generator) -> list[tuple[int, int, int]]:
    """Return context, gap and written: a gap inside, one at the start, one at the end, …"""
    behind, gap, written = torch.randint(2, 7, (3,), generator=rng).tolist()
    return [
        (gap + behind, gap, written),
        (behind, 0, written),
        (behind, behind - 1, 1),
        (210 + behind, gap, 210 + written),
        (1, 0, written),
    ]


@exercise.check(en="two integers for every token", zh="每个词元两个整数")
def shape(answer: Function, rng: torch.Generator) -> None:
    got = expect_shape(answer(6, 2, 3), (2, 9))
    expect(not got.is_floating_point(), "positions should be integers", "位置应当是整数")


@exercise.check(
    en="the first stream: written tokens are at the mask",
    zh="第一串：写出的词元用[MASK]的位置",
    weight=3,
)
def place(answer: Function, rng: torch.Generator) -> None:
    for case in _cases(rng):
        streams = exercise.true_answer(*case)
        expect_close(expect_shape(answer(*case), tuple(streams.shape))[0], streams[0])


@exercise.check(
    en="the second stream: 0 in the prompt, then 1, 2, 3, …",
    zh="第二串：prompt中为0，之后是1、2、3……",
    weight=3,
)
def inside(answer: Function, rng: torch.Generator) -> None:
    for case in _cases(rng):
        streams = exercise.true_answer(*case)
        expect_close(expect_shape(answer(*case), tuple(streams.shape))[1], streams[1])


@exercise.check(
    en="with nothing written yet, there is only the prompt",
    zh="还没写出任何词元时，只有prompt",
    weight=1,
)
def nothing_written(answer: Function, rng: torch.Generator) -> None:
    for context, gap, _ in _cases(rng):
        expect_agreement(answer, exercise.true_answer, context, gap, 0)


@exercise.misconception(
    en="The first stream goes on counting, as in a GPT. The written tokens are then after the "
    "prompt, not in the gap, and the words after the gap seem to come before them.",
    zh="第一串接着往下数，像GPT那样。写出的词元就排到了prompt之后，而不在空缺里，"
    "空缺后面的词反倒像在它们之前。",
)
def goes_on(context: int, gap: int, written: int) -> Tensor:
    streams = place_and_inside(context, gap, written)
    streams[0] = torch.arange(context + written)
    return streams


@exercise.misconception(
    en="The second stream starts at 0 for the first written token. 0 is for the prompt: the first "
    "written token would have both positions of the mask.",
    zh="第二串在第一个写出的词元处从0数起。0是prompt用的："
    "第一个写出的词元会和[MASK]的两个位置完全相同。",
)
def from_zero(context: int, gap: int, written: int) -> Tensor:
    streams = place_and_inside(context, gap, written)
    streams[1, context:] -= 1
    return streams


@exercise.misconception(
    en="Written tokens advance in both streams. The first should stay at the mask: only then is "
    "the place of the words after the gap independent of how much is written.",
    zh="写出的词元在两串里都递增。第一串应停在[MASK]处：只有这样，"
    "空缺之后那些词的位置才与写了多少无关。",
)
def both_advance(context: int, gap: int, written: int) -> Tensor:
    streams = place_and_inside(context, gap, written)
    streams[0] += streams[1]
    return streams


@exercise.misconception(
    en="Written tokens are at the end of the prompt. That is right only when the mask is its "
    "last "
    "token; with a gap inside, they belong at `gap`.",
    zh="写出的词元排在prompt末尾。只有[MASK]是最后一个词元时才对；空缺在中间时，它们应在`gap`处。",
)
def at_the_end(context: int, gap: int, written: int) -> Tensor:
    streams = place_and_inside(context, gap, written)
    streams[0, context:] = context - 1
    return streams


@exercise.misconception(
    en="The streams are exchanged: the first row should be the place in the text, the second the "
    "place inside the filling. ChatGLM-6B turns the first half of the channels by the first.",
    zh="两串弄反了：第一行应是在文本中的位置，第二行应是在补全内容内部的位置。"
    "ChatGLM-6B用第一串转前一半通道。",
)
def exchanged(context: int, gap: int, written: int) -> Tensor:
    return place_and_inside(context, gap, written).flip(0)


@exercise.misconception(
    en="Written tokens count on from the mask, gap, gap + 1, …: the second one is where the "
    "next word of the prompt is. The first stream stays at the mask, the second counts.",
    zh="写出的词元从[MASK]处往下数：gap、gap+1……第二个就占了prompt里下一个词的位置。"
    "第一串停在[MASK]处，第二串才往下数。",
)
def on_from_the_mask(context: int, gap: int, written: int) -> Tensor:
    streams = place_and_inside(context, gap, written)
    streams[0, context:] += torch.arange(written)
    return streams


@exercise.misconception(
    en="The words after the gap were moved to make room. They stay: the mask counts as one token, "
    "however much is written.",
    zh="空缺之后的词被挪开、腾出了地方。它们的位置应当不变：不管写多少，[MASK]都只算一个词元。",
)
def makes_room(context: int, gap: int, written: int) -> Tensor:
    streams = place_and_inside(context, gap, written)
    streams[0, gap + 1 : context] += written - 1
    return streams


@exercise.misconception(
    en="The second stream goes on from the length of the prompt. It should count inside the "
    "filling: the first written token has 1, however long the prompt is.",
    zh="第二串接着prompt的长度往下数了。它应当数补全内容内部的位置：不管prompt多长，"
    "第一个写出的词元都是1。",
)
def second_goes_on(context: int, gap: int, written: int) -> Tensor:
    streams = place_and_inside(context, gap, written)
    streams[1, context:] = torch.arange(context, context + written)
    return streams


@exercise.misconception(
    en="The words after the gap were moved by the number of written tokens. They stay where they "
    "are: the mask keeps one place, and everything written is there.",
    zh="空缺之后的词按写出的词元数往后移了。它们的位置应当不变：[MASK]只占一个位置，写出的词元都用那个位置。",
)
def makes_room_for_all(context: int, gap: int, written: int) -> Tensor:
    streams = place_and_inside(context, gap, written)
    streams[0, gap + 1 : context] += written
    return streams
