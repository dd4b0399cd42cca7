"""The choice of a device on machines that are pretended, and equal results on the real one."""

from types import SimpleNamespace

import pytest
import torch

from posenc_ref import (
    LearnedPositionalEmbedding,
    angle_dtype,
    attention,
    available_devices,
    causal_mask,
    device,
    positions,
    shift_matrix,
    sinusoidal,
)

pytestmark = pytest.mark.cpu_only("the tests here pretend their devices, or name them")

ACCELERATED = available_devices() != ("cpu",)


@pytest.fixture
def machine(monkeypatch):
    """Pretend a machine that has these backends, two devices of each, besides its CPU."""
    monkeypatch.delenv("POSENC_DEVICE", raising=False)

    def pretend(*names):
        for name in ("cuda", "mps", "xpu"):
            module = torch.get_device_module(name)
            monkeypatch.setattr(module, "is_available", lambda name=name: name in names)
            monkeypatch.setattr(module, "device_count", lambda name=name: 2 * (name in names))

    return pretend


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("cuda", "mps", "xpu"), "cuda"),
        (("mps", "xpu"), "mps"),
        (("xpu",), "xpu"),
        ((), "cpu"),
    ],
)
def test_device_is_the_first_of_cuda_mps_xpu_cpu(machine, names, expected):
    machine(*names)
    assert device() == torch.device(expected)
    assert available_devices() == (*names, "cpu")


@pytest.mark.parametrize("name", ["cpu", "cuda", "cuda:1", "cpu:0"])
def test_variable_overrides(machine, monkeypatch, name):
    machine("cuda")
    monkeypatch.setenv("POSENC_DEVICE", name)
    assert device() == torch.device(name)


def test_an_empty_variable_counts_as_unset(machine, monkeypatch):
    machine("mps")
    monkeypatch.setenv("POSENC_DEVICE", "")
    assert device() == torch.device("mps")


@pytest.mark.parametrize("name", ["mps", "tpu", "meta", "cuda:2", "cuda:", "cuda:x", "cuda:-1"])
def test_device_that_is_not_there_is_refused_with_those_that_are(machine, monkeypatch, name):
    machine("cuda")
    monkeypatch.setenv("POSENC_DEVICE", name)
    with pytest.raises(ValueError, match=f"POSENC_DEVICE='{name}' .* choose from cuda, cpu$"):
        device()


def test_angles_are_float64_where_the_hardware_has_it(monkeypatch):
    assert angle_dtype() == angle_dtype("cpu") == angle_dtype("cuda") == torch.float64
    assert angle_dtype("mps") == torch.float32
    for has_fp64, expected in ((True, torch.float64), (False, torch.float32)):
        properties = SimpleNamespace(has_fp64=has_fp64)
        monkeypatch.setattr(torch.xpu, "get_device_properties", lambda _, p=properties: p)
        assert angle_dtype("xpu") == expected


@pytest.mark.gpu
@pytest.mark.skipif(not ACCELERATED, reason="needs an accelerator: CUDA, MPS or XPU")
def test_accelerator_gives_the_numbers_of_the_cpu():
    """Angles up to 4095: float64 leaves float32 roundings, float32 (MPS) 4095 · 2^-23 twice."""
    there, here = device(), torch.device("cpu")
    assert there.type != "cpu"
    exact = angle_dtype(there) == torch.float64
    tolerance = {"rtol": 0, "atol": 1e-5 if exact else 2e-3}

    def on(where):
        at = positions(64, start=4032, device=where)
        table = sinusoidal(at, 32)
        moved = table @ shift_matrix(-7, 32, device=where).T
        x = moved.view(1, 4, 16, 32)
        out = attention(x, x, x, causal_mask(at[:16], at[:16]))
        learned = LearnedPositionalEmbedding(64, 32).to(where)
        learned.load_state_dict({"weight": table})
        rows = learned(positions(8, start=5, device=where))
        results = (table, moved, out, rows)
        assert all(result.device.type == where.type for result in results)
        return [result.detach().cpu() for result in results]

    for actual, expected in zip(on(there), on(here), strict=True):
        torch.testing.assert_close(actual, expected, **tolerance)
