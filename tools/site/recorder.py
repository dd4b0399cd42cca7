"""Stands in for `explore`, `picture` and `watch` while a notebook runs: the same `show`, sampled.

It is installed by the first cell of the notebook, before the chapter imports the names.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from IPython.display import display
from markupsafe import Markup

import posenc_viz
from posenc_viz import Range
from posenc_viz.control import Try
from posenc_viz.explorer import Explorer, Settings, Show, listed
from posenc_viz.font import Label
from posenc_viz.panel import Panel
from tools.site.drawing import Drawing
from tools.site.figure import live_figure, still_figure
from tools.site.frames import Frames
from tools.site.grid import grid, settings

Values = tuple[tuple[str, Any], ...]  # the items of a setting
Panels = tuple[Panel, ...]


class Sampled(Explorer):
    """An explorer without a PNG: pages have its pictures as SVG."""

    def _draw(self, panels: Sequence[Panel]) -> bytes:
        return b""


class Recorder:
    """Writes the figures of the pages of a chapter; each page knows its folder as `address`."""

    def __init__(self, address: str, stops: int) -> None:
        """Start with the first figure of every page; stops: see `grid`.

        With one stop, to test that pages work, a figure follows its first slider, or its first
        control if it has no slider; the others move nothing.
        """
        self.address, self.stops = address, stops
        self.counts: Counter[Path] = Counter()
        self._last = ""
        self._panels: dict[Values, Panels] = {}

    def record(self, folder: Path) -> None:
        """Write the next figures to `folder`, numbered on from its last."""
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)

    def install(self) -> None:
        """Take the place of `explore`, `picture` and `watch` in `posenc_viz`."""
        posenc_viz.explore, posenc_viz.picture = self.explore, self.picture
        posenc_viz.watch = self.watch

    def explore(
        self,
        show: Show,
        *,
        labels: Mapping[str, Label] | None = None,
        tries: Sequence[Try] = (),
        **controls: Any,
    ) -> None:
        """Show the figure with all its frames; every setting of the grid is drawn once."""
        explorer = Sampled(show, labels=labels, tries=tries, **controls)
        axes = grid(explorer, self.stops)
        drawing, frames, name = Drawing(), Frames(), self._next()
        every = [tuple(self._followed(explorer, each).items()) for each in settings(axes)]
        panels = self._computed(name, show, every)
        marks = {setting: drawing.marks(each) for setting, each in panels.items()}
        for setting in every:
            frames.add(marks[setting])
        address = f"{self.address}/{name}.js"
        (self.folder / f"{name}.js").write_text(frames.script(address), encoding="utf-8")
        self._display(live_figure(address, drawing.marks(explorer.panels), explorer, axes))

    def picture(self, *panels: Panel) -> None:
        """Show a still figure."""
        listed_panels = listed(panels)
        self._display(still_figure(Drawing().marks(listed_panels), listed_panels))

    def watch(self, pictures: Iterable[Panel | Sequence[Panel]]) -> None:
        """Show the last of the pictures, as a still figure."""
        for last in deque(map(listed, pictures), maxlen=1):
            self.picture(*last)

    def _followed(self, explorer: Explorer, setting: Settings) -> Settings:
        """Return a setting with the controls that the figure does not follow at their start."""
        if self.stops > 1:
            return setting
        sliders = [name for name, each in explorer.controls.items() if isinstance(each, Range)]
        first = [*sliders, *explorer.controls][:1]
        return explorer.start | {name: setting[name] for name in first}

    def _computed(self, name: str, show: Show, every: list[Values]) -> dict[Values, Panels]:
        """Return the panels of all settings.

        Panels hold both languages, so they are kept for the same figure in the other language.
        """
        if name != self._last:
            self._last = name
            self._panels = {each: listed(show(**dict(each))) for each in dict.fromkeys(every)}
        return self._panels

    def _next(self) -> str:
        self.counts[self.folder] += 1
        return f"{self.counts[self.folder]:02}"

    def _display(self, figure: Markup) -> None:
        display({"text/html": str(figure), "text/plain": ""}, raw=True)
