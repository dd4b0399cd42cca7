"""What torchdiffeq answers for a flow; __main__.py says how to run this."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torchdiffeq import odeint


def floater_torchdiffeq() -> Iterator[dict[str, Any]]:
    """The flow dp/dt = tanh(A p + b t), adaptive to 1e-10, at t = 0, 0.1, …"""
    a, b = torch.randn(4, 4, dtype=torch.float64), torch.randn(4, dtype=torch.float64)
    initial = torch.randn(4, dtype=torch.float64)
    times = torch.arange(30, dtype=torch.float64) * 0.1
    values = odeint(lambda t, p: torch.tanh(a @ p + b * t), initial, times, rtol=1e-10, atol=1e-10)
    yield {"A": a.tolist(), "b": b.tolist(), "p0": initial.tolist(), "values": values.tolist()}


GOLDENS = [  # library, call, cases
    (
        "torchdiffeq",
        "odeint(lambda t, p: tanh(A @ p + b * t), p0, times, rtol=1e-10, atol=1e-10)",
        floater_torchdiffeq,
    ),
]
