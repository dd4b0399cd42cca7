"""What Falcon answers for ALiBi, with its product in bfloat16; __main__.py says how to run this."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from transformers.models.falcon.modeling_falcon import build_alibi_tensor


def alibi_falcon() -> Iterator[dict[str, Any]]:
    """Key only, tokens counted past left padding; then 2048 tokens, whose positions collide."""
    for heads, mask in ((1, [1] * 5), (12, [0, 0, 1, 1, 1]), (71, [1] * 5), (1, [1] * 2048)):
        values = build_alibi_tensor(torch.tensor([mask]), heads, torch.float32)
        yield {"heads": heads, "mask": mask, "values": values.tolist()}


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "falcon: build_alibi_tensor(torch.tensor([mask]), heads, torch.float32)",
        alibi_falcon,
    ),
]
