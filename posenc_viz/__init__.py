"""The pictures: panels as data, drawn fast, moved by sliders. Computes no encoding.

    def show(offset):                                      # the maths is here
        return HeatMap(table(offset), x=..., y=..., title=...)
    explore(show, offset=(0, 50))                          # the plumbing is one call
    picture(HeatMap(...), Curves(...))                     # a still figure
    watch(pictures())                                      # redrawn at each step of a generator

The modules:

- `board.py`      `explore`: a picture with sliders in a notebook
- `live_picture.py` the picture above the controls, as the browser shows it
- `explorer.py`   `picture`: a still figure; `Explorer`: sliders without a browser, for tests
- `watching.py`   `watch`: a picture that is redrawn while it is computed
- `control.py`    `Choice`, `Switch`: what a reader can set; `Try`: a setting offered
- `slider.py`     `Range`: a slider
- `shorthand.py`  the short forms of controls: (lo, hi), [options], True
- `pace.py`       whether `show` keeps up with a dragged slider
- `kernel.py`     sliders beside a running cell: what a kernel does after each message
- `rerun.py`      a cell that is run again: its earlier widgets are closed
- `labels/`       the labels of each chapter's figures
- `labelling.py`  the two kinds of entries of such a table: labels of panels, and of controls
- `words.py`      the texts of a board, in both languages
- `panel.py`      `Panel`: the base of all panels; numbers and labels made ready
- `heatmap.py`    a table of numbers as colours
- `matrix.py`     a small matrix with its numbers written out
- `curves.py`     lines or points over a common axis
- `bars.py`       one bar for each of a few named values
- `clocks.py`     angles as clock hands
- `plane.py`      arrows in a plane
- `ruler.py`      buckets along a line
- `timeline.py`   a cache as tokens arrive
- `head.py`       an attention head, from its input to its output
- `history.py`    works along the years
- `scene.py`      panels in a matplotlib figure, laid out, and the artists that move
- `stage.py`      panels to PNG bytes: drawn once, then only what moves
- `style.py`      sizes, colours, strokes, line breaks
- `font.py`       the CJK font, and English where a glyph is missing
- `stored.py`     what the experiments measured, ready to be drawn
"""

from posenc_viz.bars import Bars
from posenc_viz.board import explore
from posenc_viz.clocks import Clocks
from posenc_viz.control import Choice, Switch, Try
from posenc_viz.curves import Curve, Curves
from posenc_viz.explorer import Explorer, picture
from posenc_viz.head import Head
from posenc_viz.heatmap import HeatMap
from posenc_viz.history import History
from posenc_viz.matrix import Matrix
from posenc_viz.plane import Arrow, Plane
from posenc_viz.ruler import Ruler
from posenc_viz.slider import Range
from posenc_viz.timeline import Timeline
from posenc_viz.watching import watch

__all__ = [
    "Arrow",
    "Bars",
    "Choice",
    "Clocks",
    "Curve",
    "Curves",
    "Explorer",
    "Head",
    "HeatMap",
    "History",
    "Matrix",
    "Plane",
    "Range",
    "Ruler",
    "Switch",
    "Timeline",
    "Try",
    "explore",
    "picture",
    "watch",
]
