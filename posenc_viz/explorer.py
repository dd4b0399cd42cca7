"""`picture`: a still figure. `Explorer`: a function from settings to panels, and its picture.

An `Explorer` needs no browser and no widget: `explore` puts it behind sliders, a test calls `set`.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import signature
from time import perf_counter
from typing import Any

from IPython.display import display

from bilingual import Text, page_languages
from posenc_viz.control import Try
from posenc_viz.font import Label, readable
from posenc_viz.panel import Panel
from posenc_viz.shorthand import control
from posenc_viz.stage import Stage
from posenc_viz.style import one_line

Show = Callable[..., Panel | Sequence[Panel]]
Settings = dict[str, Any]


class Explorer:
    """Draws `show(**settings)`; settings start at the controls' values, or the defaults of `show`.

    show: returns a panel, or up to four in a tuple or list. controls: one for each argument of
    `show` (see `posenc_viz.shorthand`). labels: what a reader calls each argument. tries: settings
    offered as buttons; ValueError for one that the controls do not reach.
    After each `set`, `panels` is what `show` returned, `png` their picture, and `seconds` the time
    that `show` took, whether it raised or not.

    Example:
        >>> def show(k):
        ...     return Bars([k, 2 * k], "ab", "x", "y", "title")
        >>> explorer = Explorer(show, k=(1, 5), tries=[Try(en="large", zh="大", k=5)])
        >>> explorer.set(k=3)
        >>> explorer.panels[0].values.tolist(), explorer.tries[0][1]
        ([3.0, 6.0], {'k': 5})
    """

    def __init__(
        self,
        show: Show,
        *,
        labels: Mapping[str, Label] | None = None,
        tries: Sequence[Try] = (),
        **controls: Any,
    ) -> None:
        """Draw the initial picture; an exception in `show` is raised."""
        self.show = show
        starts = _defaults(show)
        self.controls = {name: control(form, starts.get(name)) for name, form in controls.items()}
        self._labels = dict(labels or {})
        if unknown := self._labels.keys() - self.controls.keys():
            raise ValueError(f"labels for no control: {sorted(unknown)}")
        self.tries = tuple((each.words, each.among(self.controls)) for each in tries)
        self._stage = Stage()
        self.values = self.start
        self.set()

    @property
    def start(self) -> Settings:
        """The initial settings of all controls."""
        return {name: control.start for name, control in self.controls.items()}

    def set(self, **values: Any) -> None:
        """Change some settings and draw; if `show` raises, so does this, and the picture stays."""
        if unknown := values.keys() - self.controls.keys():
            raise ValueError(f"no control named {sorted(unknown)}")
        self.values = {**self.values, **values}
        began = perf_counter()
        try:
            panels = listed(self.show(**self.values))
        finally:
            self.seconds = perf_counter() - began
        self.png = self._draw(panels)
        self.panels = panels

    def fit(self, width: int, ratio: float) -> None:
        """Redraw for a page; width: in CSS pixels, ratio: screen pixels per CSS pixel."""
        self._stage = Stage(width, ratio)
        self.png = self._draw(self.panels)

    def _draw(self, panels: Sequence[Panel]) -> bytes:
        return self._stage.render(panels)

    def ends(self) -> Iterator[Settings]:
        """Yield the settings to test: each control at its ends, the others at their start.

        For a choice every option counts as an end. Then come all first ends together, all last ends
        together, and the settings of the tries.
        """
        ends = {name: control.ends for name, control in self.controls.items()}
        yield from ({**self.start, name: end} for name in ends for end in ends[name])
        yield {name: each[0] for name, each in ends.items()}
        yield {name: each[-1] for name, each in ends.items()}
        yield from (settings for _, settings in self.tries)

    def label(self, name: str) -> str:
        """Return what the reader calls a control, in the present language."""
        return readable(self._labels.get(name) or name)


def _defaults(show: Show) -> Settings:
    arguments = signature(show).parameters.values()
    return {each.name: each.default for each in arguments if each.default is not each.empty}


def listed(result: Panel | Sequence[Panel]) -> tuple[Panel, ...]:
    """Return one panel or several as a tuple; TypeError if `result` is anything else."""
    panels = (result,) if isinstance(result, Panel) else result
    if not isinstance(panels, (tuple, list)) or not all(isinstance(p, Panel) for p in panels):
        raise TypeError(f"show must return a panel, or a tuple of panels; got {result!r}")
    return tuple(panels)


def in_page(text: Text | str) -> str:
    """Return a text in the languages of the notebook: both, or an edition's own."""
    if not isinstance(text, Text):
        return text
    return " · ".join(text.in_language(one) for one in page_languages())


def picture(*panels: Panel) -> None:
    """Show 1 to 4 panels side by side (four: two by two): one PNG output, without a slider."""
    drawn_panels = listed(panels)
    display(bundle(Stage().render(drawn_panels), drawn_panels), raw=True)


def bundle(png: bytes, panels: Sequence[Panel]) -> dict[str, str]:
    """Return the output: the picture, and its titles as plain text.

    The plain text does not depend on the language that the reader chose.
    """
    titles = "; ".join(one_line(in_page(panel.title)) for panel in panels)
    return {"image/png": b64encode(png).decode("ascii"), "text/plain": f"<picture: {titles}>"}
