"""Exercise mend_decode_after_image: a decoded token counted by the length of the cache."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text
from posenc_ref.mrope import mrope_positions

exercise = Exercise(
    id="mend_decode_after_image",
    chapter="10_beyond_1d",
    title=Text(en="Fix: the answer that starts too far away", zh="改错：回答离得太远"),
    task=Text(
        en="""Fix `counts_the_cache`: return the place of the new token of a decoding step, after a
prompt that may hold images: where one pass over prompt and answer would put it.

In: `positions` of the prompt, `(3, L)`; `step`, 0 for the first new token. Out: integers, shape
`(3,)`: time, height, width.""",
        zh="""修好`counts_the_cache`：prompt里可能有图像，返回解码的某一步新词元所在的位置，
与把prompt和回答一次算完时相同。

输入：prompt的位置`positions`，形状`(3, L)`；`step`，第一个新词元为0。输出：整数，形状为`(3,)`，
即时间、高、宽。""",
    ),
    signature="mend_decode_after_image(positions, step) -> (3,)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Had the answer been part of the prompt, where would its first word be?",
            zh="假如回答本来就在prompt里，它的第一个词位置是多少？",
        ),
        Text(
            en="The number of tokens in the cache counts all patches. Positions do not.",
            zh="缓存里的词元数把每个图像块都算上了，而位置并不这样算。",
        ),
        Text(
            en="The largest position of the prompt on any axis, plus 1, plus the step: the same "
            "on all three axes.",
            zh="prompt在任一轴上的最大位置，加1，再加步数：三个轴都相同。",
        ),
    ),
)


@exercise.truth
def after_the_largest(positions: Tensor, step: int) -> Tensor:
    """Return the position after the largest of the prompt, `step` further, on all three axes."""
    return torch.tensor([max(positions.flatten().tolist()) + 1 + step] * 3)


def _prompts(rng: torch.Generator) -> list[list]:
    """Return prompts that end in words or in a grid, whose largest position is on each axis."""
    words, low, more = torch.randint(2, 6, (3,), generator=rng).tolist()
    high = low + more
    return [
        [words, (1, low, high), words],
        [words, (1, low, high)],
        [(1, high, low), 1],
        [1, (high, 2, low)],
        [(1, 1, 1)],
        [words, (1, 15, 16), (2, low, high), words],
    ]


@exercise.check(en="three integers", zh="三个整数")
def shape(answer: Function, rng: torch.Generator) -> None:
    got = expect_shape(answer(mrope_positions([3]), 0), (3,))
    expect(not got.is_floating_point(), "positions should be integers", "位置应当是整数")


@exercise.check(en="after text alone it counts on", zh="只有文本时，接着往下数", weight=1)
def text_alone(answer: Function, rng: torch.Generator) -> None:
    words, step = torch.randint(2, 9, (2,), generator=rng).tolist()
    for prompt, steps in ((words, step), (words, 0), (4098 + 4 * words, step), (1, 0)):
        expect_agreement(answer, exercise.true_answer, mrope_positions([prompt]), steps)


@exercise.check(
    en="is where one pass over prompt and answer would put it",
    zh="与把prompt和回答一次算完时的位置相同",
    weight=4,
)
def like_one_pass(answer: Function, rng: torch.Generator) -> None:
    (later,) = torch.randint(201, 300, (1,), generator=rng).tolist()
    for prompt in _prompts(rng):
        for step in (later, 0, 1):
            one_pass = mrope_positions([*prompt, step + 1])[:, -1]
            expect_close(answer(mrope_positions(prompt), step), one_pass)


@exercise.misconception(
    en="Still the broken version: it counts the tokens in the cache. After one image of 16 × 16 "
    "the answer is 240 positions too far away.",
    zh="还是有错的那个版本：它数的是缓存里的词元。只要有一幅16×16的图像，回答就远了240个位置。",
)
def unchanged(positions: Tensor, step: int) -> Tensor:
    return torch.full((3,), positions.shape[1] + step)


@exercise.misconception(
    en="The 1 is missing: the first new token is at the largest position of the prompt, not one "
    "after it.",
    zh="少了1：第一个新词元用了prompt里最大的位置，本应在它之后。",
)
def without_one(positions: Tensor, step: int) -> Tensor:
    return (positions.max() + step).expand(3)


@exercise.misconception(
    en="Each axis goes on by itself, from its last or its largest position. After an image the "
    "three differ, and text is no longer at (p, p, p): take the largest of them all.",
    zh="每个轴各数各的，从自己最后的或最大的位置往下数。图像之后三个轴不同，文本的位置就不再是"
    "(p, p, p)：要取三者中最大的。",
)
def after_the_last(positions: Tensor, step: int) -> Tensor:
    return positions[:, -1] + 1 + step


@exercise.misconception(
    en="Only the time axis decides. An image has one time for all its patches, so the answer "
    "is "
    "among them.",
    zh="只看了时间轴。一幅图像的所有块时间相同，回答的坐标就落进了图像块中间。",
)
def only_time(positions: Tensor, step: int) -> Tensor:
    return (positions[0].max() + 1 + step).expand(3)


@exercise.misconception(
    en="`step` is not used: every word of the answer is where the first one is.",
    zh="没有用到`step`：回答的每个词都用了第一个词的位置。",
)
def without_step(positions: Tensor, step: int) -> Tensor:
    return (positions.max() + 1).expand(3)


@exercise.misconception(
    en="One too far: a gap opens after the prompt. The first new token, step 0, is right after "
    "the largest position.",
    zh="远了1：prompt之后空出了一格。第一个新词元（step为0）紧跟在最大的位置之后。",
)
def one_too_far(positions: Tensor, step: int) -> Tensor:
    return (positions.max() + 2 + step).expand(3)


@exercise.misconception(
    en="Only time moves on, height and width are 0. A word belongs at (p, p, p); otherwise most "
    "pairs do not turn.",
    zh="只有时间在递增，高和宽都是0。词应当位于(p, p, p)，否则大部分对根本不转。",
)
def time_alone_moves(positions: Tensor, step: int) -> Tensor:
    return torch.tensor([int(positions.max()) + 1 + step, 0, 0])


@exercise.misconception(
    en="You still count the tokens of the prompt, and add 1. In plain text the number of tokens "
    "is already the next position; after an image it is too large.",
    zh="你数的还是prompt的词元，又加了1。纯文本时，词元的个数本身已是下一个位置；有图像时，"
    "它又太大了。",
)
def tokens_and_one(positions: Tensor, step: int) -> Tensor:
    return torch.full((3,), positions.shape[1] + 1 + step)


@exercise.misconception(
    en="The number is right, but there is only one. Each axis turns pairs of its own and needs a "
    "position: three times the same for a word.",
    zh="数是对的，但只有一个。每个轴各转自己的那些对，都要有位置：文本的三个位置相同。",
)
def one_number(positions: Tensor, step: int) -> Tensor:
    return positions.max() + 1 + step


@exercise.misconception(
    en="Only time goes on with `step`. A word is at (p, p, p): height and width must go on "
    "with it.",
    zh="只有时间随`step`递增。词应当位于(p, p, p)，高和宽也要一起递增。",
)
def step_on_time_alone(positions: Tensor, step: int) -> Tensor:
    start = int(positions.max()) + 1
    return torch.tensor([start + step, start, start])
