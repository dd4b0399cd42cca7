"""The words that docs/glossary.md rules out, in chapters, exercises and quizzes."""

import re
from pathlib import Path

import pytest

from tests.all_chapters import CHAPTERS

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


def files() -> list[Path]:
    """Return the chapters, and with each its labels, its quiz and its exercises."""
    paths = []
    for chapter in CHAPTERS:
        quizzes = QUIZ.findall(chapter.path.read_text(encoding="utf-8"))
        paths += [chapter.path, ROOT / "posenc_viz" / "labels" / f"{chapter.name[3:]}.py"]
        paths += [*(KIT / "quizzes" / f"{name}.py" for name in quizzes)]
        paths += [KIT / "exercises" / f"{name}.py" for name in chapter.exercises]
    return paths + sorted((KIT / "exercises").glob("_*.py"))


WORDS = ruled_out((ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_a_text_keeps_to_the_glossary(path):
    assert uses(path.read_text(encoding="utf-8"), WORDS) == []


def test_the_glossary_rules_out_the_words_of_both_directions():
    assert {"往前", "往回", "站", "shall"} <= set(WORDS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("键往前数", ["往前"]),
        ("这个网站，站得住", []),
        ("词元站在$p$", ["站"]),
        ("we shall see", ["shall"]),
        ("a marshalled list", []),
        ("影响很大，声音很响", ["响"]),
    ],
)
def test_a_word_is_found_unless_the_glossary_allows_it(text, words):
    assert [line.split(": ")[1] for line in uses(text, WORDS)] == words
