"""One harness over every encoding by name: distance, transforms, gradients, dtypes, devices.

A name added to ENCODINGS is tested here at once. What is measured is the place where encodings
meet: queries and keys turned, then the scores that softmax takes.
"""

from copy import deepcopy

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from posenc_ref import causal_mask, positions
from posenc_ref.encoding_names import ENCODINGS, encoding_by_name

HEADS, DIM, LQ, LK = 3, 24, 4, 7
OPTIONS = {
    "position_interpolation": {"factor": 2.0},
    "ntk_aware": {"factor": 2.0},
    "dynamic_ntk": {"trained_length": 64},
    "ntk_by_parts": {"factor": 2.0, "trained_length": 64},
    "yarn": {"factor": 2.0, "trained_length": 64},
    "longrope": {"trained_length": 64, "short": [1.0] * 4, "long": [2.0] * 4, "factor": 2.0},
    "deberta": {"span": 4},
    "bert_relative": {"max_length": 32},
    "fire": {"threshold": 64.0},
}
READS_LENGTH = {"dynamic_ntk", "longrope"}  # asks for the largest position, a number
READS_NUMBERS = {*READS_LENGTH, "bert_relative"}  # and this one, eager, whether there is the row
SEES_LENGTH = {*READS_LENGTH, "fire"}  # the same distance is another one in a longer text
every = pytest.mark.parametrize("name", ENCODINGS)
in_a_graph = pytest.mark.parametrize("name", [n for n in ENCODINGS if n not in READS_LENGTH])
in_vmap = pytest.mark.parametrize("name", [n for n in ENCODINGS if n not in READS_NUMBERS])


class Scores(nn.Module):
    """From q (B, H, Lq, D), k (B, H, Lk, D) and their positions to scores (B, H, Lq, Lk)."""

    def __init__(self, name):
        super().__init__()
        self.encoding = encoding_by_name(name, DIM, HEADS, **OPTIONS.get(name, {}))

    def forward(self, q, k, q_at, k_at):
        mask = causal_mask(q_at, k_at)
        mask = mask[:, None] if mask.dim() == 3 else mask
        turned = self.encoding.rotate(q, k, q_at, k_at)
        scores = self.encoding.scores(*turned, q_at, k_at, mask)
        return scores.masked_fill(~mask, 0.0)  # what is masked says nothing, in CoPE -inf


@pytest.fixture
def scores(name):
    made = Scores(name)
    with torch.no_grad():
        for p in made.parameters():  # tables near 0 would hide a wrong distance
            p.add_(0.5 * torch.rand_like(p))
    return made


def inputs(dtype=torch.float32, start=0, batch=2):
    q, k = (torch.randn(batch, HEADS, length, DIM // HEADS) for length in (LQ, LK))
    return (
        q.to(dtype),
        k.to(dtype),
        positions(LQ, start=start + LK - LQ),
        positions(LK, start=start),
    )


def assert_shift_changes_nothing(scores, shift):
    q, k, q_at, k_at = inputs(torch.float64, start=16)
    found, moved = scores(q, k, q_at, k_at), scores(q, k, q_at + shift, k_at + shift)
    torch.testing.assert_close(moved, found, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", [name for name in ENCODINGS if name not in SEES_LENGTH])
def test_distance_alone_is_seen(scores):
    scores = scores.double()

    @settings(deadline=None, max_examples=20)
    @given(shift=st.integers(-5000, 131072))
    def shifted(shift):
        assert_shift_changes_nothing(scores, shift)

    shifted()


@pytest.mark.parametrize("name", sorted(SEES_LENGTH))
def test_distance_alone_is_seen_up_to_a_length(scores):
    scores = scores.double()
    assert_shift_changes_nothing(scores, 64 - LK - 16)
    with pytest.raises(AssertionError, match="not close"):
        assert_shift_changes_nothing(scores, 640)


@in_a_graph
def test_compiles_as_one_graph(scores):
    x = inputs()
    compiled = torch.compile(scores, backend="aot_eager", fullgraph=True)
    torch.testing.assert_close(compiled(*x), scores(*x), rtol=1e-5, atol=1e-5)
    torch.compiler.reset()


@pytest.mark.parametrize("name", sorted(READS_LENGTH))
def test_numbers_break_a_graph_and_nothing_else(scores):
    x = inputs()
    with pytest.raises(Exception, match="data-dependent"):
        torch.compile(scores, backend="aot_eager", fullgraph=True)(*x)
    torch.compiler.reset()
    compiled = torch.compile(scores, backend="aot_eager")
    with torch.no_grad():  # at a break inside a graph dynamo looks at .grad, and torch warns
        torch.testing.assert_close(compiled(*x), scores(*x), rtol=1e-5, atol=1e-5)
    torch.compiler.reset()


@in_a_graph
def test_exports(scores):
    x = inputs()
    found = torch.export.export(scores, x).module()(*x)
    torch.testing.assert_close(found, scores(*x), rtol=1e-5, atol=1e-5)


@in_vmap
def test_maps_over_texts_and_their_positions(scores):
    q, k, q_at, k_at = inputs(batch=3)
    starts = torch.tensor([0, 5, 40])[:, None]
    mapped = torch.vmap(lambda q, k, *at: scores(q[None], k[None], *at)[0])
    found = mapped(q, k, q_at + starts, k_at + starts)
    torch.testing.assert_close(found, scores(q, k, q_at + starts, k_at + starts))


@every
def test_comes_close_under_autocast(scores):
    x = inputs()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = scores(*x)
    # products of 8 bits, summed: about 2^-7 of scores below 10
    torch.testing.assert_close(found.float(), scores(*x), rtol=0.05, atol=0.1)


@every
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_scores_have_the_dtype_of_the_queries(scores, dtype):
    exact, x = deepcopy(scores).double(), inputs(dtype)
    found = scores.to(dtype)(*x)
    expected = exact(x[0].double(), x[1].double(), *x[2:])
    assert found.dtype == dtype
    # tables are rounded as well: 2^-9 of each of some five terms, below 10 together
    tolerance = {torch.float64: 1e-12, torch.float32: 1e-5}.get(dtype, 0.1)
    torch.testing.assert_close(found.double(), expected, rtol=0, atol=tolerance)


@every
def test_gradients_are_finite_and_reach_the_inputs(scores):
    q, k, *at = inputs()
    q.requires_grad_()
    k.requires_grad_()
    scores(q, k, *at).square().sum().backward()
    for x in (q, k):
        assert x.grad.isfinite().all()
        assert x.grad.abs().amin() > 0
    reached = [p.grad for p in scores.parameters() if p.grad is not None]
    assert all(g.isfinite().all() for g in reached)


@every
def test_devices_agree(scores, where):
    x = inputs()
    expected = scores(*x)
    found = scores.to(where)(*(tensor.to(where) for tensor in x))
    assert found.device.type == where.type
    torch.testing.assert_close(found.cpu(), expected, rtol=1e-4, atol=1e-4)
