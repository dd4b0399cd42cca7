"""One judge for all tests of this folder, and chapters as the gradebook would record them."""

import pytest

from autograde.judging.notebook import JUDGED_WITHOUT
from confined.launch import Zygote
from confined.limits import Limits


@pytest.fixture(scope="session")
def zygote():
    with Zygote(Limits(cell_seconds=5.0), JUDGED_WITHOUT) as started:
        yield started


@pytest.fixture(scope="session", params=[True, False], ids=["namespaces", "without namespaces"])
def any_zygote(request):
    """Start one with all layers, and one as where the system refuses namespaces."""
    limits = Limits(cell_seconds=5.0)
    with Zygote(limits, JUDGED_WITHOUT, namespaces=request.param) as started:
        yield started
