"""RoPE equals its upstreams and its definition, pair by pair, and only distance is seen."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref import frequencies, positions, rope_angles, rotate, rotation_matrix, rotations
from tests.posenc_ref.plain_rope import rotate_plain

LAYOUTS = ("interleaved", "half")
ROUNDING = {torch.float64: 2**-52, torch.float32: 2**-23, torch.bfloat16: 2**-8}
both = pytest.mark.parametrize("layout", LAYOUTS)


def heads(rows) -> torch.Tensor:
    """(L, D) of plain numbers as (1, 1, L, D)."""
    return torch.tensor(rows, dtype=torch.float64)[None, None]


@pytest.mark.parametrize("dtype", ROUNDING)
def test_equals_the_formula_with_50_digits(golden, where, dtype, subtests):
    for case in golden("rope_mpmath"):
        with subtests.test(dim=case["dim"], base=case["base"]):
            omega = frequencies(case["dim"], base=case["base"], device=where)
            angles = rope_angles(torch.tensor(case["positions"], device=where), omega)
            x = heads(case["x"]).to(where, dtype)
            actual = rotate(x, angles, layout="interleaved")
            exact = heads(case["values"])
            # x is rounded before, the result after; angles at 131071 cost 2^17 roundings of 2^-53
            atol = 4 * ROUNDING[dtype] if dtype != torch.float64 else 5e-11
            assert actual.dtype == dtype
            torch.testing.assert_close(actual.double().cpu(), exact, rtol=0, atol=atol)


def upstream_tolerance(at: torch.Tensor) -> torch.Tensor:
    """What angles in float32 cost at these positions, (…, L) → (…, 1, L, 1): a rounding each."""
    return (1e-6 + at.double() * 2**-23)[..., None, :, None]


def assert_upstream(actual, expected, at):
    difference = (actual.double() - torch.tensor(expected, dtype=torch.float64)).abs()
    assert (difference <= upstream_tolerance(torch.tensor(at))).all(), difference.amax((0, 1, 3))


exact_and_single = pytest.mark.parametrize("dtype", [torch.float64, torch.float32])


@exact_and_single
def test_half_layout_equals_llama_of_transformers(golden, dtype, where, subtests):
    for name in ["rope_llama", "rope_llama_heads"]:
        with subtests.test(name=name):
            for case in golden(name):
                x = torch.tensor(case["x"], dtype=dtype, device=where)
                omega = frequencies(x.shape[-1], base=case["base"], device=where)
                angles = rope_angles(torch.tensor(case["positions"], device=where), omega)
                actual = rotate(x, angles, layout="half").cpu()
                assert actual.dtype == dtype
                assert_upstream(actual, case["values"], case["positions"])


@exact_and_single
def test_interleaved_equals_rotary_embedding_torch(golden, dtype, where, subtests):
    for name in ["rope_rotary_embedding_torch", "rope_rotary_embedding_torch_heads"]:
        with subtests.test(name=name):
            for case in golden(name):
                at = torch.tensor(case["positions"], device=where)
                angles = rope_angles(at, frequencies(case["dim"], device=where))
                x = torch.tensor(case["x"], dtype=dtype, device=where)
                actual = rotate(x, angles, layout="interleaved").cpu()
                assert actual.dtype == dtype
                assert_upstream(actual, case["values"], case["positions"])


SHAPES = [(1, 1, 1, 2), (2, 3, 5, 8), (1, 71, 3, 64), (2, 112, 1, 32), (0, 2, 3, 4), (1, 2, 0, 4)]


@both
@pytest.mark.parametrize("dtype", ROUNDING)
def test_equals_the_definition_with_angles_or_finished_rotations(layout, dtype, where):
    enough = torch.promote_types(dtype, torch.float32)
    for shape in SHAPES:
        x = torch.randn(shape).to(where, dtype)
        at = positions(shape[2], start=7, device=where)
        angles = rope_angles(at, frequencies(shape[3], device=where))
        plain = rotate_plain(x, angles, layout=layout)
        for turns in (angles, rotations(angles, layout, dtype=enough)):
            actual = rotate(x, turns, layout=layout)
            assert actual.dtype == dtype, shape
            difference = (actual.double() - plain.double()).abs()
            assert (difference <= 8 * ROUNDING[dtype]).all(), shape  # |x| < 6, two roundings


@both
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
def test_much_is_turned_some_tokens_at_a_time(layout, dtype):
    x = torch.randn(2, 5, 700, 256).to(dtype)  # 1.8 million numbers; a token has 2560
    at = torch.stack((positions(700), positions(700, start=9)))
    angles = rope_angles(at, frequencies(256))
    actual = rotate(x, angles, layout=layout)
    close = {
        "rtol": 2 * ROUNDING[dtype],
        "atol": 2e-6,
    }  # the last bit, where a product is not rounded
    torch.testing.assert_close(actual, rotate_plain(x, angles, layout=layout), **close)


@both
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
def test_many_tokens_are_mapped_over_a_new_axis_too(layout, dtype):
    x = torch.randn(2, 1, 5, 700, 256).to(dtype)  # one row of the new axis is turned in parts
    at = torch.stack([positions(700), positions(700, start=9)])
    omega = frequencies(256)
    turn = lambda x, at: rotate(x, rope_angles(at, omega), layout=layout)
    actual = torch.vmap(turn)(x, at)
    torch.testing.assert_close(actual[1], turn(x[1], at[1]), rtol=0, atol=2e-6)
    by_row = torch.vmap(turn, in_dims=(None, 0))(x[0], at)
    torch.testing.assert_close(by_row[1], turn(x[0], at[1]), rtol=0, atol=2e-6)


@both
@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")  # torch's own, in jvp
def test_many_tokens_have_derivatives_too(layout):
    x, tangent = torch.randn(2, 1, 5, 700, 256)
    turn = lambda x: rotate(x, angles, layout=layout)
    angles = rope_angles(positions(700), frequencies(256))
    for context in (torch.no_grad, torch.enable_grad):
        with context():
            value, moved = torch.func.jvp(turn, (x,), (tangent,))
        torch.testing.assert_close(value, turn(x))
        torch.testing.assert_close(moved, turn(tangent))  # it is linear
    x.requires_grad_()
    turn(x).backward(tangent)
    back = rotate(tangent, -angles, layout=layout)  # the transpose is the inverse
    torch.testing.assert_close(x.grad, back, rtol=0, atol=2e-6)


@both
def test_memory_that_cannot_be_viewed_as_complex_is_turned_too(layout):
    wide = torch.randn(1, 2, 3, 9)
    angles = rope_angles(positions(3), frequencies(8))
    across = wide.transpose(-1, -2).contiguous().transpose(-1, -2)[..., :8]
    odd_start = torch.randn(49)[1:].view(1, 2, 3, 8)  # contiguous, and yet no complex numbers
    odd_step = torch.randn(24).as_strided((1, 1, 3, 8), (31, 31, 8, 1))
    for x in (wide[..., 1:], across, odd_start, odd_step):
        expected = rotate_plain(x.contiguous(), angles, layout=layout)
        torch.testing.assert_close(rotate(x, angles, layout=layout), expected)


@both
@settings(deadline=None, max_examples=40)
@given(m=st.integers(-4000, 4000), k=st.integers(-4000, 4000), shift=st.integers(-9999, 9999))
def test_score_depends_on_distance_only_and_norms_stay(layout, m, k, shift):
    q, key = torch.randn(2, 1, 1, 1, 16, dtype=torch.float64)
    omega = frequencies(16)

    def turned(x, p):
        return rotate(x, rope_angles(torch.tensor([p]), omega), layout=layout)

    near = (turned(q, m) * turned(key, m + k)).sum()
    far = (turned(q, m + shift) * turned(key, m + k + shift)).sum()
    torch.testing.assert_close(near, far, rtol=0, atol=1e-9)
    torch.testing.assert_close(turned(q, m).norm(), q.norm(), rtol=1e-12, atol=0)


@both
def test_matrices_turn_and_compose(layout):
    def matrix(p):
        return rotation_matrix(p, 6, layout=layout, base=100.0, dtype=torch.float64)

    x = torch.randn(1, 1, 1, 6, dtype=torch.float64)
    turned = rotate(x, rope_angles(torch.tensor([5]), frequencies(6, base=100.0)), layout=layout)
    torch.testing.assert_close(turned.flatten(), matrix(5) @ x.flatten())
    torch.testing.assert_close(matrix(5).T @ matrix(3), matrix(-2))  # key - query
    torch.testing.assert_close(matrix(2) @ matrix(4), matrix(6))


def test_positive_angles_turn_anticlockwise():
    quarter = torch.tensor([[torch.pi / 2]], dtype=torch.float64)
    x = torch.tensor([1.0, 0.0], dtype=torch.float64).view(1, 1, 1, 2)
    for layout in LAYOUTS:
        turned = rotate(x, quarter, layout=layout).flatten()
        torch.testing.assert_close(turned, torch.tensor([0.0, 1.0], dtype=torch.float64))


@both
def test_positions_of_each_row_of_a_batch(layout):
    x, omega = torch.randn(2, 3, 4, 8), frequencies(8)
    rows = torch.tensor([[0, 1, 2, 3], [0, 0, 1, 2]])
    actual = rotate(x, rope_angles(rows, omega), layout=layout)
    for row in range(2):
        alone = rotate(x[row : row + 1], rope_angles(rows[row], omega), layout=layout)
        torch.testing.assert_close(actual[row : row + 1], alone)


@both
def test_attention_factor_multiplies(layout):
    x, angles = torch.randn(1, 2, 3, 8), rope_angles(positions(3), frequencies(8))
    actual = rotate(x, angles, layout=layout, attention_factor=1.5)
    torch.testing.assert_close(actual, 1.5 * rotate(x, angles, layout=layout))
    finished = rotations(angles, layout, attention_factor=1.5)
    torch.testing.assert_close(rotate(x, finished, layout=layout), actual)
    with pytest.raises(ValueError, match=r"attention_factor belongs in rotations"):
        rotate(x, finished, layout=layout, attention_factor=1.5)


@both
def test_gradients_are_those_of_finite_differences(layout):
    x = torch.randn(1, 2, 3, 4, dtype=torch.float64, requires_grad=True)
    omega = frequencies(4).requires_grad_()
    turn = lambda x, omega: rotate(x, rope_angles(positions(3), omega), layout=layout)
    assert torch.autograd.gradcheck(turn, (x, omega))


@both
@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")  # torch's own, in jvp
def test_derivatives_forwards_and_transforms(layout):
    x, tangent = torch.randn(2, 1, 2, 3, 4, dtype=torch.float64)
    angles = rope_angles(positions(3), frequencies(4))
    turn = lambda x: rotate(x, angles, layout=layout)
    value, moved = torch.func.jvp(turn, (x,), (tangent,))
    torch.testing.assert_close(value, turn(x))
    torch.testing.assert_close(moved, turn(tangent))  # it is linear
    torch.testing.assert_close(torch.vmap(turn)(x[None]), turn(x)[None])


@both
def test_half_precision_is_rounded_once(layout, subtests):
    for dtype in ROUNDING:
        with subtests.test(dtype=dtype):
            x = torch.randn(1, 2, 50, 64).to(dtype)
            angles = rope_angles(positions(50, start=4000), frequencies(64))
            exact = rotate_plain(x.double(), angles, layout=layout)
            error = (rotate(x, angles, layout=layout).double() - exact).abs()
            # float32 arithmetic, then one rounding to dtype
            assert (error <= exact.abs() * ROUNDING[dtype] + 2e-6).all()


BAD = {
    r"x \(B, H, L, D\) and angles": (torch.zeros(3, 8), torch.zeros(3, 4)),
    r"disagree: \(1, 1, 3, 8\) and \(2, 4\)": (torch.zeros(1, 1, 3, 8), torch.zeros(2, 4)),
    r"disagree: \(1, 1, 3, 8\) and \(3, 8\)": (torch.zeros(1, 1, 3, 8), torch.zeros(3, 8)),
    r"disagree: \(1, 1, 3, 7\) and \(3, 3\)": (torch.zeros(1, 1, 3, 7), torch.zeros(3, 3)),
    r"disagree: \(2, 1, 3, 8\) and \(1, 3, 4\)": (torch.zeros(2, 1, 3, 8), torch.zeros(1, 3, 4)),
}


def test_shapes_that_disagree_are_refused(subtests):
    for message in BAD:
        with subtests.test(message), pytest.raises(ValueError, match=message):
            rotate(*BAD[message], layout="half")


@both
def test_rotations_of_several_lengths_do_not_broadcast(layout):
    x, angles = torch.zeros(2, 1, 3, 8), torch.zeros(2, 3, 4)
    for turns in (rotations(angles, layout), rotations(angles[0], layout)):
        for part in ("cos", "sin"):
            short = turns._replace(**{part: getattr(turns, part)[..., :1, :]})
            with pytest.raises(ValueError, match="x and rotations disagree in layout"):
                rotate(x, short, layout=layout)


def test_rotations_of_the_other_layout_are_refused():
    x, angles = torch.zeros(1, 1, 3, 8), torch.zeros(3, 4)
    for layout, other in (LAYOUTS, LAYOUTS[::-1]):
        with pytest.raises(ValueError, match=f"disagree in layout '{other}'"):
            rotate(x, rotations(angles, layout), layout=other)


@both
def test_a_gradient_of_the_sine_alone_is_kept(layout):
    x, turns = torch.randn(1, 1, 3, 8), rotations(torch.randn(3, 4), layout)
    sine = turns.sin.clone().requires_grad_()
    rotate(x, turns._replace(sin=sine), layout=layout).sum().backward()
    assert sine.grad.abs().min() > 0


def test_other_bad_input_raises_an_error_that_names_it():
    x, angles = torch.zeros(1, 1, 3, 8), torch.zeros(3, 4)
    with pytest.raises(ValueError, match=r"one of interleaved, half, got 'neox'"):
        rotations(angles, "neox")
    for turns in (angles, rotations(angles, "interleaved"), rotations(angles, "half")):
        with pytest.raises(ValueError, match=r"one of interleaved, half, got 'neox'"):
            rotate(x, turns, layout="neox")
    with pytest.raises(TypeError, match=r"x must be floating point, .* got torch\.int64"):
        rotate(x.long(), angles, layout="half")
    with pytest.raises(TypeError, match=r"x must be floating point, .* got torch\.int64"):
        rotate(x.long(), rotations(angles, "half"), layout="half")
    for turns in (angles, rotations(angles, "half")):
        with pytest.raises(TypeError, match=r"of 16 bits or more, got torch\.float8_e5m2"):
            rotate(x.to(torch.float8_e5m2), turns, layout="half")
    for call in (lambda: rotate([1.0], angles, layout="half"), lambda: rotations([1.0], "half")):
        with pytest.raises(TypeError, match="must be a tensor, got list"):
            call()
    with pytest.raises(ValueError, match=r"angles must be \(…, L, D/2\), got \(\)"):
        rotate(x, torch.tensor(1.0), layout="half")
    with pytest.raises(ValueError, match=r"attention_factor must be one number, got \(4,\)"):
        rotate(x, angles, layout="half", attention_factor=torch.ones(4))
    with pytest.raises(TypeError, match=r"dtype must be floating point, .* got 'float32'"):
        rotation_matrix(1, 2, dtype="float32")
    with pytest.raises(TypeError, match="frequencies must be a tensor, got list"):
        rope_angles(positions(3), [1.0])
    with pytest.raises(TypeError, match=r"float32 or float64, got torch\.bfloat16"):
        rotate(x, angles.bfloat16(), layout="half")
    with pytest.raises(TypeError, match=r"less precise than x in torch\.float64"):
        rotate(x.double(), rotations(angles, "half"), layout="half")
    with pytest.raises(TypeError, match="frequencies must be float32 or float64"):
        rope_angles(positions(3), frequencies(8).half())
    with pytest.raises(ValueError, match=r"frequencies must be \(D/2,\), got \(1, 4\)"):
        rope_angles(positions(3), frequencies(8)[None])
    with pytest.raises(TypeError, match=r"dtype must be floating point, .* got torch\.int64"):
        rotation_matrix(1, 4, dtype=torch.int64)
    with pytest.raises(TypeError, match="256 == 257 in bfloat16"):
        rope_angles(torch.zeros(3).bfloat16(), frequencies(8))
