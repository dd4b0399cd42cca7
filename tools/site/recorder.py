"""Stands in for `explore` and `picture` while a notebook runs: the same `show`, sampled.

It is installed by the first cell of the notebook, before the chapter imports the two names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from IPython.display import display
from markupsafe import Markup

import posenc_viz
from posenc_viz.control import Try
from posenc_viz.explorer import Explorer, Show, listed
from posenc_viz.font import Label
from posenc_viz.panel import Panel
from posenc_viz.stage import Stage
from tools.site.figure import live_figure, still_figure
from tools.site.grid import grid, settings
from tools.site.strips import image, write_still, write_strips


class Recorder:
    """Writes the figures of the pages of a chapter; each page knows its folder as `address`."""

    def __init__(self, address: str, frames: int) -> None:
        """Start with the first figure of every page; frames: the most of each figure."""
        self.address, self.frames = address, frames
        self.counts: Counter[Path] = Counter()

    def record(self, folder: Path) -> None:
        """Write the next figures to `folder`, after those that it has."""
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)

    def install(self) -> None:
        """Take the place of `explore` and `picture` in `posenc_viz`."""
        posenc_viz.explore, posenc_viz.picture = self.explore, self.picture

    def explore(
        self,
        show: Show,
        *,
        labels: Mapping[str, Label] | None = None,
        tries: Sequence[Try] = (),
        live: bool = True,
        **controls: Any,
    ) -> None:
        """Show the figure with all its frames; every setting of the grid is drawn once."""
        explorer = Explorer(show, labels=labels, tries=tries, **controls)
        axes = grid(explorer, self.frames)
        frames = []
        for setting in settings(axes):
            explorer.set(**setting)
            frames.append(image(explorer.png))
        explorer.set(**explorer.start)
        name = self._next()
        write_strips(frames, self.folder, name)
        write_still(image(explorer.png), self.folder / f"{name}.webp")
        self._display(live_figure(f"{self.address}/{name}.webp", frames[0].size, explorer, axes))

    def picture(self, *panels: Panel) -> None:
        """Show a still figure."""
        listed_panels = listed(panels)
        drawn, name = image(Stage().render(listed_panels)), self._next()
        write_still(drawn, self.folder / f"{name}.webp")
        self._display(still_figure(f"{self.address}/{name}.webp", drawn.size, listed_panels))

    def _next(self) -> str:
        self.counts[self.folder] += 1
        return f"{self.counts[self.folder]:02}"

    def _display(self, figure: Markup) -> None:
        display({"text/html": str(figure), "text/plain": ""}, raw=True)
