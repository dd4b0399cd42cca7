"""The reference page: fresh, whole, and every name on it says where it comes from."""

import re

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
