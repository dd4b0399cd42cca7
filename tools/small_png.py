"""Pictures for docs/, in both languages and few bytes."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from PIL import Image

from bilingual.setting import speaking
from posenc_viz.panel import Panel
from posenc_viz.stage import Stage


def small_png(panels: Sequence[Panel], colours: int) -> bytes:
    """Return the picture of `panels` with this many colours: 64 take a third of the bytes."""
    with speaking("both"):
        image = Image.fromarray(Stage().pixels(panels))
    few = image.quantize(colours, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    file = BytesIO()
    few.save(file, format="PNG", optimize=True)
    return file.getvalue()
