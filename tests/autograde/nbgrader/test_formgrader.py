"""Formgrader's page of a submission: harmless, coloured, and no longer at work than it may be."""

import pytest
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.server_extensions.formgrader import handlers
from traitlets.config import Config, PyFileConfigLoader

from autograde.nbgrader import formgrader
from tests.autograde.hostile import HOSTILE
from tests.security.handed_in import ROOT

PLACE = {"metadata": {"name": "x"}, "index": 0, "total": 1, "base_url": "", "submission_id": "x"}


@pytest.fixture(scope="module")
def exporter():
    """Return the exporter as nbgrader's extension makes it of the course's settings."""
    course = PyFileConfigLoader("nbgrader_config.py", str(ROOT)).load_config()
    config = Config(HTMLExporter=course.HTMLExporter)
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    return HTMLExporter(config=config)


def page(exporter, *cells):
    return exporter.from_notebook_node(new_notebook(cells=list(cells)), resources=dict(PLACE))[0]


def test_words_are_marked_up_and_code_is_coloured(exporter):
    text = page(exporter, new_markdown_cell("**bold**"), new_code_cell("def f(): pass"))
    assert "<strong>bold</strong>" in text
    assert '<span class="k">def</span>' in text


def test_what_comes_after_the_time_of_a_page_is_shown_as_it_was_written(exporter, monkeypatch):
    monkeypatch.setattr(formgrader, "PAGE_SECONDS", 0.0)
    cells = [new_markdown_cell(words) for words in HOSTILE.values()]
    text = page(exporter, *cells, new_markdown_cell("**bold**"), new_code_cell("def f(): '<b>'"))
    assert "<pre>**bold**</pre>" in text
    assert "<pre>def f(): '&lt;b&gt;'</pre>" in text
    for words in HOSTILE.values():
        assert "<" not in words or words not in text


def test_nbconverts_own_filter_for_links_does_not_run(exporter):
    """Of 50 texts of opening brackets it made a page that the whole server waited minutes for."""
    ours = exporter.environment.filters["strip_files_prefix"]
    assert ours("[" * 100_000 + "](files/x)") == "[" * 100_000 + "](files/x)"
