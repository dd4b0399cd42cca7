"""KERPLE's two kernels: NeMo's numbers, ALiBi as a special case, parameters within their range."""

import pytest
import torch

from posenc_ref import alibi, alibi_slopes, positions
from posenc_ref.kerple import KerpleBias, kerple_log, kerple_power


def test_log_equals_nemo_where_nemo_is_right(golden, where):
    (case,) = golden("kerple_nemo")
    r1, r2 = (torch.tensor(case[name], device=where) for name in ("r1", "r2"))
    found = kerple_log(positions(6, device=where), positions(6, device=where), r1, r2)
    expected = torch.tensor(case["values"])
    torch.testing.assert_close(found.tril().cpu(), expected, rtol=1e-6, atol=1e-7)
    torch.testing.assert_close(found, found.mT)  # a kernel of |i - j|


def test_power_equals_the_formula_as_loops():
    r1, r2 = torch.tensor([0.3, 2.0]).double(), torch.tensor([0.5, 1.7]).double()
    found = kerple_power(positions(4), positions(5), r1, r2)
    for h in range(2):
        for i in range(4):
            for j in range(5):
                expected = -r1[h].item() * abs(i - j) ** r2[h].item()
                assert found[h, i, j].item() == pytest.approx(expected, abs=1e-14)


def test_power_one_is_alibi():
    slopes, at = alibi_slopes(5), positions(7)
    found = kerple_power(at, at, slopes, torch.ones(5))
    torch.testing.assert_close(found, alibi(at, at, slopes, form="symmetric"))


def test_log_is_a_power_law_after_the_exponential():
    """(1 + r2 d)^(-r1): 0.5, 0.091, 0.0099, 0.001 at distance 1, 10, 100, 1000."""
    far, one = torch.tensor([1, 10, 100, 1000]), torch.ones(1)
    found = kerple_log(torch.tensor([0]), far, one, one).exp().flatten()
    torch.testing.assert_close(found, torch.tensor([1 / 2, 1 / 11, 1 / 101, 1 / 1001]))


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


def test_gradients_at_distance_zero_are_finite():
    at = positions(3)
    for kernel in (kerple_log, kerple_power):
        r1, r2 = (torch.rand(2, dtype=torch.float64).add(0.1).requires_grad_() for _ in range(2))
        bound = lambda r1, r2, kernel=kernel: kernel(at, at, r1, r2)  # noqa: E731
        assert torch.autograd.gradcheck(bound, (r1, r2))


def test_bad_input_is_named():
    at, one = positions(2), torch.ones(2)
    with pytest.raises(ValueError, match=r"r1 and r2 must be \(H,\): \(2,\) and \(3,\)"):
        kerple_log(at, at, one, torch.ones(3))
    with pytest.raises(TypeError, match=r"r1 and r2 must be floats, got torch\.int64"):
        kerple_power(at, at, one.long(), one)
    with pytest.raises(ValueError, match="kernel log or power, got 0 and 'log'"):
        KerpleBias(0, kernel="log")
    with pytest.raises(ValueError, match="kernel log or power, got 2 and 'exp'"):
        KerpleBias(2, kernel="exp")
