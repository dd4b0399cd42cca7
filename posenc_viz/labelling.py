"""The labels of a figure, for the tables in `posenc_viz.labels`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from bilingual import Text
from posenc_viz.control import Try
from posenc_viz.font import Label

HYPHEN = re.compile(r"(?<![A-Za-z0-9-])-(?=\d)")  # of a negative number, not of GPT-2


def panel(**labels: Label) -> Callable[..., dict[str, Label]]:
    """Return a function that fills the `{fields}` of the labels of a panel.

    labels: `x`, `y`, `title`, … as the panel calls them. The function takes a value for each field,
    a `Text` if the languages differ, and returns keyword arguments for the panel.

    Example:
        >>> score = panel(x="distance", title=Text(en="at {at:.1f}", zh="在{at:.1f}处"))
        >>> score(at=-2)["title"].en
        'at −2.0'
    """

    def filled(**values: Any) -> dict[str, Label]:
        return {name: fill(label, **values) for name, label in labels.items()}

    return filled


def fill(label: Label, **values: Any) -> Label:
    """Return a label with its fields filled; negative numbers get a true minus sign."""
    text = label if isinstance(label, Text) else Text(en=label, zh=label)
    filled = text.format(**values)
    return Text(en=HYPHEN.sub("−", filled.en), zh=HYPHEN.sub("−", filled.zh))


def controls(*, tries: Sequence[Try] = (), **names: Label) -> dict[str, Any]:
    """Return keyword arguments for `explore`: a name for each control, and the tries.

    Example:
        >>> controls(dim=Text(en="dimension d", zh="维度d"))["labels"]["dim"].en
        'dimension d'
    """
    return {"labels": names, "tries": tries}
