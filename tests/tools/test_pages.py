"""A page of docs/ that is built: written with its pictures, or called stale."""

from pathlib import Path

import pytest

from tools import pages

PAGE, PICTURE = Path("docs", "page.md"), Path("docs", "images", "picture.png")


def build(text):
    pages.write_or_check(text, PAGE, "make page", "Builds it.", lambda: {PICTURE: text.encode()})


def test_a_build_writes_page_and_pictures_and_a_check_compares_the_page(tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    monkeypatch.setattr("sys.argv", ["page"])
    build("词 word")
    monkeypatch.setattr("sys.argv", ["page", "--check"])
    build("词 word")
    with pytest.raises(SystemExit, match=r"stale, run `make page`: docs/page\.md"):
        build("another")
    for path in (PAGE, PICTURE):
        assert (tmp_path / path).read_text(encoding="utf-8") == "词 word"
