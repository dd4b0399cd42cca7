"""Exercise mend_next_position: the length of a cache, read from a layer that forgets."""

import torch

from autograde.exercises._read_config import whole
from autograde.exercises._whole import expect_whole
from autograde.kit.exercise import Exercise, Function
from bilingual import Text

Windows = list[int | None]
exercise = Exercise(
    id="mend_next_position",
    chapter="13_real_models",
    title=Text(en="Fix: a cache that forgets", zh="改错：会遗忘的缓存"),
    task=Text(
        en=r"""Fix `position_from_first_layer`: return the position of the next token, an int. The
first token of the text has position 0. A layer with a window stores at most that many keys, the
latest; the other layers store all.

In: `stored`, a list with the number of keys that each layer has stored; `windows`, the width of
each layer's window, None where it sees everything. At least one layer sees everything.""",
        zh=r"""修好`position_from_first_layer`：返回下一个词元的位置，整数，文本的第一个词元位置为0。
有窗口的层最多存窗口那么多个键，只留最新的；其余的层全都存。

输入：列表`stored`，每层已经存了多少个键；`windows`，每层的窗口宽度，看得到全部的层为None。
至少有一层看得到全部。""",
    ),
    signature="mend_next_position(stored, windows) -> int",
    points=1,
    difficulty=1,
    minutes=4,
    hints=(
        Text(
            en="Which layers know how long the text is?",
            zh="哪些层知道文本有多长？",
        ),
        Text(
            en="Ask one whose window is None.",
            zh="问一个窗口为None的层。",
        ),
        Text(
            en="`zip(stored, windows)` gives both entries of each layer. Positions start at 0: "
            "how many keys stand before the next token?",
            zh="`zip(stored, windows)`给出每层的这两项。位置从0起：下一个词元之前有几个键？",
        ),
    ),
)


@exercise.truth
def of_a_layer_that_sees_all(stored: list[int], windows: Windows) -> int:
    """Return what a layer without a window has stored."""
    return next(count for count, window in zip(stored, windows, strict=True) if window is None)


def _layers(rng: torch.Generator, length: int, first: bool) -> tuple[list[int], Windows]:
    """Return the keys and windows of thirteen layers; `first`: layer 0 is one that sees all."""
    width = whole(rng, 8, 64)
    windows: Windows = [None if i % 6 == (0 if first else 5) else width for i in range(13)]
    return [min(length, window or length) for window in windows], windows


@exercise.check(en="a text within the window", zh="文本还在窗口之内")
def short(answer: Function, rng: torch.Generator) -> None:
    for first in (True, False):
        expect_whole(exercise, answer, *_layers(rng, whole(rng, 1, 8), first))


@exercise.check(en="a text beyond the window", zh="文本超过窗口", weight=3)
def long(answer: Function, rng: torch.Generator) -> None:
    for first in (True, False):
        expect_whole(exercise, answer, *_layers(rng, whole(rng, 100, 4000), first))


@exercise.check(en="a text between two windows", zh="文本在两个窗口之间")
def between(answer: Function, rng: torch.Generator) -> None:
    length = whole(rng, 20, 40)
    for windows in ([8, 64, None], [64, 8, None], [None, 8, 64]):
        expect_whole(exercise, answer, [min(length, w or length) for w in windows], windows)


@exercise.check(en="one layer alone sees everything", zh="只有一层看得到全部")
def one_of_many(answer: Function, rng: torch.Generator) -> None:
    length = whole(rng, 100, 4000)
    for place in range(3):
        windows: Windows = [whole(rng, 8, 64) for _ in range(3)]
        windows[place] = None
        expect_whole(exercise, answer, [min(length, w or length) for w in windows], windows)


@exercise.misconception(
    en="Still the broken version: the first layer has a window, so that the count stays at its "
    "width and all later tokens get one position.",
    zh="还是有错的那个版本：第一层有窗口，数到窗口宽度就不再变，之后的词元全挤在一个位置。",
)
def unchanged(stored: list[int], windows: Windows) -> int:
    return stored[0]


@exercise.misconception(
    en="You ask the last layer. That one, too, may have a window.",
    zh="你问的是最后一层。它同样可能有窗口。",
)
def last(stored: list[int], windows: Windows) -> int:
    return stored[-1]


@exercise.misconception(
    en="One too many: with n keys stored at 0 … n − 1, the next position is n.",
    zh="多了1：存下的n个键位于0……n − 1，下一个位置是n。",
)
def one_more(stored: list[int], windows: Windows) -> int:
    return of_a_layer_that_sees_all(stored, windows) + 1


@exercise.misconception(
    en="One too few: that is the position of the last token stored, and the next one comes after "
    "it.",
    zh="少了1：这是已存的最后一个词元的位置，下一个在它之后。",
)
def one_less(stored: list[int], windows: Windows) -> int:
    return of_a_layer_that_sees_all(stored, windows) - 1


@exercise.misconception(
    en="You take the smallest count: that of a layer with a window.",
    zh="你取了最小的数：那是有窗口的层。",
)
def smallest(stored: list[int], windows: Windows) -> int:
    return min(stored)


@exercise.misconception(
    en="You add up the layers. Each stores the same text again.",
    zh="你把各层相加了。每层存的是同一段文本。",
)
def added_up(stored: list[int], windows: Windows) -> int:
    return sum(stored)


@exercise.misconception(
    en="You return the number of the layer that sees everything, not what it has stored.",
    zh="你返回的是看得到全部的那一层的编号，不是它存了多少。",
)
def number_of_the_layer(stored: list[int], windows: Windows) -> int:
    return windows.index(None)
