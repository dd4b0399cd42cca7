"""A small site, two chapters in both languages, built once and served on this machine."""

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tools.build.notebooks import named_chapters
from tools.site.__main__ import build

CHAPTERS = ["00_start", "02_sinusoidal"]
PAGES = [f"{lang}/{name}.html" for lang in ("zh", "en") for name in ("index", *CHAPTERS, "search")]
STOPS = 5  # of a slider: enough to see it move


def build_small(target: Path) -> Path:
    build(named_chapters(CHAPTERS), target, target.parent / "pages", STOPS)
    return target


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Keep the test's output for the test."""


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Yield the address at which `site` is served."""
    handler = functools.partial(Silent, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
