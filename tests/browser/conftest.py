"""One JupyterLab for all files that only open notebooks in it; each has a folder of its own."""

import pytest

from tests.browser.lab import serving


@pytest.fixture(scope="session")
def server(browser, tmp_path_factory):  # no Chromium: skip before a server starts
    """Serve an empty folder."""
    folder, home = tmp_path_factory.mktemp("served"), tmp_path_factory.mktemp("home")
    with serving(folder, home) as lab:
        yield lab


@pytest.fixture(scope="module")
def lab(server, request):
    """Return the server with a folder for this file, as a new reader finds it."""
    return server.as_new(request.path.stem)
