"""The site, what serves it, and what plays its figures: two chapters can be played with."""

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.all_chapters import CHAPTERS
from tools.site.__main__ import write_pages, write_site

NAMES = ["00_start", "02_sinusoidal"]
PLAYED = [chapter for chapter in CHAPTERS if chapter.name in NAMES]
OTHERS = [chapter for chapter in CHAPTERS if chapter.name not in NAMES]
# of a slider: enough to see it move; of the others, one control of each figure is sampled
STOPS = ((PLAYED, 5), (OTHERS, 1))

HAS_MOVED = """figure => {
  const before = figure.picture;
  figure.picture = figure.querySelector(".course-panels").innerHTML
    + [...figure.querySelectorAll("canvas")].map((each) => each.toDataURL());
  return before !== undefined && figure.picture !== before;
}"""  # since it was asked last


def build_site(target: Path, pages: Path) -> Path:
    for some, stops in STOPS:
        write_pages(some, pages, stops)
    write_site(CHAPTERS, target, pages)
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


def plays(figure, place):
    """Set its first slider, or choice, to both ends; the pictures must differ."""
    figure.locator(".course-panels[data-frame]").wait_for()
    sliders = figure.locator("input[type=range]")
    options = figure.locator(".course-choice").first.locator("input")
    for key, option in (("Home", options.first), ("End", options.last)):
        if sliders.count():
            sliders.first.press(key)
        else:
            option.check()
        moved = figure.evaluate(HAS_MOVED)
    assert moved, place
