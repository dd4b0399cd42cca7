"""Exercise choose_encoding: the rule of chapter 11, as a function."""

import math
from typing import Any

import torch

from autograde.exercises._brief import brief
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect
from bilingual import Text

exercise = Exercise(
    id="choose_encoding",
    chapter="11_choose",
    title=Text(en="The rule", zh="选择规则"),
    task=Text(
        en=r"""Return the encoding that the rule gives. `needs` is a dictionary with `length`, the
longest text in tokens (a stream has `math.inf`), and `trained`, the length that training covers. It
may also hold `checkpoint` (the encoding of weights that you must keep), `images` and `fixed_form`
(true or false). *Longer* means `length` > `trained`. The rule, in this order:

1. A checkpoint keeps its encoding. Longer: `"RoPE"` becomes `"RoPE + YaRN"`, `"learned"` becomes
`"learned + resize"`, others stay.
2. Images: `"axial RoPE"`.
3. Longer: `"ALiBi"`.
4. A fixed form, where each place has a meaning: `"learned"`.
5. Else `"RoPE"`.""",
        zh=r"""返回规则给出的编码。`needs`是一个字典，含`length`（最长文本的词元数，
流式时为`math.inf`）和`trained`（训练覆盖的长度），
还可能有`checkpoint`（必须沿用的模型所用的编码）、`images`与`fixed_form`（真或假）。
*更长*指`length` > `trained`。规则依次为：

1. 已有checkpoint就沿用它的编码。更长时：`"RoPE"`变为`"RoPE + YaRN"`，`"learned"`变为
`"learned + resize"`，其余不变。
2. 有图像：`"axial RoPE"`。
3. 更长：`"ALiBi"`。
4. 固定表单，每个位置各有含义：`"learned"`。
5. 其余：`"RoPE"`。""",
    ),
    signature="choose_encoding(needs) -> str",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        Text(en="Five rules, from top to bottom.", zh="五条规则，从上往下。"),
        Text(
            en='Keys may be missing: `needs.get("images")` is None then, which counts as false.',
            zh='键可能缺失：这时`needs.get("images")`是None，算作假。',
        ),
        Text(
            en='A dictionary helps: `{"RoPE": "RoPE + YaRN", …}.get(own, own)` if it is longer.',
            zh='用字典很方便：更长时取`{"RoPE": "RoPE + YaRN", …}.get(own, own)`。',
        ),
    ),
)


STRETCHED = {"RoPE": "RoPE + YaRN", "learned": "learned + resize"}
ENCODINGS = ("learned", "RoPE", "ALiBi", "T5")


@exercise.truth
def five_rules(needs: dict[str, Any]) -> str:
    """Return the encoding that the five rules of the task give, in their order."""
    return _choice(needs, needs["length"] > needs["trained"], needs.get("checkpoint"))


def _choice(needs: dict[str, Any], longer: bool, own: str | None) -> str:
    if own:
        return STRETCHED.get(own, own) if longer else own
    if needs.get("images"):
        return "axial RoPE"
    if longer:
        return "ALiBi"
    return "learned" if needs.get("fixed_form") else "RoPE"


def _expect(answer: Function, **needs: Any) -> None:
    got, want = answer(needs), exercise.true_answer(needs)
    expect(
        got == want,
        f"for {needs} yours is {brief(got)}, expected {want!r}",
        f"对{needs}你的结果是{brief(got)}，应为{want!r}",
    )


def _lengths(rng: torch.Generator) -> tuple[int, int, int]:
    """Return a shorter length, the trained one, and a longer one."""
    return tuple(torch.randint(1, 3000, (3,), generator=rng).cumsum(0).tolist())


@exercise.check(en="a new model for text", zh="新的文本模型")
def text(answer: Function, rng: torch.Generator) -> None:
    shorter, trained, _ = _lengths(rng)
    _expect(answer, length=trained, trained=trained)
    _expect(answer, length=shorter, trained=trained, fixed_form=False, images=False)
    _expect(answer, length=trained, trained=trained, fixed_form=True, checkpoint=None)


@exercise.check(
    en="texts longer than in training, and streams", zh="比训练更长的文本，以及流", weight=2
)
def longer(answer: Function, rng: torch.Generator) -> None:
    _, trained, longer = _lengths(rng)
    _expect(answer, length=trained + 1, trained=trained)
    _expect(answer, length=math.inf, trained=trained, fixed_form=True)
    _expect(answer, length=longer, trained=trained, images=False)


@exercise.check(en="images", zh="图像")
def images(answer: Function, rng: torch.Generator) -> None:
    shorter, trained, longer = _lengths(rng)
    for length in (shorter, trained, longer):
        _expect(answer, length=length, trained=trained, images=True)
    _expect(answer, length=longer, trained=trained, images=True, fixed_form=True)


@exercise.check(en="a checkpoint keeps its encoding", zh="已有权重沿用其编码", weight=3)
def checkpoint(answer: Function, rng: torch.Generator) -> None:
    shorter, trained, longer = _lengths(rng)
    for own in ENCODINGS:
        _expect(answer, length=shorter, trained=trained, checkpoint=own)
        _expect(answer, length=trained, trained=trained, checkpoint=own, images=True)
    for own in sorted(ENCODINGS):
        _expect(answer, length=longer, trained=trained, checkpoint=own)
        _expect(answer, length=math.inf, trained=trained, checkpoint=own, fixed_form=True)


@exercise.misconception(
    en="You chose a better encoding for an existing checkpoint. Its weights are trained for their "
    "own; with another they are noise.",
    zh="你给已有的模型换了一种“更好”的编码。它是按自己的编码训练的；换一种就成了噪声。",
)
def swaps_the_checkpoint(needs: dict[str, Any]) -> str:
    return _choice(needs, needs["length"] > needs["trained"], None)


@exercise.misconception(
    en="A text of exactly the trained length is not longer: `>`, not `>=`.",
    zh="恰好等于训练长度的文本不算更长：是`>`，不是`>=`。",
)
def one_too_early(needs: dict[str, Any]) -> str:
    return _choice(needs, needs["length"] >= needs["trained"], needs.get("checkpoint"))


@exercise.misconception(
    en="You keep a checkpoint as it is, even where the text is longer. Plain RoPE fails there and "
    "a table ends.",
    zh="文本更长时，你也原样沿用已有的checkpoint。那里普通的RoPE会失败，表则走到了头。",
)
def never_stretched(needs: dict[str, Any]) -> str:
    own = needs.get("checkpoint")
    return own or _choice(needs, needs["length"] > needs["trained"], None)


@exercise.misconception(
    en="You stretch every checkpoint, also for texts that are no longer than in training. There "
    "its own encoding is the best.",
    zh="不管文本长短，你都扩展了checkpoint的编码。不比训练时更长时，它自己的编码最好。",
)
def always_stretched(needs: dict[str, Any]) -> str:
    own = needs.get("checkpoint")
    return STRETCHED.get(own, own) if own else five_rules(needs)


@exercise.misconception(
    en="You look at the images before the checkpoint. Weights that exist keep their encoding, "
    "whatever they read.",
    zh="你先看图像，后看已有的checkpoint。它不管读什么，都沿用自己的编码。",
)
def images_first(needs: dict[str, Any]) -> str:
    return "axial RoPE" if needs.get("images") else five_rules(needs)


@exercise.misconception(
    en="You look at the length before the images. Larger images keep their two axes.",
    zh="你先看长度，后看图像。图像再大，也要保留两个轴。",
)
def length_before_images(needs: dict[str, Any]) -> str:
    longer, own = needs["length"] > needs["trained"], needs.get("checkpoint")
    return "ALiBi" if longer and not own else _choice(needs, longer, own)


@exercise.misconception(
    en="You look at the length first. A checkpoint and images come before it.",
    zh="你最先看长度。已有的checkpoint和图像排在它前面。",
)
def length_first(needs: dict[str, Any]) -> str:
    longer = needs["length"] > needs["trained"]
    return "ALiBi" if longer else _choice(needs, longer, needs.get("checkpoint"))


@exercise.misconception(
    en="You look at the fixed form before the length. A table has no row beyond training, whatever "
    "its places mean.",
    zh="你先看固定表单，后看长度。位置再有含义，表在训练长度之外也没有行。",
)
def form_before_length(needs: dict[str, Any]) -> str:
    own, longer = needs.get("checkpoint"), needs["length"] > needs["trained"]
    shaped = needs.get("fixed_form") and not needs.get("images") and not own
    return "learned" if shaped else _choice(needs, longer, own)


@exercise.misconception(
    en="You ask whether a key is there. `images` or `fixed_form` may be there and false, "
    "`checkpoint` None: look at the value.",
    zh="你看的是键在不在。`images`、`fixed_form`可能在而值为假，`checkpoint`可能是None：要看值。",
)
def keys_for_values(needs: dict[str, Any]) -> str:
    flags = {key: True for key in ("images", "fixed_form") if key in needs}
    return five_rules(needs | flags)


@exercise.misconception(
    en="A checkpoint with another encoding falls through to the later rules when the text is "
    "longer. It keeps its own.",
    zh="文本更长时，别的编码的checkpoint漏到后面的规则里去了。它应沿用自己的编码。",
)
def others_fall_through(needs: dict[str, Any]) -> str:
    longer, own = needs["length"] > needs["trained"], needs.get("checkpoint")
    return _choice(needs, longer, own if not longer or own in STRETCHED else None)


@exercise.misconception(
    en="You gave up a learned table that is too short. The weights were trained with it: a "
    "checkpoint keeps its encoding, and its table is resized.",
    zh="可学习的表不够长，你就弃用了它。模型是和它一起训练的：已有的checkpoint沿用自己的编码，只把表插值放大。",
)
def table_given_up(needs: dict[str, Any]) -> str:
    result = five_rules(needs)
    return "ALiBi" if result == "learned + resize" else result


@exercise.misconception(
    en="For a new model only a stream counts as longer here. Longer is every text beyond the "
    "trained length, by a single token as well.",
    zh="对新模型，你只把流式文本算作更长。只要超过训练长度，哪怕只多一个词元，都算更长。",
)
def only_streams(needs: dict[str, Any]) -> str:
    longer = needs["length"] > needs["trained"]
    return _choice(
        needs,
        longer if needs.get("checkpoint") else needs["length"] == math.inf,
        needs.get("checkpoint"),
    )
