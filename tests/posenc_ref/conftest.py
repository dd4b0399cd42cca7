"""What every test of posenc_ref starts from: one thread, one seed, the golden files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from posenc_ref import available_devices

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture(autouse=True)
def _one_thread_one_seed():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(params=["cpu", pytest.param("accelerator", marks=pytest.mark.gpu)])
def where(request: pytest.FixtureRequest) -> torch.device:
    """Return the CPU, then the accelerator if there is one: such a test runs on both."""
    if request.param == "cpu":
        return torch.device("cpu")
    if (preferred := available_devices()[0]) == "cpu":
        pytest.skip("no accelerator here")
    return torch.device(preferred)


@pytest.fixture
def golden() -> Callable[[str], list[dict[str, Any]]]:
    """Return the reader of a golden file's cases, by the file's name."""

    def cases(name: str) -> list[dict[str, Any]]:
        return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["cases"]

    return cases
