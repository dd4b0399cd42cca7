"""Every example in the docstrings of posenc_ref gives what it says."""

import doctest
import importlib
import pkgutil

import pytest
import torch

import posenc_ref

pytestmark = pytest.mark.cpu_only("an example shows what a CPU prints")

FINDER = doctest.DocTestFinder(exclude_empty=True)
MODULES = [module.name for module in pkgutil.iter_modules(posenc_ref.__path__)]
EXAMPLES = [
    example
    for name in MODULES
    for example in FINDER.find(
        importlib.import_module(f"posenc_ref.{name}"), extraglobs={"torch": torch}
    )
    if example.examples
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_example(example):
    message = []
    results = doctest.DocTestRunner(verbose=False).run(example, out=message.append)
    assert results.failed == 0, "".join(message)


def test_there_are_enough_examples():
    assert len(EXAMPLES) >= 0.9 * len(posenc_ref.__all__)
