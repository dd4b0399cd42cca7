"""`Pen`: a matplotlib renderer that writes SVG elements, few and short.

Unlike matplotlib's own SVG it follows themes (black becomes the colour of the text, white that of
the paper), leaves letters to the browser, and writes whole numbers, quarters of a pixel.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.backend_bases import GraphicsContextBase
from matplotlib.colors import to_hex
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, Transform
from PIL import Image

from tools.site.elements import image_element, is_dot, path_data
from tools.site.ink import UNITS, dots, fill, stroke
from tools.site.lettering import Letterer

SEEN = 0.2 * UNITS  # by how much a line may be off, in units
NO_FILL = ' fill="none"'


class Pen(Letterer):
    """Draws lines, areas, markers and colour bars as SVG, beside the texts of a `Letterer`."""

    def __init__(self, width: float, height: float, dpi: float) -> None:
        """Draw on a canvas of this size in pixels."""
        super().__init__(width, height, dpi)
        self._point = UNITS * dpi / 72
        self._flip = Affine2D().scale(UNITS, -UNITS).translate(0, UNITS * height)

    def draw_path(
        self,
        gc: GraphicsContextBase,
        path: Path,
        transform: Transform,
        rgbFace: Any = None,
    ) -> None:
        """Write a path, its lines simplified to what the eye sees."""
        clip = gc.get_clip_rectangle()
        filled = rgbFace is not None and (len(rgbFace) < 4 or rgbFace[3] > 0)
        path = Path(path.vertices, path.codes)
        path.simplify_threshold = SEEN
        whole = path.cleaned(
            transform + self._flip,
            remove_nans=True,
            clip=None if clip is None or filled else self._box(clip),
            simplify=None,
            curves=True,
        )
        vertices = whole.vertices
        if filled and clip is not None:  # a bar may reach beyond its axis
            left, top, right, bottom = self._box(clip)
            vertices = np.clip(vertices, (left, top), (right, bottom))
        d = path_data(vertices, whole.codes)
        if not d:
            return
        area = fill(rgbFace) if filled else NO_FILL
        self._marks.append(f'<path d="{d}"{area}{stroke(gc, self._point)}/>')

    def draw_markers(
        self,
        gc: GraphicsContextBase,
        marker_path: Path,
        marker_trans: Transform,
        path: Path,
        trans: Transform,
        rgbFace: Any = None,
    ) -> None:
        """Write all markers of a line as one path; a dot is the round end of an empty line."""
        places = path.transformed(trans).vertices
        places = places[np.isfinite(places).all(axis=1)]
        if (clip := gc.get_clip_rectangle()) is not None:
            inside = (places >= clip.min - 0.5) & (places <= clip.max + 0.5)
            places = places[inside.all(axis=1)]
        if is_dot(marker_path) and rgbFace is not None and to_hex(rgbFace) == to_hex(gc.get_rgb()):
            size = 2 * UNITS * marker_trans.transform(marker_path.vertices).max()
            size += self._point * gc.get_linewidth()
            corners = np.repeat(self._flip.transform(places), 2, axis=0)
            codes = np.tile([Path.MOVETO, Path.LINETO], len(places))
            d, attributes = path_data(corners, codes), dots(rgbFace, size)
        else:
            marker = marker_path.transformed(marker_trans).cleaned(curves=True)
            moved = (self._flip.transform(marker.vertices + place) for place in places)
            d = "".join(path_data(vertices, marker.codes) for vertices in moved)
            area = NO_FILL if rgbFace is None else fill(rgbFace)
            attributes = area + stroke(gc, self._point)
        if d:
            self._marks.append(f'<path d="{d}"{attributes}/>')

    def draw_quad_mesh(
        self,
        gc: GraphicsContextBase,
        master_transform: Transform,
        mesh_width: int,
        mesh_height: int,
        coordinates: np.ndarray,
        offsets: np.ndarray,
        offset_trans: Transform,
        facecolors: np.ndarray,
        antialiased: bool,
        edgecolors: np.ndarray,
    ) -> None:
        """Write a colour bar, the only kind of mesh here, as an image."""
        corners = self._flip.transform(master_transform.transform(coordinates.reshape(-1, 2)))
        rgb = np.asarray(facecolors).reshape(mesh_height, mesh_width, 4)[::-1, :, :3]
        pixels = Image.fromarray(np.uint8(np.round(rgb * 255)))
        self._marks.append(image_element((*corners.min(axis=0), *np.ptp(corners, axis=0)), pixels))

    def _box(self, clip: Any) -> tuple[float, float, float, float]:
        (left, bottom), (right, top) = self._flip.transform(clip.get_points())
        return left, top, right, bottom
