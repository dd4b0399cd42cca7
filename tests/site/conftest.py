"""The site, built once for all tests of this folder."""

import os
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.chromium import VIEW, listening
from tests.site.pages import BUILT, build_site, served


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    """Return the folder of the pages, which the decks are made from as well."""
    return Path(BUILT) / "pages" if BUILT else tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="session")
def site(tmp_path_factory, store, kernel_environment):
    folder = Path(BUILT) if BUILT else tmp_path_factory.mktemp("site")
    if not BUILT:
        with patch.dict(os.environ, kernel_environment):
            build_site(folder / "site", store)
    assert (folder / "site").is_dir(), f"{folder} has no site: `make site` builds one"
    return folder / "site"


@pytest.fixture(scope="session")
def address(site):
    with served(site) as url:
        yield url


@pytest.fixture(scope="session")
def window(browser):
    """Return one page for all tests: a new one, its cache empty, costs as much as three visits."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture
def page(window, address):
    """Return the page, empty, as wide as ever; the site has stored nothing yet."""
    window.goto("about:blank")
    window.set_viewport_size(VIEW)
    window.emulate_media(media="null", color_scheme="null", reduced_motion="null")
    storage = {"origin": address, "storageTypes": "local_storage"}
    window.context.new_cdp_session(window).send("Storage.clearDataForOrigin", storage)
    return window


@pytest.fixture
def troubles(page, address):
    """Collect what a page must not do: ask elsewhere, miss a file, raise an error."""
    events = []
    with listening(
        page,
        requestfailed=lambda one: "ABORTED" in one.failure or events.append(one.url),
        pageerror=lambda error: events.append(f"error: {error}"),
        console=lambda one: one.type == "error" and events.append(one.text),
        response=lambda one: one.status >= 400 and events.append(f"{one.status}: {one.url}"),
        request=lambda one: one.url.startswith((address, "data:")) or events.append(one.url),
    ):
        yield events
