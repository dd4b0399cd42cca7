"""The pictures: panels as data, drawn fast, moved by sliders. Computes no encoding.

    def show(offset):                                      # the maths is in sight
        return HeatMap(table(offset), x=..., y=..., title=...)
    explore(show, offset=(0, 50))                          # the plumbing is one call
    picture(HeatMap(...), Curves(...))                     # a still figure

| file          | holds                                                                         |
|---------------|-------------------------------------------------------------------------------|
| `board.py`    | `explore`: a picture with sliders in a notebook                                |
| `still.py`    | `picture`: a still figure                                                      |
| `explorer.py` | `Explorer`: the same without a browser; tests call `set`, `ends`, read `png`   |
| `control.py`, `slider.py` | `Choice`, `Switch`, `Range`: what a reader can set                 |
| `tries.py`    | `Try`: settings worth trying, as buttons                                       |
| `pace.py`     | whether `show` keeps up with a dragged slider                                  |
| `kernel.py`   | sliders beside a running cell: what a kernel does after each message           |
| `shorthand.py` | their short forms: (lo, hi), [options], True                                  |
| `panel.py`    | `Panel`: what every panel is; numbers and labels made ready                    |
| `heatmap.py`, `matrix.py`, `curves.py`, `bars.py`, `clocks.py`, `plane.py`, `ruler.py`, \
  `timeline.py` | one kind of panel each; docs/gallery.md shows them |
| `stage.py`    | panels → PNG bytes: drawn once, then only what moves                           |
| `style.py`    | sizes, colours, strokes, line breaks                                           |
| `stored.py`   | what the experiments measured, ready to be drawn                               |
| `font.py`     | the CJK font, and English where a glyph is missing                             |
"""

from posenc_viz.bars import Bars
from posenc_viz.board import explore
from posenc_viz.clocks import Clocks
from posenc_viz.control import Choice, Switch
from posenc_viz.curves import Curve, Curves
from posenc_viz.explorer import Explorer
from posenc_viz.heatmap import HeatMap
from posenc_viz.matrix import Matrix
from posenc_viz.plane import Arrow, Plane
from posenc_viz.ruler import Ruler
from posenc_viz.slider import Range
from posenc_viz.still import picture
from posenc_viz.timeline import Timeline
from posenc_viz.tries import Try

__all__ = [
    "Arrow",
    "Bars",
    "Choice",
    "Clocks",
    "Curve",
    "Curves",
    "Explorer",
    "HeatMap",
    "Matrix",
    "Plane",
    "Range",
    "Ruler",
    "Switch",
    "Timeline",
    "Try",
    "explore",
    "picture",
]
