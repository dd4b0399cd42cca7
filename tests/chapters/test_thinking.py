"""A question that a teacher grades tells who studies alone which questions of the quiz check it."""

import re

import pytest

from autograde.kit.catalogue import questions
from tests.all_chapters import CHAPTERS, cells_of

QUIZ = re.compile(r"(?m)^quiz\(\"(\w+)\"\)$")
CHECKED = {
    "en": re.compile(r"check it with questions? ([\d, and]+) of the"),
    "zh": re.compile(r"自测的第([\d、]+)题核对|测验的第([\d、]+)题核对"),
}
THINKING = [
    chapter
    for chapter in CHAPTERS
    if any("thinking" in cell.metadata for cell in cells_of(chapter.name))
]


def test_the_chapters_with_such_a_question_are_found():
    assert len(THINKING) >= 9


@pytest.mark.parametrize("chapter", THINKING, ids=lambda chapter: chapter.name)
def test_the_questions_that_check_it_are_named_and_there(chapter):
    cells = cells_of(chapter.name)
    place = next(n for n, cell in enumerate(cells) if "thinking" in cell.metadata)
    sources = {cell.metadata.lang: cell.source for cell in cells[place - 2 : place]}
    numbers = {
        lang: [int(number) for number in re.findall(r"\d+", CHECKED[lang].search(sources[lang])[0])]
        for lang in ("en", "zh")
    }
    quiz = next(filter(None, (QUIZ.search(cell.source) for cell in cells[place:])))[1]
    assert numbers["en"] == numbers["zh"]
    assert numbers["en"]
    assert max(numbers["en"]) <= len(questions(quiz))
