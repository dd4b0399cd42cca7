"""One harness over every encoding by name: distance, vmap, gradients, dtypes, devices.

A name added to ENCODINGS is tested here at once. What is measured is one head-split attention with
all five hooks in it: embed, keys, rotate, scores, read. That no hook is passed over is
a test as well.
"""

from copy import deepcopy

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from posenc_ref import causal_mask, positions
from posenc_ref.encoding_names import ENCODINGS, encoding_by_name
from tests.posenc_ref import encoding_options
from tests.posenc_ref.encoding_options import GRIDS

HEADS, DIM, LQ, LK = 3, 24, 4, 7
OPTIONS = {
    **encoding_options.OPTIONS,
    "deberta": {"span": 4},
    "bert_relative": {"max_length": 32},
    "fire": {"threshold": 64.0},
    "self_extend": {"window": 3, "group": 3},
    **{grid: {"width": 3, "base": 10.0} for grid in GRIDS},
}
READS_LENGTH = {"dynamic_ntk", "longrope", "floater"}  # asks for the largest position, a number
SEES_LENGTH = {"dynamic_ntk", "longrope", "fire"}  # the same distance differs in a longer text
IN_THREES = {*GRIDS, "xlnet", "self_extend"}  # with the options above: a row, segment or group
ABSOLUTE = {"sinusoidal", "learned", "floater", "multiplicative", "concatenated"}
SEES_PLACES = {*ABSOLUTE, *IN_THREES}
NOT_IN_A_GRAPH = {*READS_LENGTH, "recurrent"}  # neither torch.compile nor vmap takes a GRU
every = pytest.mark.parametrize("name", ENCODINGS)


def all_but(refused):
    return pytest.mark.parametrize("name", [name for name in ENCODINGS if name not in refused])


def each_of(names):
    return pytest.mark.parametrize("name", sorted(names))


class Attending(nn.Module):
    """From embeddings that ask (B, Lq, d) and that are read (B, Lk, d) to scores and what is read.

    (B, H, Lq, Lk + D): the scores, 0 where masked, beside the output of attention.
    """

    def __init__(self, name):
        super().__init__()
        self.encoding = encoding_by_name(name, DIM, HEADS, **OPTIONS.get(name, {}))
        with torch.no_grad():
            for p in self.parameters():  # tables near 0 would hide a wrong distance
                p.add_(0.5 * torch.rand_like(p))

    def heads(self, x, at):
        embedded, _ = self.encoding.embed(x, at)
        return torch.unflatten(embedded, -1, (HEADS, -1)).transpose(1, 2)  # (B, H, L, D)

    def forward(self, x, y, q_at, k_at):
        mask = causal_mask(q_at, k_at)
        mask = mask[:, None] if mask.dim() == 3 else mask
        q, k = self.heads(x, q_at), self.encoding.keys(y, self.heads(y, k_at))
        turned = self.encoding.rotate(q, k, q_at, k_at)
        scores = self.encoding.scores(*turned, q_at, k_at, mask)
        weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
        values = k[..., : q.shape[-1]]
        read = self.encoding.read(weights.to(k.dtype), values, q_at, k_at)
        # what is masked says nothing, in CoPE -inf
        return torch.cat((scores.masked_fill(~mask, 0.0), read), dim=-1)


@pytest.fixture
def attending(name):
    return Attending(name)


def inputs(dtype=torch.float32, start=0, batch=2):
    x, y = (0.5 * torch.randn(batch, length, DIM) for length in (LQ, LK))
    q_at, k_at = positions(LQ, start=start + LK - LQ), positions(LK, start=start)
    return x.to(dtype), y.to(dtype), q_at, k_at


def shifted(attending, shift):
    x, y, q_at, k_at = inputs(torch.float64, start=16)
    return attending(x, y, q_at, k_at), attending(x, y, q_at + shift, k_at + shift)


def assert_shift_changes_nothing(attending, shift):
    torch.testing.assert_close(*shifted(attending, shift), rtol=0, atol=1e-9)


@all_but({"none"})
def test_what_is_measured_depends_on_the_encoding(attending):
    """Else the tests below would hold for any encoding: a hook would have been passed over."""
    x = inputs()
    assert (attending(*x) - Attending("none")(*x)).abs().max() > 0.01


def test_what_is_read_depends_on_the_table_of_values():
    """Shaw's second table, which scores do not see."""
    attending, x = Attending("shaw"), inputs()
    before = attending(*x)
    with torch.no_grad():
        attending.encoding.score.values.add_(1.0)
    torch.testing.assert_close(attending(*x)[..., :LK], before[..., :LK])
    torch.testing.assert_close(attending(*x)[..., LK:], before[..., LK:] + 1)


@all_but(SEES_LENGTH | SEES_PLACES)
def test_distance_alone_is_seen(attending):
    attending = attending.double()

    @settings(deadline=None, max_examples=20)
    @given(shift=st.integers(-5000, 131072))
    def check(shift):
        assert_shift_changes_nothing(attending, shift)

    check()


@each_of(SEES_LENGTH)
def test_distance_alone_is_seen_up_to_a_length(attending):
    attending = attending.double()
    assert_shift_changes_nothing(attending, 64 - LK - 16)
    with pytest.raises(AssertionError, match="not close"):
        assert_shift_changes_nothing(attending, 640)


@each_of(IN_THREES)
def test_whole_rows_and_segments_may_be_put_before(attending):
    for shift in (3, 300):
        assert_shift_changes_nothing(attending.double(), shift)


@each_of(SEES_PLACES)
def test_more_than_distance_is_seen(attending):
    for shift in (1, 200):
        actual, moved = shifted(attending.double(), shift)
        assert (moved - actual).abs().max() > 1e-3, shift


@all_but(NOT_IN_A_GRAPH)
def test_maps_over_texts_and_their_positions(attending):
    x, y, q_at, k_at = inputs(batch=3)
    starts = torch.tensor([0, 5, 40])[:, None]
    mapped = torch.vmap(lambda x, y, *at: attending(x[None], y[None], *at)[0])
    actual = mapped(x, y, q_at + starts, k_at + starts)
    torch.testing.assert_close(actual, attending(x, y, q_at + starts, k_at + starts))


@each_of(NOT_IN_A_GRAPH)
def test_vmap_refuses_what_reads_numbers_and_the_gru(attending, name):
    x, y, q_at, k_at = inputs(batch=3)
    starts = torch.tensor([0, 5, 40])[:, None]
    mapped = torch.vmap(lambda x, y, *at: attending(x[None], y[None], *at)[0])
    message = "rule not implemented for aten::gru" if name == "recurrent" else "vmap"
    with pytest.raises(RuntimeError, match=message):
        mapped(x, y, q_at + starts, k_at + starts)


def distance(actual, expected):
    """Return the error relative to the size of what is expected."""
    return ((actual.double() - expected).norm() / expected.norm()).item()


@every
def test_result_has_the_dtype_of_the_embeddings_and_comes_close_under_autocast(attending):
    x = inputs()
    with torch.autocast(torch.get_default_device().type, dtype=torch.bfloat16):
        actual = attending(*x)
    assert distance(actual, attending(*x)) < 2**-6  # some roundings of 2^-9 one after the other
    # tables are rounded as well, and weights follow the scores by their exponential
    for dtype, tolerance in (
        (torch.float64, 1e-13),
        (torch.float32, 2e-6),
        (torch.bfloat16, 2**-5),
    ):
        x = inputs(dtype)
        actual = deepcopy(attending).to(dtype)(*x)
        expected = deepcopy(attending).double()(x[0].double(), x[1].double(), *x[2:])
        assert actual.dtype == dtype
        assert distance(actual, expected) < tolerance, dtype


@every
def test_gradients_are_finite_and_reach_all_inputs_and_weights(attending):
    x, y, *at = inputs()
    x.requires_grad_()
    y.requires_grad_()
    attending(x, y, *at).square().sum().backward()
    for given_input in (x, y):
        assert given_input.grad.isfinite().all()
        assert given_input.grad.abs().amin() > 0
    for key, p in attending.named_parameters():
        assert p.grad is not None, key
        assert p.grad.isfinite().all(), key
        assert p.grad.any(), key


@every
def test_devices_agree(attending, where):
    x = inputs()
    expected = attending(*x)
    actual = attending.to(where)(*(tensor.to(where) for tensor in x))
    assert actual.device.type == where.type
    torch.testing.assert_close(actual.cpu(), expected, rtol=1e-4, atol=1e-4)
