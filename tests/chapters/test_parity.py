"""Both languages say the same: chapters cell by cell, exercises and quizzes text by text."""

import ast
from pathlib import Path

import pytest

from autograde.kit.catalogue import exercise, questions, quiz_names
from bilingual import Text
from tests.all_chapters import CHAPTERS, cells_of
from tests.chapters.languages import differences, misprints
from tools.build.chapter_text import rubric
from tools.build.contents import Chapter
from tools.build.tables import chapter_table

ROOT = Path(__file__).parents[2]
EXERCISES = ROOT / "autograde/exercises"


def pairs(chapter: Chapter) -> list[Text]:
    """Return the prose of a chapter; `read_chapter` has seen to it that zh follows en."""
    prose = [cell for cell in cells_of(chapter.name) if "lang" in cell.metadata]
    assert [cell.metadata.lang for cell in prose] == ["en", "zh"] * (len(prose) // 2)
    twins = zip(prose[::2], prose[1::2], strict=True)
    rubrics = [rubric(cell) for cell in cells_of(chapter.name) if "thinking" in cell.metadata]
    return [*(Text(en.source, zh.source) for en, zh in twins), *rubrics]


def texts_of_exercise(exercise_id: str) -> list[Text]:
    task = exercise(exercise_id)
    answers = [*task.checks, *task.misconceptions]
    return [task.title, task.task, *task.hints, *(one.sentence for one in answers)]


def texts_of_quiz(quiz: str) -> list[Text]:
    options = [option for question in questions(quiz) for option in question.options]
    texts = [text for option in options for text in (option.text, option.because)]
    return [*(question.prompt for question in questions(quiz)), *texts]


def problems(texts: list[Text]) -> list[str]:
    return [one for text in texts for one in differences(text.en, text.zh) + misprints(text.zh)]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_chapter(chapter: Chapter):
    assert problems(pairs(chapter)) == []
    assert problems([chapter.title, chapter.question]) == []
    first = pairs(chapter)[0]
    number = int(chapter.name[:2])
    assert first.en.startswith(f"# {number} · {chapter.title.en}\n")
    assert first.zh.startswith(f"# {number} · {chapter.title.zh}\n")


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_exercises_of_a_chapter(chapter: Chapter):
    by_name = {name: problems(texts_of_exercise(name)) for name in chapter.exercises}
    assert {name: of_one for name, of_one in by_name.items() if of_one} == {}
    for name in chapter.exercises:
        assert_reasons_show_as_many_values(EXERCISES / f"{name}.py")


def test_what_exercises_share_shows_as_many_values_in_both_languages():
    for path in EXERCISES.glob("_*.py"):
        assert_reasons_show_as_many_values(path)


def assert_reasons_show_as_many_values(path: Path) -> None:
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "expect":
            en, zh = (values(words) for words in call.args[1:])
            assert len(en) == len(zh), f"{path.stem}, line {call.lineno}: {en}, {zh}"


def values(words: ast.expr) -> set[str]:
    """Return the expressions whose values a sentence shows."""
    fields = (part for part in ast.walk(words) if isinstance(part, ast.FormattedValue))
    return {ast.unparse(field.value) for field in fields}


def test_quizzes():
    by_name = {quiz: problems(texts_of_quiz(quiz)) for quiz in quiz_names()}
    assert {quiz: of_one for quiz, of_one in by_name.items() if of_one} == {}


def test_chapter_table():
    assert problems([chapter_table(CHAPTERS)]) == []


def test_a_difference_is_found():
    for en, zh, kind in (
        ("a sum", "一个和", None),
        ("of $x$ and `y`", "`y`和$x$", None),
        ("# One", "一", "headings"),
        ("of $x$", "$y$的", "formulas"),
        ("see `x`", "见`y`", "code"),
        ("see [it](a.md)", "见[它](b.md)", "links"),
        ("a word", "a word", "no hanzi"),
        ("a 词 in English", "一个词", "hanzi in the English"),
    ):
        actual = differences(en, zh)
        assert len(actual) == (kind is not None), en
        assert all(one.startswith(kind) for one in actual), en


def test_a_misprint_is_found():
    for zh, count in (
        ("位置,编码", 1),
        ("位置, `x`和$x$,编码", 2),
        ("位置 RoPE编码", 1),
        ("RoPE 编码", 1),
        ("位置(编码)", 2),
        ("您好", 1),
        ("位置编码（RoPE），见`a, b`和$x, y$。", 0),
        ("在 `x` 里", 0),  # around code and formulas a blank does no harm
        ("**要点。** 位置", 0),
        ("**要点。**位置", 1),  # the stars would show
        ("*位置*编码，`a * b`和$a^*b^*$", 0),
    ):
        assert len(misprints(zh)) == count, zh
