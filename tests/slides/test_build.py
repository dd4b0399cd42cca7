"""Decks from pages that were kept: nothing runs, and a chapter that fails keeps no other back."""

import pytest

from tests.all_chapters import CHAPTERS
from tools.build.assemble import assemble_page
from tools.build.pool import JobsFailed
from tools.build.release import release, write_notebook
from tools.site.chapter import MADE_FROM, made_from
from tools.slides.__main__ import build

FRAMES = 8


def test_a_chapter_that_fails_is_named_and_the_others_have_their_decks(tmp_path):
    pages, decks = tmp_path / "pages", tmp_path / "decks"
    whole, broken = CHAPTERS[:2]
    for chapter in (whole, broken):
        (pages / chapter.name / "en" / "files").mkdir(parents=True)
        stamp = pages / chapter.name / MADE_FROM
        stamp.write_text(made_from(chapter, assemble_page(chapter), FRAMES), encoding="utf-8")
    page = release(whole.name, assemble_page(whole), "en")
    write_notebook(pages / whole.name / "en" / f"{whole.name}.ipynb", page)
    with pytest.raises(JobsFailed, match=r"^decks failed for 01_permutation\n"):
        build([broken, whole], ("en",), decks, pages, FRAMES)
    assert sorted(path.name for path in decks.glob("en/*.html")) == ["00_start.html"]
