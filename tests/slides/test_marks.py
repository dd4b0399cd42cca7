"""Every chapter has a deck, the same slides in both languages, each with something to say."""

import pytest

from tests.all_chapters import CHAPTERS
from tests.slides.plans import planned
from tools.build.assemble import assemble
from tools.build.chapter_text import ChapterError, read_chapter
from tools.site.mathml import formula
from tools.slides.deck import HOLDS, TEXT_OUTPUT
from tools.slides.points import READER

FEWEST, MOST = 12, 30  # slides
WORDS = {"en": 1400, "zh": 800}  # characters: of the longest task, and what still fits on a stage
LANGUAGES = ("en", "zh")


@pytest.fixture(scope="module", params=CHAPTERS, ids=lambda chapter: chapter.name)
def chapter(request):
    return request.param


@pytest.fixture(scope="module")
def decks(chapter):
    return {language: planned(chapter, language) for language in LANGUAGES}


def test_a_deck_has_its_parts(chapter, decks):
    deck = decks["en"]
    kinds = [slide.kind for slide in deck]
    assert kinds[0] == "title"
    assert "task" in kinds
    assert FEWEST <= len(deck) <= MOST
    assert any("What is not true" in slide.content[0] for slide in deck) or chapter.name[:2] == "00"
    assert any("Take-away" in slide.content[0] for slide in deck[-2:])


def test_both_languages_have_the_same_slides(decks):
    en, zh = (
        [(one.kind, len(one.revealed), bool(one.notes)) for one in deck] for deck in decks.values()
    )
    assert en == zh


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_slide_says_something_and_has_notes(decks, language):
    deck = decks[language]
    assert [one.content for one in deck if one.kind == "points" and one.is_bare()] == []
    assert all(slide.notes for slide in deck)
    tokens = [token for slide in deck for part in slide.content for token in READER.parse(part)]
    assert max(len("".join(slide.content)) for slide in deck) <= WORDS[language]
    formulas = [token for token in tokens if token.type == "math_block"]
    assert all(formula(token.content, display=True).startswith("<math") for token in formulas)


def test_a_text_that_no_slide_holds_is_cut_and_whole_in_the_notes():
    lines = [str(number) for number in range(HOLDS + 1)]
    slide = next(one for one in planned(CHAPTERS[1], "en", "\n".join(lines)) if one.revealed)
    assert slide.revealed[0] == TEXT_OUTPUT.format("\n".join([*lines[: HOLDS - 1], "…"]))
    assert TEXT_OUTPUT.format("\n".join(lines)) in slide.notes
    fits = planned(CHAPTERS[1], "en", "\n".join(lines[:-1]))
    assert all("…" not in text for one in fits for text in one.revealed)


@pytest.mark.parametrize(
    "mark", ['lang="zh" slide="all"', 'lang="zh"\n# 二\n\n# %% slide="show"\nx = 1']
)
def test_a_wrong_mark_is_refused(tmp_path, mark):
    path = tmp_path / "01_one.py"
    text = f'# %% [markdown] lang="en"\n# One\n\n# %% [markdown] {mark}\n# 一\n'
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ChapterError, match="slide="):
        read_chapter(path)


def test_learners_notebooks_carry_no_marks():
    assert [cell for cell in assemble(CHAPTERS[0]).cells if "slide" in cell.metadata] == []
