"""The short forms of controls.

| given to `explore`               | control                                        |
|----------------------------------|------------------------------------------------|
| `(0, 50)` or `(0, 50, 5)`        | slider over whole numbers (lo, hi, step)       |
| `(0.0, 1.0)`, `(0.0, 1.0, 0.1)`  | slider over floats; step: 1/100 of the range   |
| `(0, 50, 5, 20)`                 | the same, starting at 20 instead of lo         |
| `["a", "b"]`, `{label: option}`  | buttons, or a menu when they would not fit     |
| `True`, `False`                  | a box to tick                                  |

A control starts at the default of its argument, if it has one: `def show(k=20)`.

A permutation is a list of options (tuples), or a whole-number slider that indexes or rotates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from posenc_viz.control import Choice, Control, Switch
from posenc_viz.slider import Range


def control(form: Any, start: Any = None) -> Control:
    """Return the control that `form` stands for (see the table above); TypeError if none.

    start: where it starts, unless `form` sets that itself.
    """
    match form:
        case Range() | Choice() if form.value is None:
            return replace(form, value=start)
        case Range() | Choice() | Switch():
            return form
        case bool():
            return Switch(form)
        case tuple() if 2 <= len(form) <= 4:
            lo, hi, step, at = (*form, None, None)[:4]
            return Range(lo, hi, step, start if at is None else at)
        case list() | Mapping():
            return Choice(form, start)
    raise TypeError(f"no control for {form!r}: give (lo, hi), a list of options, or a bool")
