"""The small site, built once for all tests of this folder."""

import pytest

from tests.site.small import build_small, served


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    return build_small(tmp_path_factory.mktemp("site") / "site")


@pytest.fixture(scope="session")
def address(site):
    with served(site) as found:
        yield found


@pytest.fixture
def troubles(page, address):
    """Collect what a page must not do: ask elsewhere, miss a file, raise an error."""
    found = []
    page.on("requestfailed", lambda asked: "ABORTED" in asked.failure or found.append(asked.url))
    page.on("pageerror", lambda error: found.append(f"error: {error}"))
    page.on("response", lambda got: got.status >= 400 and found.append(f"{got.status}: {got.url}"))
    page.on(
        "request",
        lambda asked: asked.url.startswith((address, "data:")) or found.append(asked.url),
    )
    return found
