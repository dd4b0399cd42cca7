"""What the experiments measured, as it travels with the course, ready to be drawn.

The files in `measured/` are those of experiments/results/ that chapters draw: a chapter finds them
wherever it runs, beside the source or from an installed wheel, alone or being graded.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any


def stored(name: str) -> dict[str, Any]:
    """Return what the experiment of that name stored.

    Example:
        >>> stored("extrapolation")["settings"]["length"]
        128
    """
    path = resources.files("posenc_viz") / "measured" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))
