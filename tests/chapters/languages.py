"""What must be the same in both languages of a text, and how Chinese is set."""

import re

from markdown_it import MarkdownIt

HANZI = "\u3400-\u4dbf\u4e00-\u9fff"
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
FORMULA = re.compile(r"\$\$.+?\$\$|(?<!\\)\$[^$]+\$", re.DOTALL)
LINK = re.compile(r"\]\(([^()\s]+)\)|(https?://[^\s)>\]」，。]+)")
HEADING = re.compile(r"^(#{1,6}) ", re.MULTILINE)
NUMBER = re.compile(r"^#+ \d+(\.\d+)*", re.MULTILINE)  # of a heading
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
RULES = {
    "half-width punctuation between hanzi": re.compile(f"[{HANZI}][,.;:!?][{HANZI}]"),
    "half-width brackets around hanzi": re.compile(rf"\([{HANZI}]|[{HANZI}]\)"),
    "a blank between hanzi and Latin": re.compile(f"[{HANZI}] +[A-Za-z0-9]|[A-Za-z0-9] +[{HANZI}]"),
    "您": re.compile("您"),
}


def differences(en: str, zh: str) -> list[str]:
    """Return what is not the same in two texts that say the same."""
    problems = []
    for name, of in (
        ("headings", headings),
        ("code", code),
        ("formulas", formulas),
        ("links", links),
    ):
        if of(en) != of(zh):
            problems.append(f"{name}: {of(en)} in English, {of(zh)} in Chinese")
    if not re.search(f"[{HANZI}，。：；？！]", prose(zh)) and re.search("[a-z]{3}", prose(en)):
        problems.append(f"no hanzi in {zh!r}")
    if re.search(f"[{HANZI}]", CODE.sub("", en)):
        problems.append(f"hanzi in the English {en!r}")
    return problems


def misprints(zh: str) -> list[str]:
    """Return the places where Chinese prose breaks the rules of its typography."""
    problems = [
        f"{name}: {match.group()!r}"
        for name, rule in RULES.items()
        for match in rule.finditer(prose(zh))
    ]
    return problems + loose_stars(zh)


def headings(text: str) -> list[int]:
    return [len(level) for level in HEADING.findall(_without_blocks(text))]


def code(text: str) -> list[str]:
    """Return the code spans, sorted: languages order their sentences differently."""
    return sorted(CODE.findall(text))


def formulas(text: str) -> list[str]:
    matches = FORMULA.findall(CODE.sub("", text))
    return sorted(" ".join(formula.split()) for formula in matches)


def links(text: str) -> list[str]:
    matches = LINK.findall(CODE.sub("", text))
    return sorted(inside or bare for inside, bare in matches)


def prose(text: str) -> str:
    """Return a text with a mark of no script in place of code, formulas and links."""
    for pattern in (COMMENT, CODE, FORMULA, LINK, NUMBER):
        text = pattern.sub("\u2009", text)
    return text


def _without_blocks(text: str) -> str:
    return re.sub(r"```.*?```", "", text, flags=re.DOTALL)


def loose_stars(text: str) -> list[str]:
    """Return the texts in which a * stays a star: emphasis that a renderer does not close.

    By the rules of CommonMark a closing * after punctuation must be followed by a blank or by
    punctuation, which Chinese sentences often do not have: `*句子。*下一句`.
    """
    plain = FORMULA.sub("$", CODE.sub("`x`", text))
    blocks = MarkdownIt().enable("table").parse(plain)
    leaves = [leaf for block in blocks for leaf in block.children or ()]
    return [f"* left over in {leaf.content!r}" for leaf in leaves if "*" in leaf.content]
