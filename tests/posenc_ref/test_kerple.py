"""KERPLE's two kernels: NeMo's numbers, ALiBi as a special case, parameters within their range."""

import math

import pytest
import torch

from posenc_ref import alibi, alibi_slopes, attention_weights, positions
from posenc_ref.kerple import KerpleBias, kerple_log, kerple_power


def test_log_equals_nemo_where_nemo_is_right(golden, where):
    (case,) = golden("kerple_nemo")
    r1, r2 = (torch.tensor(case[name], device=where) for name in ("r1", "r2"))
    actual = kerple_log(positions(6, device=where), positions(6, device=where), r1, r2)
    expected = torch.tensor(case["values"])
    torch.testing.assert_close(actual.tril().cpu(), expected, rtol=1e-6, atol=1e-7)
    torch.testing.assert_close(actual, actual.mT)  # a kernel of |i - j|


def test_the_third_parameter_equals_nemo(golden, where):
    (case,) = golden("kerple_nemo_three")
    parameters = (torch.tensor(case[name], device=where) for name in ("r1", "r2", "r3"))
    at = positions(6, device=where)
    actual = kerple_log(at, at, *parameters).tril().cpu()
    torch.testing.assert_close(actual, torch.tensor(case["values"]), rtol=1e-6, atol=1e-7)


def test_the_third_parameter_joins_the_two_families():
    at, one = positions(12), torch.ones(1, dtype=torch.float64)
    log = kerple_log(at, at, one, 0.3 * one)
    torch.testing.assert_close(kerple_log(at, at, one, 0.3 * one, one), log)
    small = 1e-6 * one  # ln(1 + x) ≈ x: the power kernel
    power = kerple_power(at, at, one, 1.5 * one)
    torch.testing.assert_close(
        kerple_log(at, at, one / small, small, 1.5 * one), power, rtol=1e-4, atol=0
    )


def test_with_a_third_parameter_up_to_2_it_is_conditionally_positive_definite(subtests):
    for r3 in [0.5, 1.0, 2.0]:
        with subtests.test(r3=r3):
            at, one = positions(20), torch.ones(1, dtype=torch.float64)
            table = kerple_log(at, at, one, one, r3 * one)[0]
            centred = table - table.mean(0) - table.mean(1, keepdim=True) + table.mean()
            assert torch.linalg.eigvalsh(centred).min() > -1e-9


def test_a_third_parameter_beyond_2_is_refused():
    one = torch.ones(1)
    with pytest.raises(ValueError, match="r3 must be at most 2, got"):
        kerple_log(positions(2), positions(2), one, one, 2.5 * one)
    with pytest.raises(ValueError, match=r"r1 and r2 and r3 must be \(H,\)"):
        kerple_log(positions(2), positions(2), one, one, torch.ones(2))


def test_a_third_parameter_on_paper():
    """Distance 4, r1 = 2, r2 = 0.5: -2 ln(1 + 0.5 · 4^r3) = -2 ln 2, -2 ln 3, -2 ln 9."""
    one, here = torch.ones(3), torch.tensor([4])
    actual = kerple_log(here, torch.tensor([0]), 2 * one, one / 2, torch.tensor([0.5, 1.0, 2.0]))
    expected = torch.tensor([-2 * math.log(n) for n in (2, 3, 9)])
    torch.testing.assert_close(actual.flatten(), expected)


def test_a_module_learns_the_third_parameter_from_the_log_kernel_on():
    module, at = KerpleBias(3, kernel="log", third=True), positions(5)
    torch.testing.assert_close(module(at, at), kerple_log(at, at, module.r1, module.r2))
    module(at, at).sum().backward()
    assert module.r3.grad.isfinite().all()
    assert module.r3.grad.all()
    with torch.no_grad():
        module.r3.fill_(7)
    at_the_limit = kerple_log(at, at, module.r1, module.r2, torch.full((3,), 2.0))
    torch.testing.assert_close(module(at, at), at_the_limit)
    with pytest.raises(ValueError, match="belongs to the log kernel, got kernel 'power'"):
        KerpleBias(3, kernel="power", third=True)


@pytest.mark.parametrize(
    ("dtype", "rtol"),
    # parameters of 16 bits are rounded, r1 and r2 in a logarithm; what follows is float32
    [(torch.float64, 1e-13), (torch.float32, 2e-6), (torch.bfloat16, 2**-7)],
)
def test_log_equals_nemo_for_many_heads_far_away(golden, dtype, rtol, where):
    """Upstream in float64, up to 112 heads and distance 131071; it knows no padding."""
    for case in golden("kerple_nemo_heads"):
        r1, r2 = (torch.tensor(case[name], dtype=dtype, device=where) for name in ("r1", "r2"))
        at = (torch.tensor(case[f"{side}_positions"], device=where) for side in "qk")
        actual = kerple_log(*at, r1, r2)
        assert actual.dtype == torch.promote_types(dtype, torch.float32)
        expected = torch.tensor(case["values"], dtype=torch.float64)
        torch.testing.assert_close(actual.double().cpu(), expected, rtol=rtol, atol=1e-9)


@pytest.mark.parametrize(
    ("dtype", "tolerance"),
    # a power below 1.4e5: r2 off by 2^-24 of itself moves it by 12 times that
    [(torch.float64, 1e-13), (torch.float32, 3e-6)],
)
def test_power_equals_the_published_class(golden, dtype, tolerance, where):
    """Up to 112 heads, distances up to 131071; it masks nothing, so it knows no padding."""
    for case in golden("kerple_power"):
        r1, r2 = (torch.tensor(case[name], dtype=dtype, device=where) for name in ("r1", "r2"))
        at = positions(len(case["values"][0]), device=where)
        actual = kerple_power(at, at, r1, r2).tril().double().cpu()
        exact = {"rtol": tolerance, "atol": 0}
        expected = torch.tensor(case["values"], dtype=torch.float64)
        torch.testing.assert_close(actual, expected, **exact)
        keys = 131071 - torch.tensor(case["distances"], device=where)
        far = kerple_power(positions(1, start=131071, device=where), keys, r1, r2)[:, 0]
        expected = torch.tensor(case["far"], dtype=torch.float64)
        torch.testing.assert_close(far.double().cpu(), expected, **exact)


FAR = torch.tensor([0, 1, 2, 49, 511, 4095, 131071])


@pytest.mark.parametrize(
    ("dtype", "tolerance"),
    # a power is off by some units in the last place; 16-bit parameters are computed in float32
    [(torch.float64, 1e-13), (torch.float32, 5e-6), (torch.bfloat16, 5e-6)],
)
def test_far_positions_are_close_to_the_formula_in_every_dtype(dtype, tolerance, where, subtests):
    for heads in [1, 3, 8, 12, 71, 112]:
        with subtests.test(heads=heads):
            r1, r2 = (torch.rand(2, heads) + 0.1).to(where, dtype)
            at = positions(1, start=131072, device=where)
            for kernel, formula in (
                (kerple_log, lambda d, a, b: -a * math.log1p(b * d)),
                (kerple_power, lambda d, a, b: -a * d**b),
            ):
                actual = kernel(at, FAR.to(where), r1, r2)
                assert actual.dtype == torch.promote_types(dtype, torch.float32)
                rows = [
                    [[formula(131072 - p, a, b) for p in FAR.tolist()]]
                    for a, b in zip(r1.tolist(), r2.tolist(), strict=True)
                ]
                expected = torch.tensor(rows, dtype=torch.float64)
                torch.testing.assert_close(actual.double().cpu(), expected, rtol=tolerance, atol=0)


@pytest.mark.parametrize("kernel", [kerple_log, kerple_power])
def test_paper_divides_the_bias_too(kernel):
    """Eq. (1): softmax((q·k + bias) / √D). The code: softmax(q·k / √D + bias)."""
    at, q = positions(5), torch.randn(1, 2, 5, 16)
    r1, r2 = torch.tensor([0.5, 3.0]), torch.tensor([1.0, 0.3])
    whole = kernel(at, at, r1, r2)
    paper = ((q @ q.mT + whole) / 4).softmax(-1)
    inside = kernel(at, at, r1, r2, head_dim=16)
    torch.testing.assert_close(attention_weights(q, q, bias=inside), paper)
    assert not torch.allclose(attention_weights(q, q, bias=whole), paper, atol=1e-2)
    torch.testing.assert_close(inside, kernel(at, at, r1 / 4, r2))  # another r1, no other method


@pytest.mark.parametrize("kernel", ["log", "power"])
def test_a_parameter_that_left_its_range_comes_back(kernel):
    module = KerpleBias(3, kernel=kernel)
    with torch.no_grad():
        module.r1.fill_(-0.05)
        module.r2.fill_(2.05 if kernel == "power" else -0.05)
    optimizer = torch.optim.Adam(module.parameters(), lr=1e-2)
    at, other = positions(6), KerpleBias(3, kernel=kernel)
    for _ in range(30):
        optimizer.zero_grad()
        (module(at, at) - other(at, at).detach()).square().mean().backward()
        optimizer.step()
    assert (module.r1 > 0.01).all()  # behind a plain clamp it would still be -0.05


def test_initial_values_are_those_of_the_published_code():
    """bias_p from (0, 2), bias_a from (0, 1): log is -p ln(1 + a d), power is -a d^p."""
    for kernel, upper in (("log", (2, 1)), ("power", (1, 2))):
        module = KerpleBias(1000, kernel=kernel)
        for r, largest in zip((module.r1, module.r2), upper, strict=True):
            assert 0.9 * largest < r.max() <= largest
            assert 0 <= r.min() < 0.1 * largest


def test_power_equals_the_formula_as_loops():
    r1, r2 = torch.tensor([0.3, 2.0]).double(), torch.tensor([0.5, 1.7]).double()
    actual = kerple_power(positions(4), positions(5), r1, r2)
    for h in range(2):
        for i in range(4):
            for j in range(5):
                expected = -r1[h].item() * abs(i - j) ** r2[h].item()
                assert actual[h, i, j].item() == pytest.approx(expected, abs=1e-14)


def test_power_one_is_alibi():
    slopes, at = alibi_slopes(5), positions(7)
    actual = kerple_power(at, at, slopes, torch.ones(5))
    torch.testing.assert_close(actual, alibi(at, at, slopes, form="symmetric"))


def test_log_is_a_power_law_after_the_exponential():
    """(1 + r2 d)^(-r1): 0.5, 0.091, 0.0099, 0.001 at distance 1, 10, 100, 1000."""
    far, one = torch.tensor([1, 10, 100, 1000]), torch.ones(1)
    actual = kerple_log(torch.tensor([0]), far, one, one).exp().flatten()
    torch.testing.assert_close(actual, torch.tensor([1 / 2, 1 / 11, 1 / 101, 1 / 1001]))


@pytest.mark.parametrize("kernel", ["log", "power"])
def test_parameters_stay_in_range_and_learn(kernel):
    module = KerpleBias(3, kernel=kernel)
    assert module(positions(3), positions(4)).shape == (3, 3, 4)
    module(positions(3), positions(4)).sum().backward()
    assert all(p.grad.isfinite().all() and p.grad.any() for p in module.parameters())
    with torch.no_grad():
        module.r1.fill_(-5)
        module.r2.fill_(7 if kernel == "power" else -7)
    bias = module(positions(1), positions(4))
    assert bias.isfinite().all()
    assert (bias <= 0).all()
    r1 = torch.full((3,), 1e-2)
    if kernel == "power":
        limit = kerple_power(positions(1), positions(4), r1, torch.full((3,), 2.0))
    else:
        limit = kerple_log(positions(1), positions(4), r1, r1)
    torch.testing.assert_close(bias, limit)
    KerpleBias(3, kernel=kernel).load_state_dict(module.state_dict(), strict=True)


def test_distance_zero_has_no_bias_whatever_the_power():
    """The smallest float to the power 0.01 is 0.42, not 0."""
    at = positions(4)
    actual = kerple_power(at, at, torch.ones(1), torch.tensor([0.01]))
    assert actual.diagonal(dim1=1, dim2=2).eq(0).all()


def test_gradients_at_distance_zero_are_finite():
    at = positions(3)
    for kernel in (kerple_log, kerple_power):
        r1, r2 = (torch.rand(2, dtype=torch.float64).add(0.1).requires_grad_() for _ in range(2))
        bound = lambda r1, r2, kernel=kernel: kernel(at, at, r1, r2)
        assert torch.autograd.gradcheck(bound, (r1, r2))


@pytest.mark.parametrize("kernel", [kerple_log, kerple_power])
def test_numbers_that_cannot_be_read_are_not_looked_at(kernel):
    at, r = positions(3), torch.tensor([[0.5, 1.0], [1.5, 2.0]])
    each = [kernel(at, at, one, one) for one in r]
    torch.testing.assert_close(
        torch.vmap(lambda one: kernel(at, at, one, one))(r), torch.stack(each)
    )


def test_bad_input_raises_an_error_that_names_it():
    at, one = positions(2), torch.ones(2)
    with pytest.raises(ValueError, match=r"r1 and r2 must be \(H,\): \(2,\) and \(3,\)"):
        kerple_log(at, at, one, torch.ones(3))
    with pytest.raises(TypeError, match=r"r1 and r2 must be floats, got torch\.int64"):
        kerple_power(at, at, one.long(), one)
    with pytest.raises(ValueError, match="head_dim must be positive and finite, got 0"):
        kerple_log(at, at, one, one, head_dim=0)
    with pytest.raises(ValueError, match="head_dim must be positive and finite, got nan"):
        KerpleBias(2, kernel="log", head_dim=torch.nan)
    with pytest.raises(TypeError, match="r2 must be a tensor, got list"):
        kerple_log(at, at, one, [1.0, 1.0])
    for kernel in (kerple_log, kerple_power):
        for bad, message in ((-0.5, "-0.5"), (0.0, "0.0"), (torch.nan, "nan"), (torch.inf, "inf")):
            some = torch.tensor([bad, 1.0])
            with pytest.raises(ValueError, match=rf"r1 must be positive.*, got \[{message}\]"):
                kernel(at, at, some, one)
            with pytest.raises(ValueError, match=rf"r2 must be positive.*, got \[{message}\]"):
                kernel(at, at, one, some)
    with pytest.raises(ValueError, match=r"r2 must be at most 2, got \[5\.0\]"):
        kerple_power(at, at, one, torch.tensor([2.0, 5.0]))
    with pytest.raises(ValueError, match="kernel log or power, got 0 and 'log'"):
        KerpleBias(0, kernel="log")
    with pytest.raises(ValueError, match="kernel log or power, got 2 and 'exp'"):
        KerpleBias(2, kernel="exp")
