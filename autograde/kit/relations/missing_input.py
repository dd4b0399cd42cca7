"""A result that is an input itself, or the right one with an input left out or added."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from autograde.kit.relations.as_numbers import Numbers, Relation, numbers
from autograde.kit.relations.evidence import holds
from bilingual import Text

RESULT = Text(en="Your result is the right one {words}.", zh="与正确结果相比，你的结果{words}。")


def an_input(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with an input itself, and with the truth when an input is left out or added."""
    for name, value in pairs[0].inputs.items():
        if not isinstance(value, Tensor):
            continue

        def argument(pair: Numbers, name: str = name) -> Tensor:
            value = numbers(pair.inputs.get(name))
            return pair.want.new_empty(0) if value is None else value

        if holds(pairs, argument):
            return Text(
                en=f"Your result is the input `{name}`, unchanged.",
                zh=f"你的结果就是输入`{name}`，没有变。",
            )
        for sign, words in (
            (-1, Text(en="without `{x}`, which must be added", zh="少加了`{x}`")),
            (1, Text(en="with `{x}` added to it", zh="多加了`{x}`")),
        ):

            def image(pair: Numbers, sign: int = sign) -> Tensor | None:
                value = argument(pair)
                fits = value.numel() and _broadcasts(value, pair.want)
                return pair.want + sign * value if fits else None

            if holds(pairs, image):
                return RESULT.format(words=words.format(x=name))
    return None


def _broadcasts(value: Tensor, to: Tensor) -> bool:
    sides = zip(value.shape[::-1], to.shape[::-1], strict=False)
    return value.ndim <= to.ndim and all(a in (1, b) for a, b in sides)


RELATIONS: tuple[Relation, ...] = (an_input,)
