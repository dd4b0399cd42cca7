"""Tables of colours, such as heat maps: one letter for each cell, painted on a canvas by the page.

The mark of a table is "@left top width height columns palette letters". The letters go row by row;
each stands for one of `LEVELS` colours of the palette, or for a cell that is left white.
"""

from __future__ import annotations

from functools import cache

import matplotlib
import numpy as np
from matplotlib.colors import to_hex
from matplotlib.image import AxesImage
from PIL import Image, ImageColor

from tools.site.elements import image_element
from tools.site.ink import UNITS

LEVELS = 64
FIRST = ord("0")
BLANK = "~"


def cell_image(image: AxesImage) -> str:
    """Return the mark of an image."""
    left, right, bottom, top = image.get_extent()
    (x0, y0), (x1, y1) = image.axes.transData.transform([(left, top), (right, bottom)])
    box = (x0, image.figure.bbox.height - y0, x1 - x0, y0 - y1)
    shares = np.ma.filled(image.norm(np.ma.masked_invalid(image.get_array())), np.nan)
    letters = "".join(map(_letter, shares.ravel().tolist()))
    numbers = " ".join(f"{each * UNITS:.0f}" for each in box)
    return f"@{numbers} {shares.shape[1]} {image.cmap.name} {letters}"


@cache
def palette(name: str) -> list[str]:
    """Return the colours of a matplotlib colour map."""
    return [to_hex(matplotlib.colormaps[name](n / (LEVELS - 1))) for n in range(LEVELS)]


def as_element(mark: str) -> str:
    """Return the mark of a table as an SVG image; any other mark as it is."""
    if not mark.startswith("@"):
        return mark
    left, top, width, height, columns, name, letters = mark[1:].split(" ")
    colours = dict(zip(map(chr, range(FIRST, FIRST + LEVELS)), palette(name), strict=True))
    pixels = [ImageColor.getrgb(colours.get(letter, "#ffffff")) for letter in letters]
    image = Image.new("RGB", (int(columns), len(letters) // int(columns)))
    image.putdata(pixels)
    return image_element([float(each) for each in (left, top, width, height)], image)


def _letter(share: float) -> str:
    if np.isnan(share):
        return BLANK
    return chr(FIRST + round(min(max(share, 0.0), 1.0) * (LEVELS - 1)))
