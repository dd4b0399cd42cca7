"""A Sphinx extension: the search finds Chinese words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.search.zh import SearchChinese


class Chinese(SearchChinese):
    """Chinese words from jieba; in the browser a query is cut by `search.js`.

    Sphinx 9.0 gives Chinese pages the English stemmer, but calls it by the language's name: without
    this name the search of Chinese pages stops with "ChineseStemmer is not defined".
    """

    language_name = "English"
    js_splitter_code = Path(__file__).with_name("search.js").read_text(encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Replace Sphinx's own search for Chinese."""
    app.add_search_language(Chinese)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
