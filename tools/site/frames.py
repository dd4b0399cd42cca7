"""All pictures of a slider figure in one small file.

Each look of every part of the pictures (a panel's view, what stands still, each thing that moves)
is kept once, in order of first appearance. A row for each part then says which look a setting
shows: 0 for the next new look, n for the look n before that one. So what repeats or follows in
order costs next to nothing. A page opened from a disk may not fetch files but may run scripts, so
the file is a script that hands its text to `courseFigure`.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence

from tools.site.cell_image import palette


class Frames:
    """The pictures of a figure, one setting after the other."""

    def __init__(self) -> None:
        """Start without a picture."""
        self._looks: list[list[dict[str, int]]] = []
        self._rows: list[list[list[int]]] = []
        self.count = 0

    def add(self, panels: Sequence[Sequence[str]]) -> None:
        """Add a picture: the parts of each panel; missing parts are empty."""
        for number, parts in enumerate(panels):
            if number == len(self._looks):
                self._looks.append([])
                self._rows.append([])
            looks, rows = self._looks[number], self._rows[number]
            for _ in range(len(parts) - len(looks)):  # a part that no picture had before
                looks.append({"": 0} if self.count else {})
                rows.append([min(n, 1) for n in range(self.count)])
            for part, seen, row in zip(padded(parts, len(looks)), looks, rows, strict=True):
                new = len(seen)
                at = seen.setdefault(part, new)
                row.append(new - at if at < new else 0)
        self.count += 1

    def script(self, name: str) -> str:
        """Return the file of the figure `name`."""
        panels = [
            [{"looks": list(seen), "row": row} for seen, row in zip(looks, rows, strict=True)]
            for looks, rows in zip(self._looks, self._rows, strict=True)
        ]
        maps = {
            look.split(" ")[5]
            for looks in self._looks
            for seen in looks
            for look in seen
            if look.startswith("@")
        }
        data = {"panels": panels, "palettes": {each: palette(each) for each in sorted(maps)}}
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        small = zlib.compress(text.encode(), 9)
        return f'courseFigure("{name}","{base64.b64encode(small).decode()}");\n'


def padded(parts: Sequence[str], count: int) -> list[str]:
    """Return the parts, and empty ones up to `count`."""
    return [*parts, *[""] * (count - len(parts))]
