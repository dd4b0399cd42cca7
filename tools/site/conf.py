"""Sphinx's settings for the site; `tools/site/edition.py` gives the language, title and folders."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # for the extensions below

from bilingual import language as chosen  # noqa: E402

project = "posenc"
extensions = ["myst_nb", "tools.site.mathml", "tools.site.chinese"]
exclude_patterns = ["files"]
templates_path = ["templates"]
nb_execution_mode = "off"  # tools/site/chapter.py has run the notebooks
nb_merge_streams = True
myst_enable_extensions = ["dollarmath"]
myst_url_schemes = {  # page: links to a section of a chapter that may not be built yet
    **dict.fromkeys(("http", "https", "mailto")),
    "page": {"url": "{{path}}.html#{{fragment}}"},
}
html_math_renderer = "mathml"
suppress_warnings = [
    "myst.header",  # a chapter may go from ## to ####
    "misc.highlighting_failure",  # the signature of an exercise, "f(x) -> (L, D)", is not Python
]

html_theme = "sphinx_book_theme"
html_search_language = chosen()
html_static_path = ["static"]
html_favicon = "static/icon.svg"
html_css_files = ["course.css"]
html_js_files = [
    ("language.js", {"defer": "defer"}),
    ("figures.js", {"defer": "defer"}),
    ("museum.js", {"defer": "defer"}),
]
html_show_sourcelink = False
html_show_sphinx = False
html_copy_source = False
html_use_index = False
html_context = {"other": {"zh": "en", "en": "zh"}[chosen()], "default_mode": "auto"}
html_theme_options = {
    "article_header_end": ["language.html", "article-header-buttons.html"],
    "use_download_button": False,
    "use_fullscreen_button": False,
    "show_toc_level": 2,
    "toc_title": {"zh": "本页内容", "en": "On this page"}[chosen()],
    "search_bar_text": {"zh": "搜索…", "en": "Search …"}[chosen()],
    "footer_content_items": [],
}
