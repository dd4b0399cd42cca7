"""The right numbers in another dtype."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from autograde.kit.compare import close
from autograde.kit.relations.pair import Pair
from autograde.kit.verdict import Cause
from bilingual import Text

ROUNDINGS = 16  # of the right dtype, which another order of operations may cost


def in_another_dtype(pairs: Sequence[Pair]) -> Cause | None:
    """Return the dtype that a cast at the end would mend; None if that would not mend all."""
    if not all(_same_in_dtype(pair.got, pair.want) for pair in pairs):
        return None
    for pair in pairs:
        if pair.got.dtype != pair.want.dtype:
            mine, right = (str(one.dtype).removeprefix("torch.") for one in (pair.got, pair.want))
            text = Text(
                en=f"Your numbers are right; only their dtype is another: yours is {mine}, "
                f"expected {right}. `.to(torch.{right})` at the end mends it.",
                zh=f"你的数都对，只是dtype不对：你的是{mine}，应为{right}。"
                f"最后用`.to(torch.{right})`转换即可。",
            )
            return Cause("relation", "dtype", text)
    return None


def _same_in_dtype(got: Any, want: Any) -> bool:
    if not (isinstance(got, Tensor) and isinstance(want, Tensor)):
        return False
    step = torch.finfo(want.dtype).eps if want.is_floating_point() else 0.0
    share = ROUNDINGS * step
    return close(got.to(want.dtype), want, rtol=share, atol=share)
