"""Results of the experiments that are shipped with the course, ready to be drawn.

The files in `measured/` are copies from experiments/results/ for chapters to draw: a chapter finds
them wherever it runs, from the source or an installed wheel, alone or when graded.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any


def stored(name: str) -> dict[str, Any]:
    """Return the stored results of the experiment `name`.

    Example:
        >>> stored("extrapolation")["settings"]["length"]
        128
    """
    path = resources.files("posenc_viz") / "measured" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))
