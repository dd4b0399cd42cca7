"""`Letterer`: the half of the pen that writes text; the browser draws the letters.

A line is as wide as matplotlib laid it out, whichever font the browser has. A formula is written
glyph by glyph, each where matplotlib put it.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import Any

import numpy as np
from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.colors import to_hex
from matplotlib.font_manager import FontProperties, ttfFontProperty
from matplotlib.text import Text as Words
from matplotlib.textpath import text_to_path

from posenc_viz.style import ON_COLOUR
from tools.site.ink import INK, UNITS, themed

PARTS = {"left": 0.0, "center": 0.5, "right": 1.0}  # of a line's width, left of its anchor
ANCHORS = {"left": "", "center": ' text-anchor="middle"', "right": ' text-anchor="end"'}
ON_LINES = "on-lines"  # the gid of a text that stays legible on lines
HALO = {False: "", True: ' class="halo"'}


class Letterer(RendererBase):
    """Collects SVG elements and writes the texts among them; `take` returns them.

    A text with the gid `ON_COLOUR` keeps its colour in every theme, as its background does.
    """

    def __init__(self, width: float, height: float, dpi: float) -> None:
        """Draw on a canvas of this size in pixels."""
        super().__init__()
        self.width, self.height, self.dpi = width, height, dpi
        self._marks: list[str] = []
        self._gid: str | None = None

    def take(self) -> str:
        """Return the elements since the last call."""
        marks, self._marks = "".join(self._marks), []
        return marks

    def open_group(self, s: str, gid: str | None = None) -> None:
        """Note the gid of the artist that draws next."""
        self._gid = gid

    def draw_text(
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: FontProperties,
        angle: float,
        ismath: Any = False,
        mtext: Words | None = None,
    ) -> None:
        """Write a line of text, or a formula glyph by glyph; (x, y): where its baseline begins."""
        size = round(self.points_to_pixels(prop.get_size_in_points()) * UNITS)
        anchor = mtext.get_horizontalalignment() if mtext else "center"  # of several lines: centred
        part = 0.0 if ismath else PARTS[anchor]
        width = self.get_text_width_height_descent(s, prop, ismath)[0]
        along = part * width
        turn = np.deg2rad(angle)
        left = round((x + along * np.cos(turn)) * UNITS)
        top = round((y - along * np.sin(turn)) * UNITS)
        colour = (to_hex if self._gid == ON_COLOUR else themed)(gc.get_rgb())
        style = "" if colour == INK else f' fill="{colour}"'
        turned = f'transform="translate({left} {top})' + (f'rotate({-angle:g})"' if angle else '"')
        if ismath:
            self._marks.append(f"<g {turned}{style}>{formula(s, prop, size)}</g>")
            return
        position = turned if angle else f'x="{left}" y="{top}"'
        style += f' font-size="{size}"' + ANCHORS[anchor] + HALO[self._gid == ON_LINES]
        if len(s) > 1:
            style += f' textLength="{width * UNITS:.0f}" lengthAdjust="spacingAndGlyphs"'
        self._marks.append(f"<text {position}{style}>{escape(s, quote=False)}</text>")

    def points_to_pixels(self, points: float) -> float:
        """Return how many pixels `points` are."""
        return points * self.dpi / 72

    def get_canvas_width_height(self) -> tuple[float, float]:
        """Return the size in pixels."""
        return self.width, self.height


@lru_cache(maxsize=256)
def formula(tex: str, prop: FontProperties, size: int) -> str:
    """Return `$…$` with its glyphs and rules placed, as matplotlib sets it; size: in our units."""
    *_, glyphs, rules = text_to_path.mathtext_parser.parse(tex, 72, prop)
    scale = size / prop.get_size_in_points()
    spans = []
    for font, points, code, *_, x, y in glyphs:
        slant = ' font-style="italic"' if ttfFontProperty(font).style != "normal" else ""
        at = f'x="{x * scale:.0f}" y="{-y * scale:.0f}" font-size="{points * scale:.0f}"'
        spans.append(f"<tspan {at}{slant}>{escape(chr(code))}</tspan>")
    bars = [
        f"M{x * scale:.0f} {-y * scale:.0f}h{w * scale:.0f}v{-h * scale:.0f}h{-w * scale:.0f}z"
        for x, y, w, h in rules
    ]
    return f"<text>{''.join(spans)}</text>" + (f'<path d="{"".join(bars)}"/>' if bars else "")
