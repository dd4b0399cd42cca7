"""The shipped font holds every Chinese label, and every Chinese token, that a figure may draw."""

import ast
from pathlib import Path

from posenc_viz.font import FIRST, GLYPHS

ROOT = Path(__file__).parents[2]
FILES = sorted(path for room in ("chapters", "posenc_viz") for path in (ROOT / room).rglob("*.py"))


def literals(tree):
    """Yield (line, text) for each string in the code; an f-string counts as one."""
    inside = set()
    for node in ast.walk(tree):  # outer nodes come first
        if isinstance(node, ast.JoinedStr):
            parts = [part for part in node.values if _is_text(part)]
            inside |= set(map(id, parts))
            yield node.lineno, "".join(part.value for part in parts)
        elif _is_text(node) and id(node) not in inside:
            yield node.lineno, node.value


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def lacking(source):
    """Return the characters without a glyph, in strings that hold a hanzi."""
    return {
        f"line {line}: {character}"
        for line, text in literals(ast.parse(source))
        for character in text
        if any("\u4e00" <= each <= "\u9fff" for each in text)
        if character not in (FIRST if "$" in text else GLYPHS) and character != "\n"
    }


def test_every_chinese_label_has_its_glyphs():
    of_files = {path.name: lacking(path.read_text(encoding="utf-8")) for path in FILES}
    missing = {name: sorted(of_one) for name, of_one in of_files.items() if of_one}
    assert not missing, f"add them to tools/font.py and cut the font again: {missing}"


def test_a_missing_glyph_would_be_found():
    assert lacking('Text(en="a", zh=f"獴{k}位")') == {"line 1: 獴"}
    assert lacking('tokens = ["位", "獴"]') == {"line 1: 獴"}
    assert lacking('zh = f"位{k}的$\\\\theta$ᵀ"') == {"line 1: ᵀ"}  # beside a formula
    assert not lacking('zh = "位ᵀ"')
