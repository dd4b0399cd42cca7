"""The Chromium that browser tests drive: `POSENC_CHROMIUM`, or the first one on PATH."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.lab import VIEW

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return headless Chromium; skip, and say so, where there is none."""
    found = os.environ.get("POSENC_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("no Chromium on PATH; name one in POSENC_CHROMIUM")
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=found, args=list(QUIET))
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Return an empty page with a storage of its own."""
    context = browser.new_context(viewport=VIEW)
    yield context.new_page()
    context.close()
