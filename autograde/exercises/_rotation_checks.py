"""The checks that rope_half and rope_interleaved have in common: a rotation in either layout."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_dtype, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text
from posenc_ref.sinusoidal import frequencies


def add_rotation_checks(exercise: Exercise, turns: Text) -> None:
    """Add them; `turns` says which channels turn together."""

    @exercise.check(en="keeps shape and dtype of x", zh="形状和dtype与x相同")
    def shape(answer: Function, rng: torch.Generator) -> None:
        for sizes in ((2, 3, 5, 8), (1, 1, 1, 2), (1, 4, 1, 6), (3, 1, 4, 4)):
            expect_shape(answer(*_inputs(rng, *sizes)), sizes)
        x, angles = _inputs(rng)
        for dtype in (torch.float32, torch.float64, torch.bfloat16):
            expect_dtype(answer(x.to(dtype), angles), dtype)

    @exercise.check(en="angle 0 changes nothing", zh="角度为0时什么也不变")
    def still(answer: Function, rng: torch.Generator) -> None:
        x, angles = _inputs(rng)
        expect_close(answer(x, torch.zeros_like(angles)), x)

    @exercise.check(en=turns.en, zh=turns.zh, weight=4)
    def values(answer: Function, rng: torch.Generator) -> None:
        any_size = torch.randint(2, 6, (4,), generator=rng).tolist()
        for *sizes, pairs in (any_size, (2, 3, 5, 1), (1, 2, 120, 7), (3, 1, 1, 4)):
            x, angles = _inputs(rng, *sizes, 2 * pairs)
            expect_agreement(answer, exercise.true_answer, x, angles)

    @exercise.check(
        en="is still right thousands of tokens on, in 16 bits too",
        zh="16位时，到了几千个词元之后仍然正确",
        weight=2,
    )
    def far(answer: Function, rng: torch.Generator) -> None:
        one_of_each_pair = torch.tensor([1.0, 0, 1, 0, 0, 1, 0, 1])  # in both layouts
        x = torch.randn(2, 3, 5, 8, generator=rng).sign() * one_of_each_pair  # no sum is rounded
        positions = torch.randint(1000, 5000, (5,), generator=rng)
        angles = positions.double()[:, None] * frequencies(8, base=100.0)
        for dtype in (torch.bfloat16, torch.float16):
            expect_agreement(answer, exercise.true_answer, x.to(dtype), angles, atol=0.02)


def _inputs(
    rng: torch.Generator, batch: int = 2, heads: int = 3, length: int = 5, dim: int = 8
) -> tuple[Tensor, Tensor]:
    """Return x as a model has it, cut into heads and not contiguous, and angles that jump."""
    x = torch.randn(batch, length, heads, dim, generator=rng).transpose(1, 2)
    positions = torch.randint(-20, 60, (length,), generator=rng)
    return x, positions.double()[:, None] * frequencies(dim, base=100.0)
