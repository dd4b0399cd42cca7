"""What torchscale answers for xPos; see __main__.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tools.golden import files
from tools.golden.rope import wave


def xpos_torchscale() -> Iterator[dict[str, Any]]:
    """Scores of q and k, interleaved; the centre is torchscale's own."""
    module = files.load("torchscale.component.xpos_relative_position").XPOS(8)
    for length in (5, 12):
        q, k = wave(2, length, 8)
        turned = module(q[None])[0], module(k[None], downscale=True)[0]
        yield {"q": q.tolist(), "k": k.tolist(), "values": (turned[0] @ turned[1].T).tolist()}


GOLDENS = [  # library, call, cases
    ("torchscale", "XPOS(8)(q) @ XPOS(8)(k, downscale=True).T", xpos_torchscale),
]
