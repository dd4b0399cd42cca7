"""The words that docs/glossary.md rules out, in chapters, exercises and quizzes."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.all_chapters import CHAPTERS
from tools.build.contents import Chapter

ROOT = Path(__file__).parents[2]
KIT = ROOT / "autograde"
QUIZ = re.compile(r"^quiz\(\"(\w+)\"", re.MULTILINE)
ROW = re.compile(r"^\| ([^|]+) \| [^|]+ \|([^|]*)\|$", re.MULTILINE)
SECTION = "## Words that we do not use"


def ruled_out(glossary: str) -> dict[str, re.Pattern[str]]:
    """Return what the glossary's last column allows, then the word itself, as one pattern each."""
    rows = ROW.findall(glossary.partition(SECTION)[2].partition("\n## ")[0])[1:]
    return {word: _pattern(word, allowed.split("、")) for word, allowed in rows}


def _pattern(word: str, allowed: list[str]) -> re.Pattern[str]:
    """Return a pattern whose group matches `word` where no allowed phrase holds it."""
    edge = r"\b" if word.isascii() else ""
    phrases = [re.escape(phrase.strip()) for phrase in allowed if phrase.strip()]
    return re.compile("|".join([*phrases, f"({edge}{re.escape(word)}{edge})"]))


def uses(text: str, words: dict[str, re.Pattern[str]]) -> list[str]:
    """Return the lines of `text` with a word that the glossary rules out."""
    return [
        f"{number}: {word}: {line.strip()}"
        for number, line in enumerate(text.splitlines(), start=1)
        for word, pattern in words.items()
        if any(match.group(1) for match in pattern.finditer(line))
    ]


def files(chapter: Chapter) -> list[Path]:
    """Return the files of a chapter: itself, its labels, its quizzes and its exercises."""
    quizzes = QUIZ.findall(chapter.path.read_text(encoding="utf-8"))
    return [
        *(chapter.path, ROOT / "posenc_viz" / "labels" / f"{chapter.name[3:]}.py"),
        *(KIT / "quizzes" / f"{name}.py" for name in quizzes),
        *(KIT / "exercises" / f"{name}.py" for name in chapter.exercises),
    ]


WORDS = ruled_out((ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"))


def ruled_out_in(paths: Iterable[Path]) -> dict[str, list[str]]:
    """Return the lines with such a word by the name of their file."""
    by_file = {path.name: uses(path.read_text(encoding="utf-8"), WORDS) for path in paths}
    return {name: lines for name, lines in by_file.items() if lines}


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_the_texts_of_a_chapter_keep_to_the_glossary(chapter):
    assert ruled_out_in(files(chapter)) == {}


def test_what_exercises_share_keeps_to_the_glossary():
    assert ruled_out_in((KIT / "exercises").glob("_*.py")) == {}


def test_the_glossary_rules_out_the_words_of_both_directions():
    assert {"往前", "往回", "站", "shall"} <= set(WORDS)


def test_a_word_is_found_unless_the_glossary_allows_it():
    for text, words in (
        ("键往前数", ["往前"]),
        ("这个网站，站得住", []),
        ("词元站在$p$", ["站"]),
        ("we shall see", ["shall"]),
        ("a marshalled list", []),
        ("影响很大，声音很响", ["响"]),
    ):
        assert [line.split(": ")[1] for line in uses(text, WORDS)] == words, text
