"""Every example in the docstrings of posenc_viz gives what it says; every panel has one."""

import doctest
import importlib
import pkgutil

import pytest

import posenc_viz
from posenc_viz.panel import Panel

FINDER = doctest.DocTestFinder(exclude_empty=True)
NAMES = {name: getattr(posenc_viz, name) for name in posenc_viz.__all__}
EXAMPLES = [
    example
    for module in pkgutil.iter_modules(posenc_viz.__path__)
    for example in FINDER.find(
        importlib.import_module(f"posenc_viz.{module.name}"), extraglobs=NAMES
    )
    if example.examples
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_example(example):
    printed = []
    results = doctest.DocTestRunner(verbose=False).run(example, out=printed.append)
    assert results.failed == 0, "".join(printed)


def test_every_panel_has_an_example():
    panels = {n for n, each in NAMES.items() if isinstance(each, type) and issubclass(each, Panel)}
    examples = {example.name.rpartition(".")[2] for example in EXAMPLES}
    assert panels - examples == set()
    assert {"Explorer", "Try"} <= examples
