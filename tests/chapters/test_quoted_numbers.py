"""A number that is quoted from another section is in that section: in its text, code or output.

Checked are numbers with a decimal point, in the committed notebooks: in each answer of 11.8, taken
whole, and elsewhere in each sentence or row of a table that names another section. One of the
sections named there must hold the number, in the same language, or the code and outputs of the
section that quotes it. Fewer digits than there are allowed. What looks like the number of a section
is taken for its name, so a quoted 2.5 is not checked; nor are formulas.
"""

import re
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import NamedTuple

import nbformat

from tests.chapters.languages import FORMULA

SOLUTIONS = Path(__file__).parents[2] / "solutions"
INTERVIEW = "11.8"
HEADING = re.compile(r"^## (?:(\d+\.\d+) )?", re.MULTILINE)
ANSWER = re.compile(r"^### ", re.MULTILINE)
SENTENCE = re.compile(r"(?<=[.?!;]) |(?<=[.?!]\)) |(?<=[。？！；])|\n\n|\n(?=\|)")
EXPONENT = r"e[+-]?\d+"
NUMBER = re.compile(
    rf"(?<![\w.,/:])[−-]?\d+(?:\.\d+(?:{EXPONENT})?|{EXPONENT})(?!\w|\.\d)", re.ASCII
)
NOT_THERE = {
    ("1.9", "0.4"): "measured there; the 2.7% beside it is not a section",
    ("5.8", "0.01"): "an answer to choose; the 1.5 beside it is not a section",
    ("6.4", "3.50"): "published, as all of this table; 6.7 says what YaRN is",
    ("6.4", "3.35"): "the same",
    ("6.4", "6.04"): "the same",
    ("6.13", "25.5"): "worked out there; the 12.4 beside it, of GiB, is not a section",
    ("8.10", "5.23"): "a version",
    ("9.11", "0.12"): "a difference of numbers in 9.3, 1.20 and 1.08",
    ("11.8", "1.30"): "the square of the 1.14 beside it, which is 6.7's formula at s = 4",
    ("11.8", "1.71"): "what the cell of 6.7 prints for other numbers, as the answer says",
    ("14.7", "2.03"): "measured there; the 3.2 beside it is not a section",
}


class Passage(NamedTuple):
    """A text that may quote, and where it stands."""

    section: str
    lang: str
    text: str


@cache
def course() -> tuple[dict[tuple[str, str], str], list[Passage]]:
    """Return each section's text in "en" and "zh" and its "code" with outputs; all passages."""
    texts: dict[tuple[str, str], str] = {}
    passages = []
    for path in sorted(SOLUTIONS.glob("*/*.ipynb")):
        section = ""
        for cell in nbformat.read(path, as_version=4).cells:
            lang = cell.metadata.get("posenc", {}).get("lang", "code")
            if cell.cell_type == "markdown" and (heading := HEADING.search(cell.source)):
                section = heading[1] or ""  # "## Further reading" has no number
            text = f"{cell.source}\n{printed(cell)}\n"
            texts[section, lang] = texts.get((section, lang), "") + text
            if lang != "code":
                border = ANSWER if section == INTERVIEW else SENTENCE
                passages += [Passage(section, lang, one) for one in border.split(text)]
    return texts, passages


def printed(cell: nbformat.NotebookNode) -> str:
    outputs = cell.get("outputs", [])
    texts = (one.get("text") or one.get("data", {}).get("text/plain", "") for one in outputs)
    return "\n".join(texts)


def numbers(text: str) -> list[str]:
    return [number.replace("−", "-") for number in NUMBER.findall(text)]


def occurs(quoted: str, text: str) -> bool:
    """Return whether `text` has the number, with as many digits or with more."""
    value = Decimal(quoted)
    unit = value.as_tuple().exponent
    candidates = [one for one in map(Decimal, numbers(text)) if one.as_tuple().exponent <= unit]
    return any(abs(one - value) <= Decimal((0, (5,), unit - 1)) for one in candidates)


def missing(passage: Passage) -> list[str]:
    """Return the numbers of a passage that the sections it names do not have."""
    texts, _ = course()
    sections = {section for section, _ in texts if not section.startswith("0.")}
    words = FORMULA.sub("", HEADING.sub("", passage.text))
    names = sections.intersection(numbers(words)) - {passage.section}
    places = [(name, part) for name in names for part in (passage.lang, "code")]
    sources = [texts.get(place, "") for place in (*places, (passage.section, "code"))]
    quoted = [number for number in numbers(words) if names and number not in sections]
    return [one for one in quoted if not any(occurs(one, source) for source in sources)]


def test_a_quoted_number_is_where_the_text_says():
    problems = {
        (passage.section, passage.lang, number): passage.text[:80]
        for passage in course()[1]
        for number in missing(passage)
        if (passage.section, number) not in NOT_THERE
    }
    assert problems == {}


def test_each_exception_is_needed():
    needed = {(passage.section, one) for passage in course()[1] for one in missing(passage)}
    assert NOT_THERE.keys() - needed == set()


def test_every_answer_is_read():
    answers = [one for one in course()[1] if one.section == INTERVIEW and "<details>" in one.text]
    assert len(answers) == 2 * 25


def test_fewer_digits_are_the_same_number(subtests):
    for quoted, text, there in [
        ("-5.25", "scores −5.25", True),
        ("-5.25", "scores 5.25", False),
        ("0.43", "0.428", True),
        ("0.428", "0.43", False),
        ("0.43", "0.436", False),
        ("0.0007", "float32 7e-04", True),
        ("7.10", "7.10.2", False),
    ]:
        with subtests.test(quoted=quoted, text=text, there=there):
            assert occurs(quoted, text) is there


def test_a_changed_number_is_found():
    quote = "5.1 measures −0.11, 0.37 and −0.71."
    assert missing(Passage("4.1", "en", quote)) == []
    assert missing(Passage("4.1", "en", quote.replace("0.37", "0.38"))) == ["0.38"]
