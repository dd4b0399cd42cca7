"""The site, what serves it, and what plays its figures.

Every chapter has its pages here. Two run for them, and their figures play. The others have no
outputs: that all chapters run and their figures move, tests/notebooks shows; that the site
draws every kind of panel, test_figures.py. With POSENC_SITE, the folder in which `make site` built
pages/ and site/, the tests look at those: publish.yml does so before they are public.
"""

import functools
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest.mock import patch

from bilingual.setting import ONE_LANGUAGE
from tests.all_chapters import CHAPTERS
from tools.build.contents import Chapter
from tools.site.__main__ import write_pages, write_site
from tools.site.chapter import write_chapter
from tools.site.grid import STOPS

BUILT = os.environ.get("POSENC_SITE")
NAMES = ["00_start", "02_sinusoidal"]
PLAYED = [chapter for chapter in CHAPTERS if chapter.name in NAMES]
OTHERS = [chapter for chapter in CHAPTERS if chapter not in PLAYED]
FEW = 5  # settings of a slider: enough to see it move
SAMPLED = (CHAPTERS, STOPS) if BUILT else (PLAYED, FEW)  # what has outputs, and how many stops

HAS_MOVED = """figure => {
  const before = figure.picture;
  figure.picture = figure.querySelector(".course-panels").innerHTML
    + [...figure.querySelectorAll("canvas")].map((each) => each.toDataURL());
  return before !== undefined && figure.picture !== before;
}"""  # since it was asked last


def build_site(target: Path, pages: Path) -> None:
    write_pages(PLAYED, pages, FEW)
    for chapter in OTHERS:
        write_without_outputs(chapter, pages / chapter.name)
    write_site(CHAPTERS, target, pages)


def write_without_outputs(chapter: Chapter, folder: Path) -> None:
    with patch("tools.site.chapter.execute"):
        write_chapter(chapter, folder, FEW)
    for language in ONE_LANGUAGE:
        (folder / language / "files").mkdir()  # no figures


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
