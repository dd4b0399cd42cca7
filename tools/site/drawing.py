"""A figure as SVG, one picture for each panel: what stands still, and each thing that moves.

matplotlib lays a figure out as it does in a notebook. Then `Pen` writes what it draws, so a page
needs no knowledge of panels: to move a picture it replaces the things that differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from matplotlib.artist import Artist
from matplotlib.image import AxesImage
from matplotlib.text import Text as Words

from posenc_viz.font import readable
from posenc_viz.panel import Frame, Panel
from posenc_viz.scene import DPI, Scene, frame_of
from posenc_viz.style import one_line
from tools.site.cell_image import cell_image
from tools.site.ink import UNITS
from tools.site.lettering import ON_LINES
from tools.site.pen import Pen

WIDTH, ALONE = 900, 600  # pixels of a figure; of one panel, which a phone can show
HEIGHT = 380  # at least: clocks stand in two rows


@dataclass
class _Drawn:
    """A scene, its pen, each panel's view and still part, and what each artist drew last."""

    scene: Scene
    pen: Pen
    views: list[str]
    stills: list[str]
    last: dict[Artist, str]


class Drawing:
    """Turns the panels of a figure into SVG elements, again and again."""

    def __init__(self) -> None:
        """Start empty: figures are laid out when they are first drawn."""
        self._drawn: dict[Frame, _Drawn] = {}

    def marks(self, panels: Sequence[Panel]) -> list[list[str]]:
        """Return for each panel its view, what stands still, its title, and what moves.

        The title also holds its plain text, the accessible name of the picture on the page.
        """
        width = ALONE if len(panels) == 1 else WIDTH
        frame = frame_of(panels, width)
        if frame not in self._drawn:
            self._drawn[frame] = _lay_out(panels, width)
        here = self._drawn[frame]
        here.scene.update(panels)
        moving = [[_mark(here, artist) for artist in row] for row in here.scene.moving]
        every = zip(panels, here.views, here.stills, moving, strict=True)
        return [
            [view, still, f"{title}<desc>{escape(one_line(readable(panel.title)))}</desc>", *rest]
            for panel, view, still, (title, *rest) in every
        ]


def _lay_out(panels: Sequence[Panel], width: int) -> _Drawn:
    scene = Scene(panels, width, height=HEIGHT)
    scene.lay_out()
    for words in scene.figure.findobj(Words):
        if words.get_path_effects():  # these would draw letters as outlines
            words.set_path_effects([])
            words.set_gid(ON_LINES)
    width, height = scene.figure.bbox.size
    pen = Pen(width, height, DPI)
    views = _views(scene)
    stills = []
    for axes in scene.axes:
        axes.patch.set_visible(False)
        axes.draw(pen)
        stills.append(pen.take())
    return _Drawn(scene, pen, views, stills, {})


def _mark(here: _Drawn, artist: Artist) -> str:
    """Return what an artist draws; if it has not changed, return what it drew last."""
    if artist.stale or artist not in here.last:
        if isinstance(artist, AxesImage):
            here.last[artist] = cell_image(artist)
        else:
            artist.draw(here.pen)
            here.last[artist] = here.pen.take()
    return here.last[artist]


def _views(scene: Scene) -> list[str]:
    """Return each panel's part of the figure as "x y width height"; together they cover it."""
    renderer = scene.canvas.get_renderer()
    width, height = scene.figure.bbox.size
    if len(scene.axes) == 1:
        return [f"0 0 {width * UNITS:.0f} {height * UNITS:.0f}"]
    boxes = np.array([axes.get_tightbbox(renderer).extents for axes in scene.axes])
    rows, columns = np.divmod(np.arange(len(boxes)), scene.columns)
    across = _cuts(boxes[:, 0], boxes[:, 2], columns, width)
    up = _cuts(height - boxes[:, 3], height - boxes[:, 1], rows, height)
    views = []
    for row, column in zip(rows, columns, strict=True):
        (left, right), (top, bottom) = across[column : column + 2], up[row : row + 2]
        numbers = np.round(np.array([left, top, right - left, bottom - top]) * UNITS)
        views.append(" ".join(f"{number:.0f}" for number in numbers))
    return views


def _cuts(begins: np.ndarray, ends: np.ndarray, tracks: np.ndarray, size: float) -> list[float]:
    """Return where to cut between neighbours: half-way between the end of one and the next."""
    cuts = [0.0]
    for track in range(1, tracks.max() + 1):
        cuts.append((ends[tracks == track - 1].max() + begins[tracks == track].min()) / 2)
    return [*cuts, size]
