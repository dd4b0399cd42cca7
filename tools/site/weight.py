"""What a page weighs: itself and everything that it can load, figures in every setting included."""

from __future__ import annotations

import re
from pathlib import Path

LIMIT = 3_000_000  # bytes
LOADED = re.compile(
    r'<(?:script|img)[^>]*?\ssrc="([^"]+)"'
    r'|<link(?=[^>]*rel="(?:preload|stylesheet|icon|shortcut icon)")[^>]*?\shref="([^"]+)"'
)
STRIPS = re.compile(r'data-strips="([^"]+)"')
FROM_STYLE = re.compile(r"url\(([^)]+\.woff2)\)")


def files_of(page: Path) -> set[Path]:
    """Return the files that a page can load, itself included."""
    text = page.read_text(encoding="utf-8")
    names = {(script or link).partition("?")[0] for script, link in LOADED.findall(text)}
    local = [name for name in names if not name.startswith("data:")]
    paths = {page, *((page.parent / name).resolve() for name in local)}
    for name in STRIPS.findall(text):
        paths |= set(page.parent.glob(f"{name}-*.webp"))
    for style in [path for path in paths if path.suffix == ".css"]:
        fonts = FROM_STYLE.findall(style.read_text(encoding="utf-8"))
        paths |= {(style.parent / font.strip("\"'")).resolve() for font in fonts}
    return paths


def weights(site: Path) -> dict[str, int]:
    """Return the bytes of every page, before any compression by the server."""
    return {
        page.relative_to(site).as_posix(): sum(file.stat().st_size for file in files_of(page))
        for page in sorted(site.rglob("*.html"))
        if "_static" not in page.parts
    }


def too_heavy(site: Path) -> list[str]:
    """Return the pages above the limit, with their weight."""
    return [f"{name}: {size / 1e6:.2f} MB" for name, size in weights(site).items() if size > LIMIT]
