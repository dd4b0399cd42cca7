"""`Stage`: one figure of 1 to 4 panels that is drawn once, and then only where it moves.

Axes, ticks and labels cost most of a drawing. They are drawn once and kept as a background; a new
setting restores it, and draws only the artists that move. Figure and canvas are made directly,
never with pyplot: slider callbacks run in a thread of their own, where the inline backend would
close the figures of the running cell. One lock for each figure, for the same reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from math import ceil
from threading import Lock

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from posenc_viz.font import dress, readable
from posenc_viz.panel import Frame, Panel
from posenc_viz.style import LARGE, SMALL, letters, wrap

WIDTH, DPI = 900, 100  # pixels of a figure, and of an inch of it
NARROWEST = 300  # pixels of a panel: where they would be narrower they stand one below another
MOST = 4


class Stage:
    """Turns panels into PNG bytes. The same panels always give the same bytes."""

    def __init__(self, width: int = WIDTH, ratio: float = 1.0) -> None:
        """Start empty: the first `render` decides how the figure is laid out.

        width: of the figure on the page, in CSS pixels. ratio: how many pixels of the screen each
        of them is.
        """
        self._width, self._dpi = width, DPI * ratio
        self._lock = Lock()
        self._frame: Frame | None = None

    def render(self, panels: Sequence[Panel]) -> bytes:
        """Return a PNG of `panels`, side by side as far as there is room (four: two by two)."""
        with self._lock:
            frame = self._frames(panels)
            if frame != self._frame:
                self._frame = None  # should drawing fail, the next call draws from scratch
                self._draw(panels)
                self._frame = frame
            return self._paint(panels)

    def _draw(self, panels: Sequence[Panel]) -> None:
        rows, columns = self._grid(len(panels))
        width = max(self._width, *(panel.width for panel in panels))
        size = (width / DPI, rows * max(panel.height for panel in panels) / DPI)
        figure = Figure(figsize=size, dpi=self._dpi, layout="constrained", facecolor="white")
        figure.get_layout_engine().set(w_pad=0.1, h_pad=0.06)  # inches
        self._canvas = FigureCanvasAgg(figure)
        every = figure.subplots(rows, columns, squeeze=False).ravel()
        grid = every[: len(panels)]
        for spare in every[len(panels) :]:
            spare.remove()
        self._titles = [
            axes.set_title(self._title(panel, len(panels)), fontsize=LARGE)
            for axes, panel in zip(grid, panels, strict=True)
        ]
        self._artists = [panel.draw(axes) for axes, panel in zip(grid, panels, strict=True)]
        dress(figure, SMALL)
        for artist in self._moving():
            artist.set_animated(True)
        self._canvas.draw()
        figure.set_layout_engine("none")
        self._background = self._canvas.copy_from_bbox(figure.bbox)

    def _paint(self, panels: Sequence[Panel]) -> bytes:
        for panel, title, artists in zip(panels, self._titles, self._artists, strict=True):
            title.set_text(self._title(panel, len(panels)))
            panel.update(artists)
        self._canvas.restore_region(self._background)
        renderer = self._canvas.get_renderer()
        for artist in self._moving():
            artist.draw(renderer)
        return _png(self._canvas)

    def _moving(self) -> list[Artist]:
        return [*self._titles, *(artist for artists in self._artists for artist in artists)]

    def _frames(self, panels: Sequence[Panel]) -> Frame:
        lines = (self._title(panel, len(panels)).count("\n") for panel in panels)
        kinds = zip(lines, panels, strict=True)
        return tuple((type(panel), n, panel.frame()) for n, panel in kinds)

    def _title(self, panel: Panel, panels: int) -> str:
        """Return the title, each language on a line, broken to the width of its panel."""
        fitting = letters(0.9 * self._width / self._grid(panels)[1], DPI, LARGE)
        return wrap(readable(panel.title, separator="\n"), fitting)

    def _grid(self, panels: int) -> tuple[int, int]:
        if not 1 <= panels <= MOST:
            raise ValueError(f"a figure has 1 to {MOST} panels, got {panels}")
        columns = min(2 if panels == MOST else panels, max(1, self._width // NARROWEST))
        return ceil(panels / columns), columns


def _png(canvas: FigureCanvasAgg) -> bytes:
    """Encode fast (level 1), opaque, without metadata: equal pictures are equal bytes."""
    image = Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3])  # the figure is opaque
    file = BytesIO()
    image.save(file, format="PNG", compress_level=1)
    return file.getvalue()
