"""Frames side by side in a few small files.

Neighbouring frames are nearly equal. Laid side by side, line by line, with few colours, what is
equal costs nothing: lossless WebP then stores the differences. A browser loads a strip when it is
needed. WebP is at most 16383 pixels wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

PER_STRIP = 18  # as many as fit: the more, the less they weigh
COLOURS = 48
NEARLY_WHITE = 248
SAMPLES = 6  # frames that a palette is chosen from


def image(png: bytes) -> Image.Image:
    """Return a picture as pixels."""
    return Image.open(BytesIO(png)).convert("RGB")


def palette(frames: Sequence[Image.Image]) -> Image.Image:
    """Return the colours for all `frames`, chosen from some of them."""
    samples = frames[:: max(1, len(frames) // SAMPLES)]
    sample = _beside(samples).quantize(COLOURS, method=Image.Quantize.MEDIANCUT)
    colours = np.array(sample.getpalette()).reshape(-1, 3)
    colours[colours.min(axis=1) >= NEARLY_WHITE] = 255  # the paper: a palette holds averages
    sample.putpalette(colours.ravel().tolist())
    return sample


def write_still(frame: Image.Image, path: Path) -> None:
    """Write one frame, with colours of its own."""
    _write(frame, palette([frame]), path)


def write_strips(frames: Sequence[Image.Image], folder: Path, name: str) -> None:
    """Write `name`-0.webp, `name`-1.webp, …, each with the next `PER_STRIP` frames."""
    colours = palette(frames)
    for number, first in enumerate(range(0, len(frames), PER_STRIP)):
        strip = _beside(frames[first : first + PER_STRIP])
        _write(strip, colours, folder / f"{name}-{number}.webp")


def _beside(frames: Sequence[Image.Image]) -> Image.Image:
    width, height = frames[0].size
    strip = Image.new("RGB", (width * len(frames), height), "white")
    for number, frame in enumerate(frames):
        strip.paste(frame, (number * width, 0))
    return strip


def _write(picture: Image.Image, colours: Image.Image, path: Path) -> None:
    few = picture.quantize(palette=colours, dither=Image.Dither.NONE)
    few.convert("RGB").save(path, lossless=True, quality=40, method=2)
