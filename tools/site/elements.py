"""Paths and pictures as SVG, in whole numbers."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from io import BytesIO

import numpy as np
from matplotlib.path import Path
from PIL import Image

LETTERS = {Path.MOVETO: "m", Path.LINETO: "l", Path.CURVE3: "q", Path.CURVE4: "c"}


def image_element(box: Sequence[float], image: Image.Image) -> str:
    """Return a picture of at most 256 colours; box: left, top, width, height in our units."""
    file = BytesIO()
    image.quantize(256).save(file, "PNG", optimize=True)
    data = base64.b64encode(file.getvalue()).decode()
    x, y, width, height = (f"{each:.0f}" for each in box)
    where = f'x="{x}" y="{y}" width="{width}" height="{height}" preserveAspectRatio="none"'
    return f'<image {where} href="data:image/png;base64,{data}"/>'


def is_dot(marker: Path) -> bool:
    """Return whether a marker is a circle."""
    return marker.codes is not None and bool((marker.codes == Path.CURVE4).any())


def path_data(vertices: np.ndarray, codes: np.ndarray) -> str:
    """Return a path in whole numbers, each point but the first relative to the one before."""
    points, kinds = np.round(vertices).astype(int).tolist(), codes.tolist()
    words: list[str] = []
    x, y, n = 0, 0, 0
    begin = (0, 0)
    while n < len(kinds) and (kind := kinds[n]) != Path.STOP:
        if kind == Path.CLOSEPOLY:
            words.append("z")
            (x, y), n = begin, n + 1
            continue
        count = int(Path.NUM_VERTICES_FOR_CODE[kind])
        steps = " ".join(f"{a - x} {b - y}" for a, b in points[n : n + count])
        (x, y), n = points[n + count - 1], n + count
        if kind == Path.MOVETO:
            begin = (x, y)
        letter = LETTERS[kind] if words else "M"  # a path may follow another
        words.append(letter + steps.replace(" -", "-"))
    return "".join(words)
