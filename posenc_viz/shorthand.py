"""The short forms of controls.

| given to `explore`               | control                                        |
|----------------------------------|------------------------------------------------|
| `(0, 50)` or `(0, 50, 5)`        | slider over whole numbers (lo, hi, step)       |
| `(0.0, 1.0)`, `(0.0, 1.0, 0.1)`  | slider over floats; step: 1/100 of the range   |
| `(0, 50, 5, 20)`                 | the same, starting at 20 instead of lo         |
| `["a", "b"]`, `{label: option}`  | buttons, or a menu when they would not fit     |
| `True`, `False`                  | a box to tick                                  |

A permutation is a list of options (tuples), or a whole-number slider that indexes or rotates.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from posenc_viz.control import Choice, Control, Switch
from posenc_viz.slider import Range


def control(form: Any) -> Control:
    """Return the control that `form` stands for (see the table above); TypeError if none."""
    match form:
        case Range() | Choice() | Switch():
            return form
        case bool():
            return Switch(form)
        case tuple() if 2 <= len(form) <= 4:
            lo, hi, step, start = (*form, None, None)[:4]
            return Range(lo, hi, step, start)
        case list() | Mapping():
            return Choice(form)
    raise TypeError(f"no control for {form!r}: give (lo, hi), a list of options, or a bool")
