"""The points and exercises that a chapter's opening names are those of its kit.

Its minutes are filled in by the build: they stand there as `{minutes}`.
"""

import re

import pytest

from autograde.kit.catalogue import exercise
from autograde.kit.cell_role import cell_role
from tests.all_chapters import CHAPTERS, cells_of
from tools.build.assemble import assemble
from tools.build.contents import Chapter
from tools.build.marks import MINUTES

OPENING = {"en": "**You need**", "zh": "**你需要**"}
BY_TEACHER = {  # points of a question that a teacher grades, beside those of the exercises
    "en": re.compile(r"(\d+) more for a question"),
    "zh": re.compile(r"教师评分的题，(\d+)分"),
}
NAMED = {
    "en": {"points": r"(\d+) points", "exercises": r"(\d+) exercises"},
    "zh": {"points": r"(\d+)分(?!钟)", "exercises": r"(\d+)道练习"},
}


def opening(chapter: Chapter, language: str) -> str:
    """Return the first prose cell that says what a reader needs, on one line."""
    cells = (cell for cell in cells_of(chapter.name) if cell.metadata.get("lang") == language)
    text = next(cell.source for cell in cells if OPENING[language] in cell.source)
    return " ".join(text.partition(OPENING[language])[2].split())


def numbers(text: str, language: str) -> dict[str, set[int]]:
    """Return what an opening names: each kind of number, wherever it stands."""
    by_teacher = {int(points) for points in BY_TEACHER[language].findall(text)}
    rest = BY_TEACHER[language].sub("", text)
    in_text = {kind: {*map(int, re.findall(form, rest))} for kind, form in NAMED[language].items()}
    return {**in_text, "by_teacher": by_teacher}


def facts(chapter: Chapter) -> dict[str, int]:
    """Return the same numbers from the chapter's header, its exercises and its rubrics."""
    rubrics = [cell for cell in cells_of(chapter.name) if "thinking" in cell.metadata]
    return {
        "points": sum(exercise(name).points for name in chapter.exercises),
        "exercises": len(chapter.exercises),
        "by_teacher": sum(int(cell.metadata["points"]) for cell in rubrics),
    }


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_an_opening_names_the_numbers_of_its_chapter(chapter):
    actual = facts(chapter)
    for language in OPENING:
        in_text = numbers(opening(chapter, language), language)
        both = f"{language}: the opening says {in_text}, the exercises are worth {actual}"
        assert in_text["points"] == {actual["points"]}, both
        assert in_text["exercises"] <= {actual["exercises"]}, both  # not every opening counts them
        assert in_text["by_teacher"] == ({actual["by_teacher"]} - {0}), both


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_an_opening_leaves_its_minutes_to_the_build(chapter):
    for language, cell in zip(("en", "zh"), cells_of(chapter.name)[:2], strict=True):
        assert cell.metadata["lang"] == language
        assert cell.source.count(MINUTES) == 1
    built = [cell.source for cell in assemble(chapter).cells if cell_role(cell).section == 0]
    assert len(built) == 2
    assert all(str(chapter.minutes) in text and MINUTES not in text for text in built)


def test_the_numbers_of_an_opening_are_found():
    for language, text, *expected in (
        ("en", "About 140 minutes, 19 points.", {19}, set(), set()),
        ("en", "90 minutes, 7 exercises, 12 points, and 3 more for a question", {12}, {7}, {3}),
        ("zh", "约140分钟，共19分。", {19}, set(), set()),
        ("zh", "约90分钟，7道练习，共12分，另有一道由教师评分的题，3分。", {12}, {7}, {3}),
    ):
        kinds = ("points", "exercises", "by_teacher")
        assert numbers(text, language) == dict(zip(kinds, expected, strict=True)), text
