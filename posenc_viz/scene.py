"""`Scene`: a matplotlib figure of 1 to 4 panels, and the artists in it that move.

Figure and canvas are made without pyplot: slider callbacks run in a separate thread, where the
inline backend would close the figures of the running cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from posenc_viz.font import dress, readable
from posenc_viz.panel import Frame, Panel
from posenc_viz.style import LARGE, SMALL, letters, wrap

DPI = 100  # pixels per inch of a figure
NARROWEST = 300  # pixels of a panel: narrower panels would be stacked instead
MOST = 4


class Scene:
    """Panels side by side as far as there is room (four: two by two), drawn into a figure.

    axes: one for each panel. columns: how many panels are side by side. moving: for each panel its
    title and the artists that its `update` moves, in drawing order; they are animated, so drawing
    the figure leaves them out.
    """

    def __init__(
        self, panels: Sequence[Panel], width: int, dpi: float = DPI, height: int = 0
    ) -> None:
        """Make the figure of `panels`; width, height (of a row, at least): pixels at 100 dpi."""
        self._width = width
        rows, self.columns = grid(len(panels), width)
        wide = max(width, *(panel.width for panel in panels))
        size = (wide / DPI, rows * max(height, *(panel.height for panel in panels)) / DPI)
        self.figure = Figure(figsize=size, dpi=dpi, layout="constrained", facecolor="white")
        self.figure.get_layout_engine().set(w_pad=0.1, h_pad=0.06)  # inches
        self.canvas = FigureCanvasAgg(self.figure)
        every = self.figure.subplots(rows, self.columns, squeeze=False).ravel()
        self.axes = every[: len(panels)]
        for spare in every[len(panels) :]:
            spare.remove()
        self._titles = [
            axes.set_title(title(panel, len(panels), width), fontsize=LARGE)
            for axes, panel in zip(self.axes, panels, strict=True)
        ]
        self._artists = [panel.draw(axes) for axes, panel in zip(self.axes, panels, strict=True)]
        dress(self.figure, SMALL)
        titles_artists = zip(self._titles, self._artists, strict=True)
        self.moving: list[list[Artist]] = [[first, *rest] for first, rest in titles_artists]
        for artists in self.moving:
            for artist in artists:
                artist.set_animated(True)

    def draw(self) -> None:
        """Lay the figure out and draw what stands still on its canvas."""
        self.canvas.draw()
        self.figure.set_layout_engine("none")

    def lay_out(self) -> None:
        """Lay the figure out for a renderer other than that of its canvas."""
        self.figure.draw_without_rendering()
        self.figure.set_layout_engine("none")

    def update(self, panels: Sequence[Panel]) -> None:
        """Move the artists to show `panels`, which must have the `frame_of` of the first ones."""
        for panel, heading, artists in zip(panels, self._titles, self._artists, strict=True):
            heading.set_text(title(panel, len(panels), self._width))
            panel.update(artists)


def frame_of(panels: Sequence[Panel], width: int) -> Frame:
    """Return all that stands still in a scene of `panels`."""
    lines = (title(panel, len(panels), width).count("\n") for panel in panels)
    kinds = zip(lines, panels, strict=True)
    return tuple((type(panel), n, panel.frame()) for n, panel in kinds)


def title(panel: Panel, panels: int, width: int) -> str:
    """Return the title, each language on a line, broken to the width of its panel."""
    fitting = letters(0.9 * width / grid(panels, width)[1], DPI, LARGE)
    return wrap(readable(panel.title, separator="\n"), fitting)


def grid(panels: int, width: int) -> tuple[int, int]:
    """Return rows and columns; ValueError unless there are 1 to 4 panels."""
    if not 1 <= panels <= MOST:
        raise ValueError(f"a figure has 1 to {MOST} panels, got {panels}")
    columns = min(2 if panels == MOST else panels, max(1, width // NARROWEST))
    return ceil(panels / columns), columns
