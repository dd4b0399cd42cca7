"""The reference page: fresh, whole, and every name on it says where it comes from."""

import importlib
import re
import shutil
from dataclasses import replace
from typing import Literal, get_origin

import pytest

import posenc_ref
from tests.one_test import one_test
from tools.docstrings import PACKAGE, read_package, unexported
from tools.pages import ROOT
from tools.reference import PAGE, reference

FILES = read_package()
NAMES = [(file, name) for file in FILES for name in file.names]
# an axis: …, a number, or a name of the package's axes, perhaps with others: 2m + 1, heads·D, r/2
NAMED = r"(?:Hkv|Lq|Lk|Dv|[BDFHLVR]|axes|buckets|count|dim|heads|keys|length|rows)"
LETTER = rf"(?:{NAMED}|[a-z])"
AXIS = rf"(?:…|\d*{LETTER}(?:(?:[·/]| \+ ){LETTER}?\d*)*|\d+)"
# a tuple, so with a comma; one letter alone must be of an axis: (n,) and (r/2,), not (a, b)
SHAPE = re.compile(
    rf"\((?:(?=[^()]*(?:…|\b{NAMED}\b))(?=[^()]*,){AXIS}(?:, {AXIS})*,?|[nr](?:/2)?,)\)"
)
FORMULA = re.compile(r"^    \S.*[=·+√Σ/⊙→|]", re.MULTILINE)
PAPER = re.compile(r"\b(?:19|20)\d\d\b[^;]*(?:§|eq\.|appendix|Figure|Table|Theorem)", re.DOTALL)
LIBRARY = re.compile(r"`[^`\n]+`[^;]*? (?:in|of)\s+[\w./-]+")
UNREAD = ("Chi et al. 2023", "Li et al. 2024", "Sun et al. 2023")  # Sandwich, FIRE, xPos
each = one_test(NAMES, lambda file, name: name.name)


def test_the_page_is_up_to_date():
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    assert page == reference(), "stale, run `python -m tools.reference`"


def test_every_public_name_is_on_the_page():
    page = reference()
    assert {name.name for _, name in NAMES} == set(posenc_ref.__all__)
    missing = [
        n for n in posenc_ref.__all__ if not re.search(rf"^#+ .*`?{n}\b", page, re.MULTILINE)
    ]
    assert missing == []


@each
def test_a_name_has_a_source_and_an_example(file, name):
    """A paper with its section or equation, a name in a library, or none: plumbing, an identity."""
    source = name.docstring.source
    is_traced = source.startswith("none") or PAPER.search(source) or LIBRARY.search(source)
    message = "should be a paper with its section, a name in a library, or begin with 'none'"
    assert is_traced, f"{source!r} {message}"
    assert ">>> " in name.docstring.example


@each
def test_of_a_paper_that_was_not_compared_no_section_is_cited_but_the_code_is(file, name):
    source = name.docstring.source
    if any(paper in source for paper in UNREAD):
        assert not PAPER.search(source)
        assert LIBRARY.search(source)


@each
def test_a_name_has_shapes(file, name):
    """Axes in parentheses; a result that is not a tensor says so."""
    prose = "\n".join(d.prose for d in (name.docstring, *(m.docstring for m in name.methods)))
    assert SHAPE.search(prose) or "Python float" in prose or "() →" in prose, prose


@each
def test_a_name_has_a_formula(file, name):
    """Set apart, in its own docstring or one of its methods'."""
    parts = name.docstring.prose, *(method.docstring.prose for method in name.methods)
    assert any(FORMULA.search(prose) for prose in parts)


@pytest.mark.parametrize(
    ("pattern", "hits", "misses"),
    [
        (
            SHAPE,
            ("(B, L)", "(…, L, r/2)", "(heads·D, …)", "(n,)", "(D/2,)"),
            ("(paper)", "(OPT, BART)", "(i - j)", "(a, b)", "(i)", "(1)", "(D)", "(2, 3)"),
        ),
        (FORMULA, ("x:\n\n    a = b + c",), ("a = b", "x:\n\n    no formula")),
        (
            PAPER,
            ("Su et al. 2021, §3.2", "Huang et al. 2020, eq. (12)"),
            ("Su et al. 2021", "§3.2", "Cho et al. 2014; §3", "that of the score"),
        ),
        (
            LIBRARY,
            ("`XPOS` in microsoft/torchscale", "`a` and\n`b` in Hugging Face transformers"),
            ("`XPOS`", "the same script in reverse", "`x`; in it"),
        ),
    ],
    ids=["shape", "formula", "paper", "library"],
)
def test_the_patterns_can_fail(pattern, hits, misses):
    assert all(pattern.search(text) for text in hits)
    assert not any(pattern.search(text) for text in misses)


@each
def test_errors_that_a_name_raises_are_named(file, name):
    for line in name.docstring.raises.splitlines():
        if line and not line.startswith(" "):
            assert re.match(r"\w+(, \w+)*: ", line), line


@each
def test_an_example_imports_the_package_as_a_user_does(file, name):
    imported = re.findall(
        r"^>>> from posenc_ref import (.+)$", name.docstring.example, re.MULTILINE
    )
    assert imported
    assert set(", ".join(imported).split(", ")) <= set(posenc_ref.__all__)


@each
def test_the_values_that_a_convention_can_take_are_beside_it(file, name):
    module = importlib.import_module(f"posenc_ref.{file.stem}")
    conventions = {
        word
        for word in re.findall(r"\w+", name.signature)
        if get_origin(getattr(module, word, None)) is Literal
    }
    listed = {line.partition(" = ")[0] for line in file.types}
    assert conventions <= listed


@each
def test_no_section_is_left_in_the_prose(file, name):
    docstrings = (name.docstring, file.docstring, *(method.docstring for method in name.methods))
    titles = "Args|Arguments|Parameters|Returns|Sources?|Raises|Examples?|References?|Notes?"
    assert [d.prose for d in docstrings if re.search(rf"^({titles}):", d.prose, re.MULTILINE)] == []


def test_the_contents_lead_to_the_files():
    """As GitHub makes anchors: the first heading of a name has it, others are numbered."""
    page = re.sub(r"^```.*?^```$", "", reference(), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^(#+) (.+)$", page, re.MULTILINE)
    first = {title.lower(): depth for depth, title in reversed(headings)}
    links = re.findall(r"\]\(#(\w+)\)", page)
    assert sorted(links) == sorted(file.stem for file in FILES)
    assert [link for link in links if first[link] != "###"] == []


def test_a_file_without_a_kind_is_reported():
    with pytest.raises(SystemExit, match=r"to a kind in KINDS of tools/reference.py: new"):
        reference([*FILES, replace(FILES[0], stem="new")])


NEW = '''def new(positions):
    """Return a new encoding.

    Source: Someone 2030, §1.
    """
'''


IMPORTED = "none, an idea.\n    Example:\n        >>> from posenc_ref import new"


def test_an_encoding_that_is_not_exported_is_reported(tmp_path):
    package = shutil.copytree(PACKAGE, tmp_path / "posenc_ref")
    assert unexported(package) == []
    (package / "new.py").write_text(NEW, encoding="utf-8")
    assert unexported(package) == ["new.py", "new.new"]
    with (package / "encoding_names.py").open("a", encoding="utf-8") as file:
        file.write("from posenc_ref.new import new\n")
    assert unexported(package) == ["new.new"]
    (package / "new.py").write_text(NEW.replace("Someone 2030, §1.", IMPORTED), encoding="utf-8")
    assert unexported(package) == ["new.new"]


def test_the_page_is_not_built_while_a_name_is_not_exported(monkeypatch):
    monkeypatch.setattr("tools.reference.unexported", lambda: ["new.new"])
    with pytest.raises(SystemExit, match=r"export it in posenc_ref/__init__.py, .*: new\.new"):
        reference()
