"""`explore`: a picture with sliders.

The picture is one PNG output, replaced in place: it is also what a reader without a kernel sees.
The controls are a second output under it, with a sentence for pages where no widget can live.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import ipywidgets as widgets
from IPython.display import DisplayHandle, display

from bilingual import Text
from posenc_viz.explorer import Explorer, Show
from posenc_viz.font import Label
from posenc_viz.still import bundle
from posenc_viz.style import columns

RUN_ME = Text(en="run this cell for the sliders", zh="运行本单元格即可使用滑块")
RESET = Text(en="Reset", zh="重置")
FAILED = Text(
    en="This setting raised an error; the picture is still the last good one.",
    zh="这组设置出错了，图仍是上一次成功的结果。",
)
TRACK = 24  # width of a slider or menu beside its label, in em


def explore(
    show: Show, *, labels: Mapping[str, Label] | None = None, live: bool = True, **controls: Any
) -> None:
    """Show `show(**settings)` with one control for each of its arguments.

    show: returns a panel, or up to four in a tuple. labels: {argument: what readers call it}.
    controls: see `posenc_viz.shorthand`. live: draw while a slider is dragged; set it False when
    `show` takes more than about 0.1 s. What `show` raises at first is raised; later it is shown
    under the controls, which live on.
    """
    Board(Explorer(show, labels=labels, **controls), live=live).display()


class Board:
    """The widgets in front of an `Explorer`."""

    def __init__(self, explorer: Explorer, *, live: bool = True) -> None:
        """Make one widget for each control, a reset button, and a place for errors."""
        self.explorer = explorer
        self.picture = DisplayHandle()
        self.error = widgets.HTML(layout=widgets.Layout(width="100%"))
        self.reset = widgets.Button(icon="undo", layout=widgets.Layout(width="auto"))
        self.widgets = {name: c.widget(live) for name, c in explorer.controls.items()}
        for widget in self.widgets.values():
            widget.style.description_width = "initial"
            widget.layout = widgets.Layout(width="auto", max_width="100%")
            widget.observe(self._moved, names="value")
        self.reset.on_click(self._reset)
        self._name()

    def display(self) -> None:
        """Show the picture and the controls."""
        self.picture.display(bundle(self.explorer.png, self.explorer.panels), raw=True)
        rows = widgets.Layout(flex_flow="row wrap", align_items="center", grid_gap="4px 20px")
        controls = widgets.Box([*self.widgets.values(), self.reset], layout=rows)
        board = widgets.VBox([controls, self.error])
        plain = {"text/plain": f"<{RUN_ME.in_language('both', ' · ')}>"}
        display({**board._repr_mimebundle_(), **plain}, raw=True)

    def _moved(self, _: object) -> None:
        controls = self.explorer.controls
        try:
            values = {n: controls[n].read(widget.value) for n, widget in self.widgets.items()}
            self.explorer.set(**values)
        except Exception as error:  # whatever a reader's own `show` raises is theirs to see
            said = f"{type(error).__name__}: {error}"
            self.error.value = f'<div role="alert">{escape(str(FAILED))}<br>{_code(said)}</div>'
        else:
            self.error.value = ""
            self.picture.update(bundle(self.explorer.png, self.explorer.panels), raw=True)
        self._name()

    def _reset(self, _: object) -> None:
        """Move every widget to its start, then draw once."""
        for name, widget in self.widgets.items():
            widget.unobserve(self._moved, names="value")
            widget.value = self.explorer.controls[name].raw(self.explorer.start[name])
            widget.observe(self._moved, names="value")
        self._moved(None)

    def _name(self) -> None:
        """Name the widgets in the reader's language, which may have changed since."""
        self.reset.description = RESET.label()
        for name, widget in self.widgets.items():
            label = self.explorer.label(name)
            widget.description = widget.tooltip = label
            if not isinstance(widget, (widgets.ToggleButtons, widgets.Checkbox)):
                widget.layout.width = f"{TRACK + round(0.6 * columns(label))}em"


def _code(said: str) -> str:
    return f"<code>{escape(said)}</code>".replace("\n", "<br>")
