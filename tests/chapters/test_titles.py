"""The kit calls a chapter, and says how long it takes, as the chapter's header does."""

from autograde.kit.catalogue import chapter_names
from autograde.kit.chapter import CHAPTERS, Chapter
from tools.contents import chapters


def test_the_kit_knows_every_chapter_by_its_title_and_minutes():
    assert {found.name: Chapter(found.title, found.minutes) for found in chapters()} == CHAPTERS


def test_every_chapter_has_exercises_for_its_time_to_go_down_with():
    assert chapter_names() == list(CHAPTERS)
