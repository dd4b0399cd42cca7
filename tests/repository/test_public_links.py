"""Binder, Colab and source links: made from one setting, left out while it is unset."""

import re
from pathlib import Path

import pytest

import tools.build.contents
from tests.all_chapters import CHAPTERS
from tools.build.contents import navigation, public_links

ROOT = Path(__file__).parents[2]
PATH = "notebooks/00_start/00_start.ipynb"


@pytest.fixture
def links(monkeypatch, tmp_path):
    """Return a function from a public address to the links at the end of the first chapter."""
    first = CHAPTERS[0]
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")

    def text_of_links(repository: str) -> str:
        setting = f'repository = "{repository}"'
        changed, count = re.subn(r'^repository = ".*"$', setting, text, flags=re.MULTILINE)
        assert count == 1
        (tmp_path / "pyproject.toml").write_text(changed, encoding="utf-8")
        monkeypatch.setattr(tools.build.contents, "ROOT", tmp_path)
        return navigation(first).in_language("both")

    return text_of_links


def test_without_an_address_there_are_no_links(links):
    text = links("")
    assert "index.ipynb" in text
    assert "https://" not in text
    assert public_links(PATH) == []


@pytest.mark.parametrize("slash", ["", "/"])
def test_an_address_gives_source_binder_and_colab_in_both_languages(links, slash):
    text = links(f"https://example.org/owner/name{slash}")
    assert text.count(f"https://example.org/owner/name/blob/main/{PATH}") == 2
    assert text.count(f"/gh/owner/name/main?urlpath=lab/tree/{PATH}") == 2
    assert text.count(f"/github/owner/name/blob/main/{PATH}") == 2
