"""CONTRIBUTING.md on adding an encoding, done: a formula, its test, its names."""

from tests.repository.course_copy import CourseCopy

FORMULA = '''"""A penalty for distance alone, the same in every head, and without weights.

    bias = -|j - i| / step

What was compared: numbers worked out on paper.
"""

from __future__ import annotations

from torch import Tensor

from posenc_ref.positions import relative_positions
from posenc_ref.scalars import require_finite, require_integers


def staircase(
    q_positions: Tensor, k_positions: Tensor, heads: int, *, step: float
) -> Tensor:
    """Return the bias (H, Lq, Lk), or (B, H, Lq, Lk) with a batch of positions.

        bias = -|j - i| / step

    Source: Press et al. 2022, §3, with one slope for all heads.
    Raises:
        TypeError: as `relative_positions`; heads is not an integer, step not a number.
        ValueError: heads or step is not positive, or step not finite; as `relative_positions`.
    Example:
        >>> from posenc_ref import positions, staircase
        >>> staircase(positions(1), positions(3), heads=1, step=4.0).tolist()
        [[[0.0, -0.25, -0.5]]]
    """
    require_integers(heads=heads)
    require_finite(step=step)
    if heads < 1 or step <= 0:
        raise ValueError(f"heads and step must be positive, got {heads} and {step}")
    bias = -relative_positions(q_positions, k_positions).abs() / step  # (…, Lq, Lk)
    return bias.unsqueeze(-3).expand(*bias.shape[:-2], heads, *bias.shape[-2:])
'''
TEST = '''"""The staircase: minus the distance, divided by the step."""

import torch

from posenc_ref import positions, staircase


def test_values():
    bias = staircase(positions(2), positions(3), heads=2, step=2.0)
    expected = torch.tensor([[0.0, -0.5, -1.0], [-0.5, 0.0, -0.5]])
    torch.testing.assert_close(bias, expected.expand(2, 2, 3))
'''
NAME = '    "sandwich": lambda dim, heads, **options: BiasEncoding(\n'
RIGHT = "    p.t5_bucket: {"
BIAS = '    "t5": lambda b, q, k: b.weight['
IMPORT = "from posenc_ref.t5 import"
OWN_IMPORT = (IMPORT, f"from posenc_ref.staircase import staircase\n{IMPORT}")
EXPORTS = "posenc_ref/__init__.py"
FILES = {
    "posenc_ref/staircase.py",
    EXPORTS,
    "posenc_ref/encoding_names.py",
    "tools/reference.py",
    "tests/posenc_ref/encoding_options.py",
    "tests/posenc_ref/test_scalars.py",
    "tests/posenc_ref/test_staircase.py",
    "tests/posenc_ref/test_tiny_lm.py",
}
WHO_WOULD_COMPLAIN = (
    *(f"tests/posenc_ref/test_{name}.py" for name in ("encodings", "encoding_shapes", "tiny_lm")),
    *(
        f"tests/posenc_ref/test_{name}.py"
        for name in ("compile", "examples", "scalars", "staircase")
    ),
    *("tests/tools/test_reference.py", "tests/repository/test_rooms.py"),
)


def add_encoding(course: CourseCopy) -> None:
    course.write("posenc_ref/staircase.py", FORMULA)
    course.write("tests/posenc_ref/test_staircase.py", TEST)
    course.replace("tools/reference.py", ("sandwich fire", "sandwich staircase fire"))
    course.replace(
        "tests/posenc_ref/encoding_options.py",
        ('    "share": 0.5,', '    "share": 0.5,\n    "step": 2.0,'),
    )
    course.replace(
        "tests/posenc_ref/test_scalars.py",
        (RIGHT, '    p.staircase: PAIRS | {"heads": 2, "step": 2.0},\n' + RIGHT),
    )
    course.replace(
        "tests/posenc_ref/test_tiny_lm.py",
        (BIAS, '    "staircase": lambda b, q, k: staircase(q, k, HEADS, step=2.0),\n' + BIAS),
        OWN_IMPORT,
    )
    course.replace(
        "posenc_ref/encoding_names.py",
        OWN_IMPORT,
        (
            NAME,
            '    "staircase": lambda dim, heads, **options: BiasEncoding(\n'
            "        partial(staircase, heads=heads, **options)\n    ),\n" + NAME,
        ),
    )
    course.replace(
        EXPORTS,
        ("| fire | bias:", "| staircase | bias: a plain penalty | staircase |\n| fire | bias:"),
        OWN_IMPORT,
        ('    "t5_bucket",', '    "staircase",\n    "t5_bucket",'),
    )
