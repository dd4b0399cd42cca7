"""`watch`: a picture that is redrawn while its content is still being computed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from IPython.display import DisplayHandle

from posenc_viz.explorer import bundle, listed
from posenc_viz.panel import Panel
from posenc_viz.stage import Stage


def watch(pictures: Iterable[Panel | Sequence[Panel]]) -> None:
    """Show each picture in place of the one before; the last one stays.

    pictures: best a generator, which yields a picture whenever it has a new result.
    """
    handle, stage = DisplayHandle(), Stage()
    show = handle.display
    for panels in map(listed, pictures):
        show(bundle(stage.render(panels), panels), raw=True)
        show = handle.update
