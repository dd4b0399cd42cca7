"""One zygote for all tests of this folder, which grade the course's own exercises."""

import pytest

from autograde.grading.notebook import HIDDEN_FROM_ANSWERS
from confined.launch import Zygote
from confined.limits import Limits


@pytest.fixture(autouse=True)
def catalogue():
    """Leave the real catalogue in place."""


@pytest.fixture(scope="session")
def zygote():
    with Zygote(Limits(cell_seconds=5.0), HIDDEN_FROM_ANSWERS) as started:
        yield started


@pytest.fixture(scope="session", params=[True, False], ids=["namespaces", "without namespaces"])
def any_zygote(request):
    """Start one with all layers, and one as where the system refuses namespaces."""
    limits = Limits(cell_seconds=5.0)
    with Zygote(limits, HIDDEN_FROM_ANSWERS, namespaces=request.param) as started:
        yield started
