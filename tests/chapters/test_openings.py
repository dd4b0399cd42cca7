"""The minutes, points and exercises that a chapter's opening names are those of its kit."""

import re

import pytest

from autograde.kit.catalogue import exercise
from tools.build.chapter_text import read_chapter
from tools.build.contents import Chapter, chapters

OPENING = {"en": "**You need**", "zh": "**你需要**"}
BY_TEACHER = {  # points of a question that a teacher grades, beside those of the exercises
    "en": re.compile(r"(\d+) more for a question"),
    "zh": re.compile(r"教师评分的题，(\d+)分"),
}
NAMED = {
    "en": {"minutes": r"(\d+) minutes", "points": r"(\d+) points", "exercises": r"(\d+) exercises"},
    "zh": {"minutes": r"(\d+)分钟", "points": r"(\d+)分(?!钟)", "exercises": r"(\d+)道练习"},
}


def opening(chapter: Chapter, language: str) -> str:
    """Return the first prose cell that says what a reader needs, on one line."""
    cells = (cell for cell in read_chapter(chapter.path) if cell.metadata.get("lang") == language)
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
    rubrics = [cell for cell in read_chapter(chapter.path) if "thinking" in cell.metadata]
    return {
        "minutes": chapter.minutes,
        "points": sum(exercise(name).points for name in chapter.exercises),
        "exercises": len(chapter.exercises),
        "by_teacher": sum(int(cell.metadata["points"]) for cell in rubrics),
    }


@pytest.mark.parametrize("language", OPENING)
@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.name)
def test_an_opening_names_the_numbers_of_its_chapter(chapter, language):
    in_text, actual = numbers(opening(chapter, language), language), facts(chapter)
    assert in_text["minutes"] == {actual["minutes"]}
    assert in_text["points"] == {actual["points"]}
    assert in_text["exercises"] <= {actual["exercises"]}  # not every opening counts them
    assert in_text["by_teacher"] == ({actual["by_teacher"]} - {0})


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "About 140 minutes, 19 points.", (140, 19, None, None)),
        ("en", "90 minutes, 7 exercises, 12 points, and 3 more for a question", (90, 12, 7, 3)),
        ("zh", "约140分钟，共19分。", (140, 19, None, None)),
        ("zh", "约90分钟，7道练习，共12分，另有一道由教师评分的题，3分。", (90, 12, 7, 3)),
    ],
)
def test_the_numbers_of_an_opening_are_found(language, text, expected):
    kinds = ("minutes", "points", "exercises", "by_teacher")
    sets = [set() if number is None else {number} for number in expected]
    assert numbers(text, language) == dict(zip(kinds, sets, strict=True))
