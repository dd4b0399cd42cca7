"""What every test of posenc_ref starts from: one thread, one seed, the golden files."""

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
import torch

from posenc_ref import angle_dtype, device, rope_fast

GOLDEN = Path(__file__).parents[1] / "golden"
TURNING = {"test_rope", "test_rope_more", "test_rope_partial", "test_bfloat16_rope"}


@pytest.fixture(autouse=True)
def _one_thread_one_seed():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    yield
    torch.set_num_threads(threads)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test of RoPE twice: turned by calls of torch's, and by loops whatever the size."""
    if Path(metafunc.module.__file__).stem in TURNING:
        metafunc.parametrize("_form", ("calls", "loops"), indirect=True)


@pytest.fixture(autouse=True)
def _form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    form = getattr(request, "param", None)
    if form == "calls":
        monkeypatch.setattr(rope_fast, "loops", lambda *_: None)
    if form == "loops":
        if sys.platform != "linux":
            pytest.skip("loops are for Linux")
        importlib.import_module("posenc_loops.rope")
        monkeypatch.setattr(rope_fast, "FEW", 0)


@pytest.fixture(params=["cpu", pytest.param("accelerator", marks=pytest.mark.gpu)])
def where(request: pytest.FixtureRequest) -> torch.device:
    """Return the CPU, then the accelerator if there is one: each test runs on both.

    Which one, POSENC_DEVICE says. A case whose `dtype` the device lacks is skipped, and a test
    that is marked `cpu_only`, which says why.
    """
    if request.param == "cpu":
        return torch.device("cpu")
    if only := request.node.get_closest_marker("cpu_only"):
        pytest.skip(only.args[0])
    if (chosen := device()).type == "cpu":
        pytest.skip("no accelerator here")
    if request.node.callspec.params.get("dtype") == torch.float64:
        _require_float64(chosen)
    return chosen


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
