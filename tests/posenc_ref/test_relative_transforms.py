"""DeBERTa, CoPE, KERPLE, Sandwich, FIRE under vmap and autocast."""

import pytest
import torch

from posenc_ref import positions
from posenc_ref.cope import cope_scores
from posenc_ref.deberta import deberta_scores
from posenc_ref.fire import FireBias
from posenc_ref.kerple import KerpleBias
from posenc_ref.sandwich import sandwich


def scores():
    table, per_head = torch.randn(9, 8), torch.randn(2, 3, 8, 8)
    return {
        "deberta v1": lambda *x: deberta_scores(*x, *per_head),
        "deberta v2": lambda *x: deberta_scores(*x, *per_head, max_distance=16),
        "deberta paper": lambda *x: deberta_scores(*x, *per_head, p2c_index="paper"),
        "cope": lambda *x: cope_scores(*x, table),
        "cope content": lambda *x: cope_scores(*x, table, divided="content"),
    }


def biases():
    return {
        "kerple log": KerpleBias(3, kernel="log"),
        "kerple log, three": KerpleBias(3, kernel="log", third=True),
        "kerple power": KerpleBias(3, kernel="power", head_dim=8),
        "sandwich": lambda q, k: sandwich(q, k, 3, dim=8),
        "sandwich nemo": lambda q, k: sandwich(q, k, 3, dim=8, pairs="nemo"),
        "fire": FireBias(3, threshold=4.0),
    }


def score_inputs(batch=2):
    q, k = torch.randn(batch, 3, 4, 8), torch.randn(batch, 3, 6, 8)
    return q, k, positions(4, start=2), positions(6)


EVERY = [*((name, "score") for name in scores()), *((name, "bias") for name in biases())]


@pytest.fixture(params=EVERY, ids=lambda pair: pair[0])
def member(request):
    name, kind = request.param
    if kind == "score":
        return scores()[name], score_inputs()
    return biases()[name], score_inputs()[2:]


@pytest.mark.parametrize("name", scores())
def test_vmap_over_texts(name):
    function = scores()[name]
    q, k, *_ = score_inputs(batch=5)
    at = torch.stack([positions(6, start=s) for s in range(5)])
    by_text = torch.vmap(lambda q, k, at: function(q[None], k[None], at[2:], at)[0])(q, k, at)
    torch.testing.assert_close(by_text, function(q, k, at[:, 2:], at))


@pytest.mark.parametrize("name", biases())
def test_vmap_over_positions(name):
    function = biases()[name]
    at = torch.stack([positions(6, start=s) for s in range(5)])
    torch.testing.assert_close(
        torch.vmap(lambda at: function(at[2:], at))(at), function(at[:, 2:], at)
    )


def test_autocast(member):
    function, inputs = member
    exact = function(*inputs)
    with torch.autocast(torch.get_default_device().type, dtype=torch.bfloat16):
        actual = function(*inputs)
    assert torch.equal(actual.isfinite(), exact.isfinite())
    # products are rounded to 8 bits, then summed: about 2^-7 of scores below 10
    seen = exact.isfinite()
    torch.testing.assert_close(actual.float()[seen], exact[seen], rtol=0.05, atol=0.1)
