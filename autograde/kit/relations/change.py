"""What an answer may have done to its inputs: a change passes other inputs to the truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bilingual import Text

Inputs = dict[str, Any]


@dataclass(frozen=True)
class Change:
    """Other inputs, and the words for them: "Your result equals the right one …"."""

    name: str
    words: Text
    change: Callable[[Inputs], Inputs]
    rare: bool = False  # too rare to be tried beside a second mistake


def of_input(
    name: str, en: str, zh: str, function: Callable[[Any], Any], rare: bool = False
) -> Change:
    """Return the change of one input: "Your result equals the right one `en`."."""
    return Change(
        f"input_{name}",
        Text(en=en, zh=zh),
        lambda inputs: {**inputs, name: function(inputs[name])},
        rare,
    )
