"""`LivePicture`: the picture above the controls, as the browser shows it while a kernel lives."""

from __future__ import annotations

from pathlib import Path

import anywidget
from traitlets import Bytes, Float, Int, Unicode

from posenc_viz.stage import WIDTH


class LivePicture(anywidget.AnyWidget):
    """Replaces, in the page, the image that stands above it in the output of its cell.

    A page that is loaded again asks the kernel for the traits, so it goes on where it was. When the
    kernel is restarted the page says so, with a button that runs the cells again.
    """

    _esm = Path(__file__).with_name("live_picture.js")
    _css = """
        .posenc-lost > .widget-box { opacity: 0.4; }
        .posenc-lost::before, .posenc-lost .jupyter-widgets-disconnected::before { display: none; }
    """  # the words below say it once, where each control would have a red sign
    png = Bytes().tag(sync=True)
    width = Int(WIDTH).tag(sync=True)  # of the picture, in CSS pixels
    room = Int(WIDTH).tag(sync=True)  # CSS pixels that the page has for it; the page says so
    ratio = Float(1.0).tag(sync=True)  # pixels of the screen for each of them; the page says so
    description = Unicode().tag(sync=True)  # in words, for readers who cannot see it
    lost = Unicode().tag(sync=True)  # what the page says without a kernel
    rerun = Unicode().tag(sync=True)  # and what its button says

    def show(self, png: bytes, description: str) -> None:
        """Replace the picture and its description at once."""
        with self.hold_sync():
            self.description = description
            self.width = self.room
            self.png = png
