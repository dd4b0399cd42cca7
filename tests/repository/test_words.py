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
VERBS_AFTER = "can|cannot|earns|fails|gets|keeps|loses|may|must|needs|sees|waits|will"
PHRASES = (
    r"(?<!there\s)\b(?:is|are) none\b",  # of a value that is not one: reads as `None`
    r"(?<![Tt]here\s)\b(?:is|are|was|were)\s+no\s+"  # is not a number; "is no longer" is English
    r"(?!(?:better|less|longer|more|one|other|such|worse)\b)\w+",
    r"^(?:Say|Tell) (?:that|which|whether|what|how|where|who)\b",  # Raise, Return, Print
    r"\b(?:by|costs?|for|from|of|than|to|with)\s+who\b",  # for a student who
    rf"(?:\A|[.:;,]\s)[Ww]ho\s(?:[\w'`]+\s){{1,6}}?(?:{VERBS_AFTER})\b",  # whoever, anyone who
    r"\b[Rr]eckon(?:s|ed|ing)?\b",  # compute
    r"\bsomething\s+else\s+than\b",  # differs from
    r"\banother\s+(?:[\w{}]+\s+){0,4}?than\b",  # a different one, one other than
    r"\bonly\s+(?:the|its|their)\s+\w+\s+(?:is|are)\s+another\b",  # only the dtype differs
    r"\b[Aa]new\b",  # again, from scratch
    r"\bStub\.cut_off\b",  # the class is StandIn
)
PARTICIPLES = {
    "asked", "chosen", "found", "given", "held", "kept", "known", "made", "named", "said", "shown",
    "taken", "told", "wanted", "written",
}  # fmt: skip


def texts(source: str) -> Iterator[str]:
    """Yield what a person reads in a file: docstrings, messages, names of tests, comments."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "x" for part in node.values)
            yield "".join(parts)
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name.replace("_", " ")
    yield from comments(source)


def comments(source: str) -> Iterator[str]:
    """Yield the comments, those on lines of their own that follow each other as one text."""
    lines, block = iter(source.splitlines(keepends=True)), []
    for token in tokenize.generate_tokens(lambda: next(lines, "")):
        if token.type == tokenize.COMMENT and token.line.lstrip().startswith("#"):
            block.append(token.string.lstrip("# "))
        elif token.type == tokenize.COMMENT:
            yield token.string.lstrip("# ")
        elif token.type != tokenize.NL and block:
            yield "\n".join(block)
            block = []


def names(source: str) -> Iterator[str]:
    """Yield the variables, parameters and functions that a file defines, without underscores."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id.strip("_")
        elif isinstance(node, ast.arg):
            yield node.arg.strip("_")
        elif isinstance(node, ast.FunctionDef):
            yield node.name.strip("_")


def phrases(*prose: str) -> list[str]:
    matches = [
        match.group()
        for text in prose
        for phrase in PHRASES
        for match in re.finditer(phrase, text, re.MULTILINE)
    ]
    return list(dict.fromkeys(matches))


def sources(room: str) -> Iterator[tuple[str, str]]:
    for file in sorted((ROOT / room).rglob("*.py")):
        yield file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8")


@pytest.mark.parametrize("room", ROOMS)
def test_every_phrase_means_what_it_says(room):
    this = Path(__file__).relative_to(ROOT).as_posix()  # it holds the phrases that it looks for
    bad = {path: phrases(*texts(source)) for path, source in sources(room) if path != this}
    bad = {path: matches for path, matches in bad.items() if matches}
    assert not bad, f"docs/style.md has other words for {bad}"


@pytest.mark.parametrize("room", ROOMS)
def test_a_name_is_a_noun(room):
    files = {
        path: PARTICIPLES & set(names(source)) - SYMBOLS.get(path, set())
        for path, source in sources(room)
    }
    bad = {path: words for path, words in files.items() if words}
    assert not bad, f"name what these hold: {bad}"


def test_a_phrase_is_seen_wherever_a_person_reads(subtests):
    for source, expected in [
        ('"""Return the dtypes, {} if there are none."""', []),
        ('raise TypeError("an argument that must be a number is none.")', ["is none"]),
        ('def f():\n    """Say that slopes are none."""', ["are none", "Say that"]),
        ("x = 1  # once it is full, who writes waits", [", who writes waits"]),
        ("x = 1  # the one who writes to it waits", []),
        ('"""Who has it can read it. Who may, and who waits?"""', ["Who has it can"]),
        ('"""Return what it costs who is late."""', ["costs who"]),
        ('"""TypeError: terms are no list. There are no lists here."""', ["are no list"]),
        ('"""It is no\n    rotation. It is no longer one."""', ["is no rotation"]),
        ("x = 1\n# a cut distance is\n# no part of it\n", ["is no part"]),
        ("def test_what_is_no_number_is_refused(): ...", ["is no number"]),
        ('x = "only the dtype is another"', ["only the dtype is another"]),
        ('x = f"another {name} than FSRS reckons"', ["reckons", "another x than"]),
        ('x = "another {name} than it was"', ["another {name} than"]),
        ('x = "it says something else than before"', ["something else than"]),
    ]:
        with subtests.test(source=source, expected=expected):
            assert [" ".join(match.split()) for match in phrases(*texts(source))] == expected


def test_a_participle_is_seen_wherever_a_name_is_made():
    source = "def _told(asked, *, base):\n    for said in asked:\n        given = said\n"
    assert PARTICIPLES & set(names(source)) == {"told", "asked", "said", "given"}


PAGES = [
    *ROOT.glob("docs/*.md"),
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_phrase_of_a_page_means_what_it_says(page):
    text = page.read_text(encoding="utf-8")
    rows_of_the_list = re.compile(r"^\| .* \| judge \| ")
    judging = [line for line in text.splitlines() if "judge" in line]
    assert [line for line in judging if not rows_of_the_list.match(line)] == [], "say grader"
    if page.stem in ("style", "glossary"):  # their tables list words that are not used
        text = re.sub(r"^\|.*\n", "", text, flags=re.MULTILINE)
    assert phrases(text) == []


def test_the_word_list_has_every_participle_checked_here():
    listed = (ROOT / "docs" / "style.md").read_text(encoding="utf-8")
    missing = [word for word in sorted(PARTICIPLES) if f"`{word}`" not in listed]
    assert not missing
