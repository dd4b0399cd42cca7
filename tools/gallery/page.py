"""The page docs/gallery.md: each kind of panel with its picture, its words and its code."""

from __future__ import annotations

import inspect
from pathlib import Path

from posenc_viz.explorer import Show, listed
from tools.gallery import attention, encodings
from tools.gallery.words import WORDS
from tools.small_png import small_png

PAGE = Path("docs") / "gallery.md"
IMAGES = Path("docs") / "images" / "gallery"
COLOURS = 64  # of a picture: enough for a smooth colour bar
HEAD = """<!-- built by tools/gallery/ -->

# 图库 · Gallery

`posenc_viz`能画的每一种图，附上画出它的代码。`explore`让其中任何一个随滑块而动，`picture`画一张
静止的图；标签按读者选定的语言显示。颜色照顾色觉异常者，线型和标记也各不相同；图是不透明的白底，
深色主题下照样清楚。

Every kind of picture that `posenc_viz` draws, with the code that draws it. `explore` moves any of
them with sliders, `picture` shows it still; labels are in the language that the reader chose. The
colours suit every kind of colour vision, strokes and markers differ as well, and figures are opaque
white, right in a dark theme too."""


def figure(name: str) -> Show:
    """Return the function that makes the panels of a figure."""
    rooms = (encodings, attention)
    return next(getattr(room, name) for room in rooms if hasattr(room, name))


def gallery() -> str:
    """Return the page."""
    return "\n\n".join([HEAD, *map(_section, WORDS)]) + "\n"


def _section(name: str) -> str:
    title, words = WORDS[name]
    alt = f"{words.zh} {words.en}"
    return "\n\n".join(
        [
            f"## {title.zh} · {title.en}",
            f"![{alt}](images/gallery/{name}.png)",
            f"*图：{words.zh}*",
            f"*Picture: {words.en}*",
            f"```python\n{inspect.getsource(figure(name)).strip()}\n```",
        ]
    )


def pictures() -> dict[Path, bytes]:
    """Return the picture of each figure, by its path."""
    return {IMAGES / f"{name}.png": small_png(listed(figure(name)()), COLOURS) for name in WORDS}
