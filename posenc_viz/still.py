"""`picture`: a still figure. Its one output is a PNG, so that it shows wherever a notebook does."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence

from IPython.display import display

from posenc_viz.explorer import listed, name_of
from posenc_viz.panel import Panel
from posenc_viz.stage import Stage


def picture(*panels: Panel) -> None:
    """Show 1 to 4 panels side by side (four: two by two)."""
    drawn_panels = listed(panels)
    display(bundle(Stage().render(drawn_panels), drawn_panels), raw=True)


def bundle(png: bytes, panels: Sequence[Panel]) -> dict[str, str]:
    """Return the output: the picture, and for readers of plain text what it is a picture of."""
    plain = f"<picture: {name_of(panels)}>"
    return {"image/png": b64encode(png).decode("ascii"), "text/plain": plain}
