"""One JupyterLab, loaded once, for all files that only open notebooks in it.

Each file has a folder of its own; each test finds the page with nothing open and nothing stored.
"""

import pytest

from tests.browser.lab import first_page, serving
from tests.chromium import VIEW

# JupyterLab draws a long notebook when the page is idle; a busy machine's page may never be, and
# each cell then waits for its limit of three seconds
IDLE = """window.requestIdleCallback = (draw) => setTimeout(
  () => draw({ didTimeout: false, timeRemaining: () => 10 }), 10);
window.cancelIdleCallback = clearTimeout;"""


@pytest.fixture(scope="session")
def server(browser, tmp_path_factory, kernel_environment):
    """Serve an empty folder; where there is no Chromium, skip before."""
    folder, home = tmp_path_factory.mktemp("served"), tmp_path_factory.mktemp("home")
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
