"""What every test of posenc_ref starts from: one thread, one seed, the golden files."""

import json
from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
import torch

from posenc_ref import angle_dtype, device

GOLDEN = Path(__file__).parents[1] / "golden"
ACCELERATOR = [pytest.param("accelerator", marks=pytest.mark.gpu)] if device().type != "cpu" else []


# torch.manual_seed notes the stack for each kind of accelerator that is not here
seed = torch.manual_seed if ACCELERATOR else torch.default_generator.manual_seed


@pytest.fixture(autouse=True)
def _one_thread_one_seed():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    seed(0)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(params=["cpu", *ACCELERATOR])
def where(request: pytest.FixtureRequest) -> torch.device:
    """Return the CPU, then the accelerator: each test is collected for both where there is one.

    Which one, POSENC_DEVICE says. A case whose `dtype` the device lacks is skipped, and a test
    that is marked `cpu_only`, which says why.
    """
    if request.param == "cpu":
        return torch.device("cpu")
    if only := request.node.get_closest_marker("cpu_only"):
        pytest.skip(only.args[0])
    accelerator = device()
    if request.node.callspec.params.get("dtype") == torch.float64:
        _require_float64(accelerator)
    return accelerator


@pytest.fixture
def where64(where: torch.device) -> torch.device:
    """Return the same for a test that computes in float64; skipped where there is none."""
    _require_float64(where)
    return where


@pytest.fixture(autouse=True)
def _made_where(request: pytest.FixtureRequest, where: torch.device) -> Iterator[None]:
    """Make what a test makes on `where`, unless the test asks for it and says so by itself."""
    if where.type == "cpu" or {"where", "where64"} & signature(request.function).parameters.keys():
        yield
        return
    _require_float64(where)
    with where:
        yield


def _require_float64(where: torch.device) -> None:
    if angle_dtype(where) != torch.float64:
        pytest.skip(f"{where} has no float64")


@pytest.fixture
def golden() -> Callable[[str], list[dict[str, Any]]]:
    """Return the reader of a golden file's cases, by the file's name."""

    def cases(name: str) -> list[dict[str, Any]]:
        return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["cases"]

    return cases
