"""`History`: works along the years, a band for each family, each work with its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.ticker import MultipleLocator

from posenc_viz.font import Label, readable
from posenc_viz.panel import Frame, Panel, freeze, set_labels
from posenc_viz.style import COLOURS, MARKERS, SMALL, columns

Work = tuple[float, str]  # a date in years, a name
Place = tuple[float, float, str]  # date, height in lanes from the top, name
LETTER = 0.12  # years that a letter takes in a figure of WIDE pixels
WIDE = 900
LANE = 25  # pixels


@dataclass(frozen=True, eq=False)
class History(Panel):
    """Works of each family at their dates, from the top: names that would touch go a lane lower.

    works: {family: [(date, name), …]}; a date is in years, 2021.5 for the middle of 2021.

    Example:
        >>> works = {"added": [(2017.4, "Transformer"), (2018.8, "BERT")]}
        >>> History(works, "year", "positions").places()
        [[(2017.4, 0.0, 'Transformer'), (2018.8, 1.0, 'BERT')]]
    """

    works: Mapping[Label, Sequence[Work]]
    x: Label
    title: Label

    def __post_init__(self) -> None:
        """Copy the works; ValueError when there is none, or more families than colours."""
        works = {family: tuple(sorted(row)) for family, row in self.works.items()}
        freeze(self, works=works)
        if not all(works.values()) or not 0 < len(works) <= len(COLOURS):
            raise ValueError(f"1 to {len(COLOURS)} families, none empty; got {len(works)}")

    @property
    def height(self) -> int:
        """Return the height of all lanes and of the axis."""
        return 90 + round(LANE * self._depth())

    @property
    def width(self) -> int:
        """Return the width at which no two names touch."""
        return WIDE

    def places(self) -> list[list[Place]]:
        """Return for each family (date, lane, name); lanes are counted from the panel's top."""
        bands, top = [], 0.0
        for row in self.works.values():
            ends: list[float] = []  # where the last name of each lane ends
            band = []
            for date, name in row:
                free = (lane for lane, end in enumerate(ends) if end < date)
                lane = next(free, len(ends))
                ends[lane : lane + 1] = [date + LETTER * (columns(name) + 3)]
                band.append((date, top + lane, name))
            bands.append(band)
            top += len(ends) + 0.5
        return bands

    def frame(self) -> Frame:
        """Return everything: nothing in this panel moves."""
        families = tuple(map(readable, self.works))
        return (readable(self.x), families, tuple(self.works.values()))

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw a mark and a name for each work, a rule between families."""
        bands = self.places()
        for number, band in enumerate(bands):
            looks = {"color": COLOURS[number], "marker": MARKERS[number], "linestyle": ""}
            axes.plot([date for date, _, _ in band], [lane for _, lane, _ in band], **looks)
            for date, lane, name in band:
                words = {"va": "center", "fontsize": SMALL, "textcoords": "offset points"}
                axes.annotate(name, (date, lane), (7, 0), **words)
        tops = [min(lane for _, lane, _ in band) for band in bands]
        for top in tops[1:]:
            axes.axhline(top - 0.75, color="#dddddd", linewidth=0.8)
        ends = [date + LETTER * (columns(name) + 2) for band in bands for date, _, name in band]
        dates = [date for band in bands for date, _, _ in band]
        axes.set(xlim=(int(min(dates)), max(ends)), ylim=(self._depth() - 0.3, -0.8))
        axes.set_yticks(tops, labels=map(readable, self.works))
        axes.tick_params(axis="y", length=0)
        axes.xaxis.set_major_locator(MultipleLocator(1))
        axes.grid(axis="x", alpha=0.3)
        set_labels(axes, self.x, "")
        return []

    def update(self, artists: Sequence[Artist]) -> None:
        """Do nothing: a different history has a different frame."""

    def _depth(self) -> float:
        return 1.0 + max(lane for band in self.places() for _, lane, _ in band)
