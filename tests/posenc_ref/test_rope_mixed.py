"""RoPE-Mixed: timm's numbers, relative on the grid, angles per head, axial as a special case."""

import torch

from posenc_ref import axial_angles, frequencies, mixed_angles, mixed_waves, rotate
from tests.posenc_ref.bad_input import each_raises


def test_equals_timm(golden, where):
    (case,) = golden("rope_mixed")
    tensors = (torch.tensor(case[n], device=where) for n in ("turns", "rows", "columns", "x"))
    turns, rows, columns, x = tensors
    waves = mixed_waves(turns, dim=x.shape[-1])
    torch.testing.assert_close(waves.cpu(), torch.tensor(case["waves"]), rtol=1e-5, atol=1e-6)
    actual = rotate(x, mixed_angles(rows, columns, waves), layout="interleaved")
    expected = torch.tensor(case["values"])
    torch.testing.assert_close(actual.cpu(), expected, rtol=1e-5, atol=1e-5)


def test_head_by_head_it_is_a_rotation_with_that_heads_waves():
    waves = mixed_waves(torch.rand(3) * 6, dim=8)
    rows, columns = torch.arange(10) // 4, torch.arange(10) % 4
    x = torch.randn(2, 3, 10, 8)
    angles = mixed_angles(rows, columns, waves)
    whole = rotate(x, angles, layout="half")
    for head in range(3):
        alone = rotate(x[:, head : head + 1], angles[0, head], layout="half")
        torch.testing.assert_close(whole[:, head : head + 1], alone)
    assert (angles[0, 0] - angles[0, 1]).abs().max() > 0.1


def test_rows_of_a_batch_have_positions_of_their_own():
    waves = mixed_waves(torch.rand(2), dim=8)
    rows, columns = torch.randint(0, 9, (2, 3, 5))
    angles = mixed_angles(rows, columns, waves)
    assert angles.shape == (3, 2, 5, 4)
    x = torch.randn(3, 2, 5, 8)
    for one in range(3):
        alone = mixed_angles(rows[one], columns[one], waves)
        torch.testing.assert_close(alone[0], angles[one])
        actual = rotate(x, angles, layout="half")[one : one + 1]
        torch.testing.assert_close(actual, rotate(x[one : one + 1], alone, layout="half"))


def test_scores_depend_on_the_displacement_alone():
    waves = mixed_waves(torch.rand(2, dtype=torch.float64) * 6, dim=16)
    q, k = torch.randn(2, 1, 2, 1, 16, dtype=torch.float64)

    def score(y, x):
        at = torch.tensor([[y], [y + 2]]), torch.tensor([[x], [x - 3]])
        turned = (
            rotate(v, mixed_angles(at[0][i], at[1][i], waves), layout="half")
            for i, v in enumerate((q, k))
        )
        left, right = turned
        return (left * right).sum(-1)

    torch.testing.assert_close(score(0, 3), score(11, 40))
    assert (score(0, 3) - score(0, 3).flip(1)).abs().max() > 1e-3  # heads differ


def test_unturned_it_is_axial_rope_with_columns_first():
    waves = mixed_waves(torch.zeros(1, dtype=torch.float64), dim=16, base=100.0)
    rows, columns = torch.cartesian_prod(torch.arange(3), torch.arange(4)).T
    axial = axial_angles((columns, rows), frequencies(8, base=100.0))
    torch.testing.assert_close(mixed_angles(rows, columns, waves)[0, 0].abs(), axial)


def test_many_tokens_at_once_equal_few(monkeypatch):
    """`rotate` takes tokens in portions where they do not fit its cache."""
    waves = mixed_waves(torch.rand(6), dim=8)
    at = torch.arange(20)
    x, angles = torch.randn(2, 6, 20, 8), mixed_angles(at // 5, at % 5, waves)
    for layout in ("half", "interleaved"):
        expected = rotate(x, angles, layout=layout)
        with monkeypatch.context() as patch:
            patch.setattr("posenc_ref.rope.CACHED", 2 * 6 * 8 * 7)
            torch.testing.assert_close(rotate(x, angles, layout=layout), expected)


AT, WAVES = torch.arange(3), torch.zeros(2, 1, 4)
BAD = {
    "turns must be (H,), got (1, 2)": lambda: mixed_waves(torch.zeros(1, 2), dim=8),
    "dim must be an integer, got 4.5": lambda: mixed_waves(torch.zeros(1), dim=4.5),
    "dim must be divisible by 4, got 10": lambda: mixed_waves(torch.zeros(1), dim=10),
    "waves must be (2, H, D/2), got (3, 1, 4)": lambda: mixed_angles(AT, AT, torch.zeros(3, 1, 4)),
    "rows and columns must be (L,) or (B, L) alike, got (3,) and (2,)": lambda: mixed_angles(
        AT, AT[:2], WAVES
    ),
    "disagree: (1, 2, 3, 8) and (1, 3, 3, 4)": lambda: rotate(
        torch.zeros(1, 2, 3, 8), torch.zeros(1, 3, 3, 4), layout="half"
    ),
}


test_bad_input_raises_an_error_that_names_it = each_raises(BAD, ValueError, TypeError)
