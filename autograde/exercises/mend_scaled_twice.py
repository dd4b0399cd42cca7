"""Exercise mend_scaled_twice: frequencies that were interpolated when saved, and again on load."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_effect, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text

exercise = Exercise(
    id="mend_scaled_twice",
    chapter="09_extrapolation",
    title=Text(en="Fix: interpolated twice", zh="改错：插值了两次"),
    task=Text(
        en=r"""Fix `scaled_on_load`. A checkpoint was fine-tuned with its frequencies divided by
`saved_factor`, and they were saved like that. Return the frequencies for a *total* stretch of
`factor`, counted from the length of the first training.

In: `saved` `(D/2,)`; `saved_factor` and `factor`, floats of at least 1. Out: `(D/2,)`.""",
        zh=r"""修好`scaled_on_load`。某个checkpoint微调时，频率已经除以`saved_factor`，并原样保存了下来。
从最初的训练长度算起，*总*扩展倍数应为`factor`；返回这时的频率。

输入：`saved`，`(D/2,)`；`saved_factor`和`factor`，不小于1的浮点数。输出：`(D/2,)`。""",
    ),
    signature="mend_scaled_twice(saved, saved_factor, factor) -> (D/2,)",
    points=2,
    difficulty=1,
    minutes=5,
    hints=(
        Text(
            en="If factor equals saved_factor, what should be returned?",
            zh="factor等于saved_factor时，应当返回什么？",
        ),
        Text(
            en="First recover the frequencies of the first training, then divide once.",
            zh="先还原最初训练时的频率，再除一次。",
        ),
        Text(en="`saved * saved_factor / factor`", zh="`saved * saved_factor / factor`"),
    ),
)


@exercise.truth
def undone_then_divided(saved: Tensor, saved_factor: float, factor: float) -> Tensor:
    """Return the first training's frequencies, divided once."""
    original = saved.double() * saved_factor
    return (original / factor).to(saved.dtype)


def _stretches(rng: torch.Generator) -> list[float]:
    return (1.5 + 10 * torch.rand(2, generator=rng)).tolist()


@exercise.check(en="one frequency for every pair", zh="每一对一个频率")
def shape(answer: Function, rng: torch.Generator) -> None:
    for pairs in (6, 1):
        expect_shape(answer(torch.rand(pairs, generator=rng), 4.0, 8.0), (pairs,))


@exercise.check(
    en="changes nothing when factor is saved_factor, and only then",
    zh="factor与saved_factor相同时什么也不变，不同时才变",
    weight=2,
)
def enough(answer: Function, rng: torch.Generator) -> None:
    (before, _), saved = _stretches(rng), torch.rand(6, generator=rng)
    expect_agreement(answer, exercise.true_answer, saved, before, before)
    expect_effect(answer(saved, before, 2 * before), (6,), saved)


@exercise.check(en="counts from the first training", zh="从最初的训练算起", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    before, factor = sorted(_stretches(rng))
    for stretches in ((1.0, factor), (before, factor), (before, 1.0), (3 * factor, factor)):
        for pairs in (6, 256):
            saved = torch.rand(pairs, generator=rng) + 0.1
            expect_agreement(answer, exercise.true_answer, saved, *stretches)


@exercise.misconception(
    en="You fixed one case alone, factor equal to saved_factor. For any other factor you divide "
    "what is divided already: undo saved_factor first, whatever factor is.",
    zh="只修好了factor等于saved_factor这一种情形。换成别的factor，还是把除过的又除了一遍："
    "不管factor是多少，都要先还原saved_factor。",
)
def mended_if_equal(saved: Tensor, saved_factor: float, factor: float) -> Tensor:
    return saved.clone() if factor == saved_factor else saved / factor


@exercise.misconception(
    en="Still the broken version: the stretch is saved_factor · factor. With 8 when saved and 8 "
    "again when loaded, neighbours are only 1/64 apart.",
    zh="还是有错的那个版本：扩展倍数成了saved_factor · factor。按8保存、又按8加载，"
    "相邻词元只差1/64。",
)
def unchanged(saved: Tensor, saved_factor: float, factor: float) -> Tensor:
    return saved / factor


@exercise.misconception(
    en="You multiplied by factor and divided by saved_factor: that is the wrong way round.",
    zh="你乘了factor、除了saved_factor：正好弄反了。",
)
def reversed_(saved: Tensor, saved_factor: float, factor: float) -> Tensor:
    return saved * factor / saved_factor


@exercise.misconception(
    en="You trust what is saved and ignore factor: a longer text meets angles never seen.",
    zh="你直接用了保存的值，没管factor：文本再长一些，就会遇到没见过的角度。",
)
def as_saved(saved: Tensor, saved_factor: float, factor: float) -> Tensor:
    return saved.clone()


@exercise.misconception(
    en="You undid the interpolation and did not scale again: these are the frequencies of the "
    "first training.",
    zh="你撤销了插值，却没有再缩放：这是最初训练时的频率。",
)
def undone(saved: Tensor, saved_factor: float, factor: float) -> Tensor:
    return saved * saved_factor


@exercise.misconception(
    en="You divided by both. `saved` is divided by saved_factor already: undo that, do not repeat "
    "it.",
    zh="两个你都除了。`saved`已经除过saved_factor：要还原它，不是再除一遍。",
)
def divided_by_both(saved: Tensor, saved_factor: float, factor: float) -> Tensor:
    return saved / (saved_factor * factor)


@exercise.misconception(
    en="Right for a larger stretch than the saved one, but a smaller one is ignored: `saved` is "
    "returned as it is. The stretch counts from the first training, in either direction.",
    zh="扩展倍数比保存时大，结果是对的，更小时却没理会，原样返回了`saved`。"
    "倍数从最初的训练算起，变大变小都一样。",
)
def never_less(saved: Tensor, saved_factor: float, factor: float) -> Tensor:
    return saved / max(factor / saved_factor, 1)


@exercise.misconception(
    en="You divided by saved_factor again, although what was saved is already divided by it, and "
    "you "
    "ignored factor.",
    zh="你又除了一遍saved_factor（保存前已经除过），而且没管factor。",
)
def divided_again(saved: Tensor, saved_factor: float, factor: float) -> Tensor:
    return saved / saved_factor


@exercise.misconception(
    en="You divide by factor − saved_factor. Stretches multiply: from 4 to 8 is twice as far, not "
    "4 times, so divide by the ratio.",
    zh="你除以的是factor − saved_factor。扩展倍数是相乘的：从4到8是2倍，而不是4倍，"
    "所以要除以两者之比。",
)
def by_the_difference(saved: Tensor, saved_factor: float, factor: float) -> Tensor:
    return saved / (factor - saved_factor) if factor > saved_factor else saved.clone()


@exercise.misconception(
    en="You divide by `factor // saved_factor`, the whole part of the ratio. From 4 to 6 nothing "
    "happens then, and from 8 to 4 it divides by 0: use `/`.",
    zh="你除以的是`factor // saved_factor`，只取了比值的整数部分。这样从4到6毫无变化，"
    "从8到4则除以了0：要用`/`。",
)
def whole_ratio(saved: Tensor, saved_factor: float, factor: float) -> Tensor:
    return saved / (factor // saved_factor)
