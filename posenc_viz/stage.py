"""`Stage`: one figure of 1 to 4 panels, of which only the moving parts are redrawn.

Axes, ticks and labels take most of the time. They are drawn once and kept as a background; a new
setting restores it, and draws only the artists that move. Each figure has a lock, because slider
callbacks run in a separate thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack
from threading import Lock
from zlib import compress, crc32

import numpy as np

from posenc_viz.panel import Frame, Panel
from posenc_viz.scene import DPI, Scene, frame_of

WIDTH = 900  # pixels of a figure
SIGNATURE, TRUECOLOUR, UP = b"\x89PNG\r\n\x1a\n", 2, 2  # of the PNG format


class Stage:
    """Turns panels into PNG bytes. The same panels always give the same bytes."""

    def __init__(self, width: int = WIDTH, ratio: float = 1.0) -> None:
        """Start empty: the first `render` decides how the figure is laid out.

        width: of the figure on the page, in CSS pixels. ratio: screen pixels per CSS pixel.
        """
        self._width, self._dpi = width, DPI * ratio
        self._lock = Lock()
        self._frame: Frame | None = None

    def render(self, panels: Sequence[Panel]) -> bytes:
        """Return a PNG of `panels`, side by side as far as there is room (four: two by two)."""
        return _png(self.pixels(panels))

    def pixels(self, panels: Sequence[Panel]) -> np.ndarray:
        """Return the picture as (height, width, 3) bytes: red, green, blue, opaque."""
        with self._lock:
            frame = frame_of(panels, self._width)
            if frame != self._frame:
                self._frame = None  # if drawing fails, the next call draws from scratch
                self._draw(panels)
                self._frame = frame
            self._paint(panels)
            rgba = np.asarray(self._scene.canvas.buffer_rgba())
            # one plane after the other: copying [..., :3] takes seven times as long
            return np.stack([rgba[..., plane] for plane in range(3)], axis=-1)

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


def _png(pixels: np.ndarray) -> bytes:
    """Encode (height, width, 3) bytes, without metadata: equal pictures are equal bytes.

    Each row is written as its difference from the one above ("Up"). Pillow tries five filters on
    every row, which takes three times as long as all the rest and makes the file no smaller.

    Source: PNG specification, third edition, §9 (filters) and §11.2 (chunks).
    """
    height, width, channels = pixels.shape
    lines = pixels.reshape(height, -1)
    rows = np.full((height, 1 + width * channels), UP, np.uint8)
    rows[0, 1:] = lines[0]
    np.subtract(lines[1:], lines[:-1], out=rows[1:, 1:])  # modulo 256, as the specification has it
    header = pack(">IIBBBBB", width, height, 8, TRUECOLOUR, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", compress(rows, level=1)), (b"IEND", b""))
    return SIGNATURE + b"".join(
        pack(">I", len(data)) + kind + data + pack(">I", crc32(kind + data)) for kind, data in parts
    )
