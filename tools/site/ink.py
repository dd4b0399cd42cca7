"""Colours, lines and texts as attributes of SVG.

Black in matplotlib becomes the colour of the text, white that of the paper. Numbers are whole, in
units of 1/`UNITS` pixel.
"""

from __future__ import annotations

from typing import Any

from matplotlib.backend_bases import GraphicsContextBase
from matplotlib.colors import to_hex

UNITS = 4  # per pixel
INK, PAPER = "currentColor", "var(--paper)"
THEMED = {"#000000": INK, "#ffffff": PAPER}


def themed(colour: Any) -> str:
    """Return a colour; black and white become the theme's own."""
    opaque = to_hex(colour)
    return THEMED.get(opaque, opaque)


def fill(rgba: Any) -> str:
    """Return the attributes of an area of this colour."""
    opacity = f' fill-opacity="{rgba[3]:.2g}"' if len(rgba) > 3 and rgba[3] < 1 else ""
    return f' fill="{themed(rgba[:3])}"{opacity}'


def stroke(gc: GraphicsContextBase, point: float) -> str:
    """Return the attributes of a line, "" for none; point: units per point."""
    rgba, width = gc.get_rgb(), point * gc.get_linewidth()
    if not width or not rgba[3]:
        return ""
    attributes = {
        "stroke": themed(rgba[:3]),
        "stroke-width": f"{width:.0f}",
        "stroke-opacity": f"{rgba[3]:.2g}" if rgba[3] < 1 else "",
        "stroke-dasharray": " ".join(f"{point * dash:.0f}" for dash in gc.get_dashes()[1] or ()),
    }
    return "".join(f' {name}="{value}"' for name, value in attributes.items() if value)


def dots(colour: Any, size: float) -> str:
    """Return the attributes of dots: the round ends of empty lines."""
    return f' stroke="{themed(colour)}" stroke-width="{size:.0f}" stroke-linecap="round"'
