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


def examples(module):
    candidates = FINDER.find(
        importlib.import_module(f"posenc_ref.{module}"), extraglobs={"torch": torch}
    )
    return [example for example in candidates if example.examples]


@pytest.mark.parametrize("module", MODULES)
def test_examples(module):
    for example in examples(module):
        message = []
        results = doctest.DocTestRunner(verbose=False).run(example, out=message.append)
        assert results.failed == 0, "".join(message)


def test_there_are_enough_examples():
    assert sum(len(examples(module)) for module in MODULES) >= 0.9 * len(posenc_ref.__all__)
