"""Shared by all tests: how long each part took, what the kit counted, a browser, their order."""

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator

import pytest
import torch
from hypothesis import HealthCheck, settings

from confined import huge_pages

pytest_plugins = [
    *("tests.durations", "tests.kit_summary", "tests.order"),
    *("tests.chromium", "tests.warm_kernels"),
]

# little of what tests make refers to itself, and to look for it often took an eighth of their time;
# at 100 000 it is a fifth, for half a GB more in each worker
gc.set_threshold(10_000)
gc.disable()  # until all is collected: what that makes stays

# two workers with two threads each wait for each other at every small operation
torch.set_num_threads(1)

# a busy machine is not a failure: no limit of time, in CI (hypothesis knows it) as elsewhere
PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("patient", settings(), **PATIENT)
settings.load_profile("patient")
# TMPDIR=/dev/shm pytest tests/security -k fuzz --hypothesis-profile=long (minutes of CPU)
settings.register_profile("long", max_examples=10_000)


def pytest_configure(config: pytest.Config) -> None:
    """Keep what a person who runs the tests has chosen out of them, and theirs out of that."""
    folder = tempfile.mkdtemp(prefix="posenc-tests-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    os.environ["POSENC_DATA_DIR"] = folder
    os.environ.pop("POSENC_LANGUAGE", None)


@pytest.fixture
def no_collection() -> Iterator[None]:
    """A deadline may ring in a callback of the garbage collector, which passes nothing on."""
    gc.disable()
    yield
    gc.enable()


def pytest_collection_finish() -> None:
    """Let nothing look for garbage among what was collected, which stays, in huge pages.

    To look an address up in small ones takes a twentieth of the tests' time.
    """
    gc.freeze()
    gc.enable()
    if "PYTEST_XDIST_WORKER" in os.environ:
        huge_pages.gather()
