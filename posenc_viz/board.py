"""`explore`: a picture with sliders.

The picture is one PNG output: what a reader without a kernel sees. The controls are a second output
below it, with a sentence for pages that cannot run widgets. One of them, `LivePicture`, replaces
the picture by each new one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import ipywidgets as widgets
from IPython.display import display

from bilingual import Text, language
from posenc_viz.control import Choice, Try
from posenc_viz.explorer import Explorer, Settings, Show, bundle, in_page
from posenc_viz.font import Label
from posenc_viz.kernel import after_each_message, spare_figures_of_running_cell
from posenc_viz.live_picture import LivePicture
from posenc_viz.pace import Pace
from posenc_viz.rerun import close_earlier, running_cell
from posenc_viz.style import columns, one_line
from posenc_viz.words import BUSY, FAILED, LOST, RERUN, RESET, RUN_ME, SLOW, TRY

TRACK = 24  # width of a slider or menu beside its label, in em
WRAP = "<style>.posenc-try { white-space: normal; height: auto; text-align: left; }</style>"
ROW = {"flex_flow": "row wrap", "align_items": "center", "grid_gap": "4px 20px"}


def explore(
    show: Show,
    *,
    labels: Mapping[str, Label] | None = None,
    tries: Sequence[Try] = (),
    **controls: Any,
) -> None:
    """Show `show(**settings)` with one control for each of its arguments.

    show: returns a panel, or up to four in a tuple. labels: {argument: what readers call it}.
    tries: buttons that set the controls, see `Try`. controls: see `posenc_viz.shorthand`.
    The picture follows while a slider is dragged; if `show` takes more than 0.15 s, it follows when
    the slider is let go. An exception in the first call of `show` is raised; later ones are shown
    below the controls, which keep working.
    """
    Board(Explorer(show, labels=labels, tries=tries, **controls)).display()


class Board:
    """The widgets in front of an `Explorer`."""

    def __init__(self, explorer: Explorer) -> None:
        """Make one widget for each control, a button for each try, a place for notices."""
        self.explorer, self._pace = explorer, Pace()
        self.picture = LivePicture()
        self._size = self.picture.room, self.picture.ratio
        self.picture.observe(self._fit, names=["room", "ratio"])
        self.notice = widgets.HTML(layout=widgets.Layout(width="auto"))
        self.reset = widgets.Button(icon="undo", layout=widgets.Layout(width="auto"))
        self.widgets = {name: c.widget() for name, c in explorer.controls.items()}
        for widget in self.widgets.values():
            widget.style.description_width = "initial"
            widget.layout.width, widget.layout.max_width = "auto", "100%"
            widget.observe(self._moved, names="value")
        self.invitation = widgets.HTML()
        fits = widgets.Layout(width="auto", max_width="100%")
        self.tries = [widgets.Button(layout=fits).add_class("posenc-try") for _ in explorer.tries]
        for button, (_, settings) in zip(self.tries, explorer.tries, strict=True):
            button.on_click(lambda _, settings=settings: self._go(settings))
        self.reset.on_click(lambda _: self._go(explorer.start))
        self._keep_pace()
        self._name()

    def display(self) -> None:
        """Show the picture and the controls."""
        spare_figures_of_running_cell()
        display(bundle(self.explorer.png, self.explorer.panels), raw=True)
        self._show()
        rows = [widgets.Box([*self.widgets.values(), self.reset], layout=widgets.Layout(**ROW))]
        if self.tries:
            rows.append(widgets.Box([self.invitation, *self.tries], layout=widgets.Layout(**ROW)))
        parts = [*rows, self.notice, self.picture]
        self.root = widgets.VBox(parts, layout=widgets.Layout(grid_gap="6px"))
        self.run = running_cell()
        close_earlier(self)
        plain = f"<{in_page(RUN_ME)}>"
        display({**self.root._repr_mimebundle_(), "text/plain": plain}, raw=True)
        after_each_message(self.follow_language)

    def follow_language(self) -> None:
        """Redraw and rename everything if the reader has changed the language."""
        if language() != self._language:
            self._moved(None)

    def _moved(self, _: object) -> None:
        spare_figures_of_running_cell()  # pyplot may have been loaded after this board
        self._name()
        if self._pace.slow:
            self._say(BUSY)
        controls = self.explorer.controls
        try:
            values = {n: controls[n].read(widget.value) for n, widget in self.widgets.items()}
            self.explorer.set(**values)
        except Exception as error:  # a reader's own `show` may raise anything: show it to them
            self._keep_pace()
            error_text = escape(f"{type(error).__name__}: {error}").replace("\n", "<br>")
            message = f"{escape(str(FAILED))}<br><code>{error_text}</code>"
            self.notice.value = f'<div role="alert">{message}</div>'
        else:
            self._keep_pace()
            self._show()

    def _fit(self, _: object) -> None:
        """Redraw for a page of another width or pixel ratio."""
        size = self.picture.room, self.picture.ratio
        if size != self._size:  # the page sends both at once, and each one calls
            self._size = size
            self.explorer.fit(*size)
            self._show()

    def _show(self) -> None:
        titles = "; ".join(one_line(str(panel.title)) for panel in self.explorer.panels)
        self.picture.show(self.explorer.png, titles)

    def _keep_pace(self) -> None:
        """Let sliders report during a drag only as long as `show` keeps up."""
        self._pace.note(self.explorer.seconds)
        for widget in self.widgets.values():
            if widget.has_trait("continuous_update"):
                widget.continuous_update = not self._pace.slow
        self._say(SLOW if self._pace.slow else None)

    def _say(self, words: Text | None) -> None:
        self.notice.value = f'<div role="status">{escape(str(words))}</div>' if words else ""

    def _go(self, settings: Settings) -> None:
        """Move every widget to `settings`, then draw once."""
        for name, control in self.explorer.controls.items():
            self._change(name, value=control.raw(settings[name]))
        self._moved(None)

    def _change(self, name: str, **traits: Any) -> None:
        """Set traits of a widget in the given order, without drawing."""
        widget = self.widgets[name]
        widget.unobserve(self._moved, names="value")
        for trait, value in traits.items():
            setattr(widget, trait, value)
        widget.observe(self._moved, names="value")

    def _name(self) -> None:
        """Name the widgets in the reader's present language."""
        self._language = language()
        self.reset.description = RESET.label()
        self.picture.lost, self.picture.rerun = str(LOST), RERUN.label()
        self.invitation.value = f"{WRAP}{escape(TRY.label())}"
        for button, (words, _) in zip(self.tries, self.explorer.tries, strict=True):
            button.description = words.label()
        for name, widget in self.widgets.items():
            label = self.explorer.label(name)
            widget.description = widget.tooltip = label
            control = self.explorer.controls[name]
            if isinstance(control, Choice) and control.pairs() != widget.options:
                self._change(name, options=control.pairs(), value=widget.value)
            if not isinstance(widget, (widgets.ToggleButtons, widgets.Checkbox)):
                widget.layout.width = f"{TRACK + round(0.6 * columns(label))}em"
