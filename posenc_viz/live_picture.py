"""`LivePicture`: the picture above the controls, as the browser shows it while a kernel lives."""

from __future__ import annotations

from pathlib import Path

import anywidget
from traitlets import Bytes, Float, Int, Unicode

from posenc_viz.stage import WIDTH


class LivePicture(anywidget.AnyWidget):
    """Replaces, in the page, the image above it in the output of its cell.

    A reloaded page gets the traits from the kernel, so it shows the same picture. When the kernel
    has been restarted, the page says so, with a button that runs the cells again.
    """

    _esm = Path(__file__).with_name("live_picture.js")
    _css = """
        .posenc-lost > .widget-box { opacity: 0.4; }
        .posenc-lost::before, .posenc-lost .jupyter-widgets-disconnected::before { display: none; }
    """  # say it once, in words, instead of a red sign on each control
    png = Bytes().tag(sync=True)
    width = Int(WIDTH).tag(sync=True)  # of the picture, in CSS pixels
    room = Int(WIDTH).tag(sync=True)  # CSS pixels that the page has for it; set by the page
    ratio = Float(1.0).tag(sync=True)  # screen pixels per CSS pixel; set by the page
    description = Unicode().tag(sync=True)  # in words, for readers who cannot see it
    lost = Unicode().tag(sync=True)  # the page's message when the kernel is gone
    rerun = Unicode().tag(sync=True)  # and the label of its button

    def show(self, png: bytes, description: str) -> None:
        """Replace the picture and its description at once."""
        with self.hold_sync():
            self.description = description
            self.width = self.room
            self.png = png
