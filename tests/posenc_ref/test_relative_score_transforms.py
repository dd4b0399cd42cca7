"""Shaw, BERT, Transformer-XL, XLNet, rel-shift under vmap, autocast, gradients; state dicts.

The scores of Shaw and Transformer-XL themselves are in test_transforms.py.
"""

import pytest
import torch

from posenc_ref.bert_relative import bert_relative_scores
from posenc_ref.positions import positions
from posenc_ref.rel_shift import rel_shift, rel_shift_bidirectional
from posenc_ref.shaw import ShawEmbedding, shaw_scores, shaw_values
from posenc_ref.transformer_xl import transformer_xl_terms
from posenc_ref.transformer_xl_embedding import TransformerXLEmbedding
from posenc_ref.xlnet import xlnet_scores

EXACT = {"dtype": torch.float64}


def table():
    return torch.linspace(-1, 1, 13 * 8).view(13, 8)


def heads():
    return torch.linspace(-1, 1, 24).view(3, 8)


def weight():
    return torch.linspace(-1, 1, 24 * 6).view(24, 6)


def at_4_and_6():
    return positions(4, start=2), positions(6)


def xlnet(q, k, *at):
    same = torch.ones(q.shape[0], q.shape[2], k.shape[2], dtype=torch.bool).tril()
    segments = {"segment_bias": heads(), "segment_embedding": torch.stack((heads(), -heads()))}
    return xlnet_scores(q, k, *at, heads(), heads(), weight(), same_segment=same, **segments)


MEMBERS = {
    "shaw values": lambda q, k, *at: shaw_values((q @ k.mT).softmax(-1), *at, table()),
    "xlnet": xlnet,
    "rel_shift": lambda q, k, *at: rel_shift(q @ k.mT),
    "rel_shift bidirectional": lambda q, k, *at: rel_shift_bidirectional(q @ k.mT, keys=2),
}
BERT = {
    variant: lambda q, k, *at, v=variant: bert_relative_scores(q, k, *at, table(), variant=v)
    for variant in ("key", "key_query")
}
each = pytest.mark.parametrize("function", MEMBERS.values(), ids=MEMBERS)
each_or_bert = pytest.mark.parametrize(
    "function", [*MEMBERS.values(), *BERT.values()], ids=[*MEMBERS, *BERT]
)


def qk(**dtype):
    return torch.randn(2, 3, 4, 8, **dtype), torch.randn(2, 3, 6, 8, **dtype)


@each
def test_vmap_over_texts_with_positions_of_their_own(function):
    q, k = qk()
    rows = tuple(torch.stack((at, 3 * at)) for at in at_4_and_6())
    by_text = torch.vmap(lambda q, k, *at: function(q[None], k[None], *at)[0])(q, k, *rows)
    torch.testing.assert_close(by_text, function(q, k, *rows))


@each_or_bert
def test_autocast(function):
    inputs = (*qk(), *at_4_and_6())
    with torch.autocast(torch.get_default_device().type, dtype=torch.bfloat16):
        actual = function(*inputs)
    # sums of eight products below about 8, each rounded to 8 bits
    torch.testing.assert_close(actual.float(), function(*inputs), rtol=0.05, atol=0.1)


@each_or_bert
def test_gradients_are_those_of_finite_differences(function):
    q, k = (x[:1].requires_grad_() for x in qk(**EXACT))
    assert torch.autograd.gradcheck(lambda q, k: function(q, k, *at_4_and_6()), (q, k))


def test_gradients_reach_every_weight():
    q, k = (x[:1] for x in qk(**EXACT))
    tables = [x.double().requires_grad_() for x in (table(), heads(), heads(), weight())]

    def scores(table, u, v, weight):
        shaw = shaw_values(
            shaw_scores(q, k, *at_4_and_6(), table).softmax(-1), *at_4_and_6(), table
        )
        bert = bert_relative_scores(q, k, *at_4_and_6(), table, variant="key_query")
        return shaw, bert, *transformer_xl_terms(q, k, *at_4_and_6(), u, v, weight)

    assert torch.autograd.gradcheck(scores, tables)


@pytest.mark.parametrize("variant", BERT)
def test_vmap_of_bert_over_texts_at_the_same_positions(variant):
    q, k = qk()
    by_text = torch.vmap(lambda q, k: BERT[variant](q[None], k[None], *at_4_and_6())[0])(q, k)
    torch.testing.assert_close(by_text, BERT[variant](q, k, *at_4_and_6()))


# modules


@pytest.mark.parametrize(
    ("module", "names"),
    [
        (lambda: ShawEmbedding(6, 8), {"keys", "values"}),
        (lambda: TransformerXLEmbedding(3, 8, 6), {"u", "v", "weight"}),
    ],
    ids=["shaw", "transformer_xl"],
)
def test_a_state_dict_loads_strictly(module, names):
    one, two, inputs = module(), module(), (*qk(), *at_4_and_6())
    assert one.state_dict().keys() == names
    assert not torch.equal(one(*inputs), two(*inputs))
    two.load_state_dict(one.state_dict(), strict=True)
    assert torch.equal(one(*inputs), two(*inputs))
    with pytest.raises(RuntimeError, match="Missing key"):
        two.load_state_dict({}, strict=True)
