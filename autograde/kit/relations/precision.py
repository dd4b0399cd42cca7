"""The right numbers with the digits of a shorter dtype."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from autograde.kit.relations.as_numbers import Numbers, Relation
from bilingual import Text

SHORT = (torch.bfloat16, torch.float16, torch.float32)  # the shortest first
LEAST = 8  # numbers that must show the rounding


def rounded(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with the truth rounded to a shorter dtype, to its last digit."""
    for dtype in SHORT:
        if all(_is_rounded(pair, dtype) for pair in pairs):
            off = sum(int((_in(dtype, pair.want) != pair.want).sum()) for pair in pairs)
            if off < LEAST:
                return None
            name = str(dtype).removeprefix("torch.")
            digits = {"bfloat16": 2, "float16": 3, "float32": 7}[name]
            return Text(
                en=f"Your numbers are the right ones rounded to {name}: {digits} digits are left. "
                "Compute in a longer dtype and cast at the end.",
                zh=f"你的数就是正确结果舍入到{name}的值，只剩约{digits}位有效数字。"
                "请用更高的精度计算，最后再转换dtype。",
            )
    return None


def _is_rounded(pair: Numbers, dtype: torch.dtype) -> bool:
    if pair.got.shape != pair.want.shape or not pair.want.isfinite().all():
        return False
    if not pair.want.numel():
        return True
    if not torch.equal(_in(dtype, pair.got), pair.got):  # digits that the dtype lacks
        return False
    sizes = pair.want.abs()
    # near 0 the rounding of a sine's argument decides
    allowed = torch.finfo(dtype).eps * (sizes + min(float(sizes.max()), 1.0) / 8)
    return bool(((pair.got - pair.want).abs() <= allowed).all())


def _in(dtype: torch.dtype, numbers: Tensor) -> Tensor:
    return numbers.to(dtype).double()


RELATIONS: tuple[Relation, ...] = (rounded,)
