"""The Chromium that browser tests drive, one for the whole run; `tools/browser.py` finds it."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tools.browser import chromium, is_required

PATIENCE = 60_000  # milliseconds for what a busy machine shows late
VIEW = {"width": 1200, "height": 1000}
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let a browser test that fails in CI try once more; the run's last line counts it.

    Where nobody looks on, a machine too busy to serve a page for a minute is not a test's failure.
    """
    if "CI" in os.environ:
        for item in items:
            if item.get_closest_marker("browser"):
                item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return headless Chromium; skip, and say so, where there is none and none is required."""
    executable = chromium()
    if executable is None and not is_required():
        pytest.skip("no Chromium on this machine; `python tools/browser.py` says how to get one")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=executable, args=list(QUIET))
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Return an empty page with a storage of its own."""
    context = browser.new_context(viewport=VIEW)
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@contextmanager
def listening(page: Page, **listeners: Callable[[Any], object]) -> Iterator[None]:
    """Hand the events of a page to the listeners of their names, until the end of the block."""
    for event, listener in listeners.items():
        page.on(event, listener)
    yield
    for event, listener in listeners.items():
        page.remove_listener(event, listener)
