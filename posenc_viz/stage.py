"""`Stage`: one figure of 1 to 4 panels that is drawn once, and then only where it moves.

Axes, ticks and labels cost most of a drawing. They are drawn once and kept as a background; a new
setting restores it, and draws only the artists that move. One lock for each figure, because slider
callbacks run in a thread of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from threading import Lock

import numpy as np
from PIL import Image

from posenc_viz.panel import Frame, Panel
from posenc_viz.scene import DPI, Scene, frame_of

WIDTH = 900  # pixels of a figure


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
        return _png(self.image(panels))

    def image(self, panels: Sequence[Panel]) -> Image.Image:
        """Return the pixels of the same, red, green and blue: the figure is opaque."""
        with self._lock:
            frame = frame_of(panels, self._width)
            if frame != self._frame:
                self._frame = None  # should drawing fail, the next call draws from scratch
                self._draw(panels)
                self._frame = frame
            self._paint(panels)
            return Image.fromarray(np.asarray(self._scene.canvas.buffer_rgba())[..., :3])

    def _draw(self, panels: Sequence[Panel]) -> None:
        self._scene = Scene(panels, self._width, self._dpi)
        self._scene.draw()
        self._background = self._scene.canvas.copy_from_bbox(self._scene.figure.bbox)

    def _paint(self, panels: Sequence[Panel]) -> None:
        self._scene.update(panels)
        canvas = self._scene.canvas
        canvas.restore_region(self._background)
        renderer = canvas.get_renderer()
        for artists in self._scene.moving:
            for artist in artists:
                artist.draw(renderer)


def _png(image: Image.Image) -> bytes:
    """Encode fast (level 1), without metadata: equal pictures are equal bytes."""
    file = BytesIO()
    image.save(file, format="PNG", compress_level=1)
    return file.getvalue()
