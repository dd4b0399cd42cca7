"""One JupyterLab, loaded once, for all files that open notebooks in it.

It stands in the course folder of a class, which test_classroom.py fills. Each other file has a
folder of its own; each test finds the page with nothing open and nothing stored.
"""

from pathlib import Path

import pytest

from autograde.demo.folder import make_folder
from tests.browser.lab import first_page, serving
from tests.chromium import VIEW

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = "00_start"  # of the class
# JupyterLab draws a long notebook when the page is idle; a busy machine's page may never be, and
# each cell then waits for its limit of three seconds
IDLE = """window.requestIdleCallback = (draw) => setTimeout(
  () => draw({ didTimeout: false, timeRemaining: () => 10 }), 10);
window.cancelIdleCallback = clearTimeout;"""


@pytest.fixture(scope="session")
def server(browser, tmp_path_factory, kernel_environment):
    """Serve a course of one chapter; where there is no Chromium, skip before."""
    folder, home = tmp_path_factory.mktemp("served"), tmp_path_factory.mktemp("home")
    make_folder(folder, ROOT, CHAPTER)
    with serving(folder, home, kernel_environment) as lab:
        yield lab


@pytest.fixture(scope="module")
def lab(server, request):
    """Return the server with a folder for this file, as a new reader finds it."""
    return server.as_new(request.path.stem)


@pytest.fixture(scope="session")
def context(browser, server):  # closed before the server: it would ask for kernels while that ends
    """Return the storage and the cache of one reader."""
    context = browser.new_context(viewport=VIEW)
    context.add_init_script(IDLE)
    yield context
    context.close()


@pytest.fixture
def page(context, request):
    """Return the first page, with nothing else open; after a failure, a new one."""
    failures = request.session.testsfailed
    if getattr(request.node, "execution_count", 1) > 1:  # tried once more: no failure yet
        _close(context.pages)
    page = first_page(context)
    page.set_viewport_size(VIEW)
    yield page
    _close(context.pages if request.session.testsfailed > failures else context.pages[1:])


def _close(pages):
    for page in pages:
        page.close()
