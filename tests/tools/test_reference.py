"""The reference page: fresh, whole, and every name on it says where it comes from."""

import importlib
import re
from dataclasses import replace
from typing import Literal, get_origin

import pytest

import posenc_ref
from tools.docstrings import read_package
from tools.reference import PAGE, ROOT, reference

FILES = read_package()
NAMES = [(file, name) for file in FILES for name in file.names]
each = pytest.mark.parametrize(("file", "name"), NAMES, ids=[name.name for _, name in NAMES])


def test_the_page_is_fresh():
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    assert page == reference(), "stale, run `python tools/reference.py`"


def test_every_public_name_is_on_the_page():
    page = reference()
    assert {name.name for _, name in NAMES} == set(posenc_ref.__all__)
    missing = [
        n for n in posenc_ref.__all__ if not re.search(rf"^#+ .*`?{n}\b", page, re.MULTILINE)
    ]
    assert missing == []


@each
def test_a_name_has_a_source_and_an_example(file, name):
    assert name.docstring.source or file.docstring.source
    assert ">>> " in name.docstring.example


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
    chosen = {
        word
        for word in re.findall(r"\w+", name.signature)
        if get_origin(getattr(module, word, None)) is Literal
    }
    shown = {line.partition(" = ")[0] for line in file.types}
    assert chosen <= shown


@each
def test_no_section_is_left_in_the_prose(file, name):
    said = (name.docstring, file.docstring, *(method.docstring for method in name.methods))
    titles = "Args|Arguments|Parameters|Returns|Sources?|Raises|Examples?|References?|Notes?"
    assert [d.prose for d in said if re.search(rf"^({titles}):", d.prose, re.MULTILINE)] == []


def test_the_contents_lead_to_the_files():
    """As GitHub makes anchors: the first heading of a name has it, others are numbered."""
    page = re.sub(r"^```.*?^```$", "", reference(), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^(#+) (.+)$", page, re.MULTILINE)
    first = {title.lower(): depth for depth, title in reversed(headings)}
    links = re.findall(r"\]\(#(\w+)\)", page)
    assert sorted(links) == sorted(file.stem for file in FILES)
    assert [link for link in links if first[link] != "###"] == []


def test_a_file_of_no_kind_is_named():
    with pytest.raises(SystemExit, match=r"of which kind is: new"):
        reference([*FILES, replace(FILES[0], stem="new")])
