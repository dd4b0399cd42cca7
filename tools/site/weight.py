"""The bytes of a page and of all that it can load, figures in every setting included."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

FIRST, ALL = 1_000_000, 2_000_000  # bytes: when a page is opened; when all its figures have moved
TEXT = {".html", ".js", ".css", ".svg"}
LOADED = re.compile(
    r'<(?:script|img)[^>]*?\ssrc="([^"]+)"'
    r'|<link(?=[^>]*rel="(?:preload|stylesheet|icon|shortcut icon)")[^>]*?\shref="([^"]+)"'
)
FRAMES = re.compile(r'data-frames="([^"]+)"')
FROM_STYLE = re.compile(r"url\(([^)]+\.woff2)\)")


def files_of(page: Path) -> tuple[set[Path], set[Path]]:
    """Return the files that a page loads at once, itself included, and those that it may load."""
    text = page.read_text(encoding="utf-8")
    names = {(script or link).partition("?")[0] for script, link in LOADED.findall(text)}
    local = [name for name in names if not name.startswith("data:")]
    paths = {page, *((page.parent / name).resolve() for name in local)}
    for style in [path for path in paths if path.suffix == ".css"]:
        fonts = FROM_STYLE.findall(style.read_text(encoding="utf-8"))
        paths |= {(style.parent / font.strip("\"'")).resolve() for font in fonts}
    return paths, {page.parent / name for name in FRAMES.findall(text)}


def sent(file: Path) -> int:
    """Return the bytes of a file as servers send it: text compressed by gzip."""
    content = file.read_bytes()
    return len(gzip.compress(content, 6)) if file.suffix in TEXT else len(content)


def weights(site: Path) -> dict[str, tuple[int, int]]:
    """Return the bytes that a server sends for every page: at first, and in total."""
    sizes = {}
    for page in sorted(site.rglob("*.html")):
        if "_static" not in page.parts:
            at_once, later = (sum(map(sent, files)) for files in files_of(page))
            sizes[page.relative_to(site).as_posix()] = (at_once, at_once + later)
    return sizes


def too_heavy(site: Path) -> list[str]:
    """Return the pages above a limit, with their sizes."""
    return [
        f"{name}: {first / 1e6:.2f} MB, with its figures {whole / 1e6:.2f} MB"
        for name, (first, whole) in weights(site).items()
        if first > FIRST or whole > ALL
    ]
