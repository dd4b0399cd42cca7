"""The plain inputs of a call as text, so that a learner can repeat the call."""

from __future__ import annotations

import re
from typing import Any

from autograde.kit.answer import Call
from autograde.kit.exercise import Exercise
from autograde.kit.expect import excerpt
from bilingual import Text

PLAIN_TYPES = (bool, int, float, str, type(None))
LONGEST = 160  # characters of one input
DEEPEST = 4  # levels of nested lists


def parameters(exercise: Exercise) -> list[str]:
    """Return the names of the parameters of an exercise's function."""
    inside = exercise.signature.partition("(")[2].partition(") ->")[0]
    return [part.partition("=")[0].strip() for part in inside.split(",") if part]


def inputs(exercise: Exercise, call: Call) -> dict[str, Any]:
    """Return the inputs of a call, by name."""
    return {**dict(zip(parameters(exercise), call.args, strict=False)), **call.kwargs}


def with_inputs(reason: Text, exercise: Exercise, call: Call) -> Text:
    """Return a reason with the call's plain inputs added, unless it names an input already."""
    words = {name: in_python(value) for name, value in inputs(exercise, call).items()}
    plain = ", ".join(f"{name} = {word}" for name, word in words.items() if word)
    if not plain or any(re.search(rf"\b{name} = ", reason.en) for name in words):
        return reason
    return Text(en=f"{reason.en} ({plain})", zh=f"{reason.zh}（{plain}）")


def in_python(value: Any) -> str:
    """Return a plain value as Python writes it; "" for a tensor or a long value."""
    text = excerpt(value) if _is_plain(value, DEEPEST) else ""
    return text if len(text) <= LONGEST and "..." not in text else ""


def _is_plain(value: Any, depth: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value
    if isinstance(value, list | tuple | dict):
        return depth > 0 and all(_is_plain(item, depth - 1) for item in inner)
    return isinstance(value, PLAIN_TYPES)
