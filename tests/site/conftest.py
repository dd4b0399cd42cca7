"""The site, built once for all tests of this folder."""

import os
from unittest.mock import patch

import pytest

from tests.chromium import VIEW
from tests.site.pages import build_site, served


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    """Return the folder of the pages, which the decks are made from as well."""
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="session")
def site(tmp_path_factory, store, kernel_environment):
    with patch.dict(os.environ, kernel_environment):
        return build_site(tmp_path_factory.mktemp("site") / "site", store)


@pytest.fixture(scope="session")
def address(site):
    with served(site) as url:
        yield url


@pytest.fixture(scope="session")
def context(browser):
    """Return one reader's cache, which spares most of what it takes to load a page."""
    context = browser.new_context(viewport=VIEW)
    yield context
    context.close()


@pytest.fixture
def page(context, address):
    """Return an empty page; the site has stored nothing yet."""
    page = context.new_page()
    storage = {"origin": address, "storageTypes": "local_storage"}
    context.new_cdp_session(page).send("Storage.clearDataForOrigin", storage)
    yield page
    page.close()


@pytest.fixture
def troubles(page, address):
    """Collect what a page must not do: ask elsewhere, miss a file, raise an error."""
    events = []
    page.on("requestfailed", lambda r: "ABORTED" in r.failure or events.append(r.url))
    page.on("pageerror", lambda error: events.append(f"error: {error}"))
    page.on("response", lambda r: r.status >= 400 and events.append(f"{r.status}: {r.url}"))
    page.on(
        "request",
        lambda request: request.url.startswith((address, "data:")) or events.append(request.url),
    )
    return events
