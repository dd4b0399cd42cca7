"""CONTRIBUTING.md on adding an encoding: done in a copy of the tree as it says, it is enough."""

import pytest

from tests.repository.course_copy import CourseCopy

FORMULA = '''"""A penalty for distance alone, the same in every head, and without weights.

    bias = -|j - i| / step

What was compared: numbers worked out on paper.
"""

from __future__ import annotations

from torch import Tensor

from posenc_ref.positions import relative_positions
from posenc_ref.scalars import require_reals


def staircase(
    q_positions: Tensor, k_positions: Tensor, heads: int, *, step: float
) -> Tensor:
    """Return the bias (H, Lq, Lk), or (B, H, Lq, Lk) with a batch of positions.

        bias = -|j - i| / step

    Source: Press et al. 2022, §3, with one slope for all heads.
    Raises:
        TypeError: as `relative_positions`; step is not a number.
        ValueError: step is not finite; as `relative_positions`.
    Example:
        >>> from posenc_ref import positions, staircase
        >>> staircase(positions(1), positions(3), heads=1, step=4.0).tolist()
        [[[0.0, -0.25, -0.5]]]
    """
    require_reals(step=step)
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
EDITED = {
    "posenc_ref/staircase.py",
    "posenc_ref/__init__.py",
    "posenc_ref/encoding_names.py",
    "tools/reference.py",
    "tests/posenc_ref/encoding_options.py",
    "tests/posenc_ref/test_staircase.py",
}
WHO_WOULD_COMPLAIN = (
    *(f"tests/posenc_ref/test_{name}.py" for name in ("encodings", "encoding_shapes", "tiny_lm")),
    *("tests/posenc_ref/test_examples.py", "tests/posenc_ref/test_staircase.py"),
    *("tests/tools/test_reference.py", "tests/repository/test_rooms.py"),
)


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> CourseCopy:
    """A copy with the new file, its test, its kind, and its name for the decoder: not exported."""
    copy = CourseCopy(tmp_path_factory.mktemp("encoding") / "course")
    copy.write("posenc_ref/staircase.py", FORMULA)
    copy.write("tests/posenc_ref/test_staircase.py", TEST)
    copy.replace("tools/reference.py", ("sandwich fire", "sandwich staircase fire"))
    copy.replace(
        "tests/posenc_ref/encoding_options.py",
        ('    "share": 0.5,', '    "share": 0.5,\n    "step": 2.0,'),
    )
    copy.replace(
        "posenc_ref/encoding_names.py",
        (
            "from posenc_ref.t5 import",
            "from posenc_ref.staircase import staircase\nfrom posenc_ref.t5 import",
        ),
        (
            NAME,
            '    "staircase": lambda dim, heads, **options: BiasEncoding(\n'
            "        partial(staircase, heads=heads, **options)\n    ),\n" + NAME,
        ),
    )
    return copy


@pytest.mark.slow
def test_an_encoding_is_missed_until_it_is_exported_and_then_nothing_else_is_needed(course):
    page = course.run("-m", "tools.reference")
    assert page.returncode != 0
    assert "posenc_ref/__init__.py" in page.stderr
    assert "staircase.staircase" in page.stderr
    course.replace(
        "posenc_ref/__init__.py",
        ("| fire | bias:", "| staircase | bias: a plain penalty | staircase |\n| fire | bias:"),
        (
            "from posenc_ref.t5 import",
            "from posenc_ref.staircase import staircase\nfrom posenc_ref.t5 import",
        ),
        ('    "t5_bucket",', '    "staircase",\n    "t5_bucket",'),
    )

    page = course.run("-m", "tools.reference")
    assert page.returncode == 0, page.stderr
    assert course.changed() == EDITED | {"docs/reference.md"}

    run = course.run(
        *("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow"),
        *("-k", "staircase or up_to_date or map or table", *WHO_WOULD_COMPLAIN),
    )
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]
    lint = course.run("-m", "ruff", "check", "--no-cache", *sorted(EDITED))
    assert lint.returncode == 0, lint.stdout
