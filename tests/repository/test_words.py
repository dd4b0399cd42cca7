"""The word list of docs/style.md, held in docstrings, comments, messages and names."""

import ast
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = (
    "autograde",
    "bilingual",
    "confined",
    "docs",
    "experiments",
    "posenc_glass",
    "posenc_ref",
    "posenc_viz",
    "tests",
    "tools",
)
SYMBOLS = {  # names that are not ours to change: γ of the glossary, and arguments that a task has
    "autograde/exercises/glm_two_positions.py": {"written"},
    "posenc_ref/ntk_by_parts.py": {"kept"},
    "tests/exercises/glm_two_positions.py": {"written"},
    "tests/exercises/llama3_bands.py": {"kept"},
    "tests/exercises/yarn_scaling.py": {"kept"},
}
PHRASES = (
    r"(?<!there\s)\b(?:is|are) none\b",  # of a value that is not one: reads as `None`
    r"(?<![Tt]here\s)\b(?:is|are) no (?:integer|list|matrix|notebook|number|scalar|tensor)s?\b",
    r"^(?:Say|Tell) (?:that|which|whether|what|how|where|who)\b",  # Raise, Return, Print
    r"(?:^|, |\bfor )who (?:writes|reads|waits|calls|asks)\b",  # "once it is full, who writes"
    r"\b[Aa]new\b",  # again, from scratch
    r"\bStub\.cut_off\b",  # the class is StandIn
)
PARTICIPLES = {
    "asked", "chosen", "found", "given", "held", "kept", "known", "made", "named", "said", "shown",
    "taken", "told", "wanted", "written",
}  # fmt: skip


def texts(source: str) -> Iterator[str]:
    """Yield what a person reads in a file: comments, docstrings and messages."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
    lines = iter(source.splitlines(keepends=True))
    for token in tokenize.generate_tokens(lambda: next(lines, "")):
        if token.type == tokenize.COMMENT:
            yield token.string.lstrip("# ")


def names(source: str) -> Iterator[str]:
    """Yield the variables, parameters and functions that a file defines, without underscores."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id.strip("_")
        elif isinstance(node, ast.arg):
            yield node.arg.strip("_")
        elif isinstance(node, ast.FunctionDef):
            yield node.name.strip("_")


def phrases(source: str) -> list[str]:
    return [
        match.group()
        for text in texts(source)
        for phrase in PHRASES
        for match in re.finditer(phrase, text, re.MULTILINE)
    ]


def sources(room: str) -> Iterator[tuple[str, str]]:
    for file in sorted((ROOT / room).rglob("*.py")):
        path = file.relative_to(ROOT).as_posix()
        if file != Path(__file__):
            yield path, file.read_text(encoding="utf-8")


@pytest.mark.parametrize("room", ROOMS)
def test_no_phrase_says_something_else_than_it_means(room):
    bad = {path: phrases(source) for path, source in sources(room) if phrases(source)}
    assert not bad, f"docs/style.md has other words for {bad}"


@pytest.mark.parametrize("room", ROOMS)
def test_a_name_is_a_noun(room):
    files = {
        path: PARTICIPLES & set(names(source)) - SYMBOLS.get(path, set())
        for path, source in sources(room)
    }
    bad = {path: words for path, words in files.items() if words}
    assert not bad, f"name what these hold: {bad}"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('"""Return the dtypes, {} if there are none."""', []),
        ('raise TypeError("an argument that must be a number is none.")', ["is none"]),
        ('def f():\n    """Say that slopes are none."""', ["are none", "Say that"]),
        ("x = 1  # once it is full, who writes waits", [", who writes"]),
        ("x = 1  # the one who writes to it waits", []),
        ('"""TypeError: terms are no list. There are no lists here."""', ["are no list"]),
    ],
)
def test_a_phrase_is_seen_in_docstrings_messages_and_comments(source, found):
    assert phrases(source) == found


def test_a_participle_is_seen_wherever_a_name_is_made():
    source = "def _told(asked, *, base):\n    for said in asked:\n        given = said\n"
    assert PARTICIPLES & set(names(source)) == {"told", "asked", "said", "given"}


PAGES = [*ROOT.glob("docs/*.md"), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_says_grader(page):
    lines = page.read_text(encoding="utf-8").splitlines()
    rows_of_the_list = re.compile(r"^\| .* \| judge \| ")
    assert [one for one in lines if "judge" in one and not rows_of_the_list.match(one)] == []


def test_the_word_list_has_every_participle_checked_here():
    listed = (ROOT / "docs" / "style.md").read_text(encoding="utf-8")
    missing = [word for word in sorted(PARTICIPLES) if f"`{word}`" not in listed]
    assert not missing
