"""A decoder without a part: the part is gone, nothing else is, and the original is untouched."""

import copy
import re

import pytest
import torch

from posenc_ref.ablation import with_encoding, without_head, without_pairs, without_turning
from posenc_ref.encoding import Encoding
from posenc_ref.encoding_layers import LayerEncodings
from posenc_ref.encoding_names import encoding_by_name
from posenc_ref.tiny_lm import TinyLM

DIM, HEADS, PAIRS = 24, 3, 4  # 8 channels a head


@pytest.fixture(params=["half", "interleaved"])
def lm(request):
    return TinyLM(11, DIM, HEADS, 2, "rope", layout=request.param).double()


def attended(model, tokens):
    record = []
    with torch.no_grad():
        model(tokens, record=record)
    return record


@pytest.fixture
def tokens():
    return torch.randint(11, (2, 9))


def test_a_head_that_is_taken_out_adds_nothing(lm, tokens):
    """The block's output without head 1 is the sum over the others, from the record."""
    before, changed = copy.deepcopy(lm.state_dict()), without_head(lm, layer=0, head=1)
    block, x = lm.blocks[0], lm.words(tokens)
    values = block.v(block.norm(x)).unflatten(-1, (HEADS, -1)).transpose(1, 2)
    read = attended(lm, tokens)[0].weights @ values
    read[:, 1] = 0
    expected = x + block.out(read.transpose(1, 2).flatten(2))
    expected = expected + block.mlp(block.mlp_norm(expected))
    at = torch.arange(9)
    actual = changed.blocks[0](x, at, None, changed.encoding, None)
    torch.testing.assert_close(actual, expected)
    assert all(torch.equal(lm.state_dict()[name], before[name]) for name in before)


def test_turning_pairs_that_stand_still_see_no_position(lm, tokens):
    """With all of them still it is NoPE; with some, those frequencies alone are 0."""
    still, plain = without_turning(lm, range(PAIRS)), with_encoding(lm, Encoding())
    torch.testing.assert_close(still(tokens), plain(tokens))
    omega = lm.encoding.frequencies
    changed = without_turning(lm, [1, 3]).encoding
    assert changed.frequencies.tolist() == [omega[0].item(), 0, omega[2].item(), 0]
    assert changed.layout == lm.encoding.layout
    assert (omega > 0).all()


def test_pairs_that_are_taken_out_of_a_head_score_nothing(lm, tokens):
    """Scores of that head and layer without a pair, plus those of it alone, are all of them."""
    parts = [[0, 2], [1, 3]]
    one, other = (without_pairs(lm, part, layer=1, head=2) for part in parts)
    whole = attended(lm, tokens)[1].scores
    sums = attended(one, tokens)[1].scores + attended(other, tokens)[1].scores
    torch.testing.assert_close(sums[:, 2], whole[:, 2])
    torch.testing.assert_close(sums[:, :2], 2 * whole[:, :2])
    assert (attended(one, tokens)[1].scores - whole)[:, 2].abs().max() > 1e-3


def test_a_pair_is_two_channels_that_turn_together(lm, tokens):
    """Without all pairs but the slowest, what is left hardly changes with the distance."""
    slow = without_pairs(lm, [0, 1, 2], layer=0, head=0)
    same = torch.full_like(tokens, 3)
    scores = attended(slow, same)[0].scores[0, 0]
    assert scores.std() < 0.02 * attended(lm, same)[0].scores[0, 0].std()


def test_every_rotary_layer_stands_still():
    rope = [encoding_by_name("rope", DIM, HEADS) for _ in range(2)]
    model = TinyLM(11, DIM, HEADS, 3, LayerEncodings([rope[0], Encoding(), rope[1]]))
    changed = without_turning(model, [0]).encoding
    assert [changed.of_layer(n).frequencies[0].item() for n in (0, 2)] == [0, 0]


def test_another_encoding_leaves_the_weights(tokens):
    model = TinyLM(11, DIM, HEADS, 2, "t5").double()
    changed = with_encoding(model, Encoding())
    assert torch.equal(changed.words.weight, model.words.weight)
    assert type(model.encoding) is not Encoding
    bias = model.encoding.bias(torch.arange(9), torch.arange(9))
    scores = [attended(m, tokens)[0].scores for m in (model, changed)]
    torch.testing.assert_close(scores[0] - scores[1], bias.double().expand(2, -1, -1, -1))


def test_what_the_model_has_not_is_refused(lm, subtests):
    for message, ablate in [
        ("layer must be 0 … 1, got 2", lambda m: without_head(m, 2, 0)),
        ("head must be 0 … 2, got -1", lambda m: without_head(m, 0, -1)),
        ("head must be 0 … 2, got 3", lambda m: without_pairs(m, [0], layer=0, head=3)),
        ("pair must be 0 … 3, got 4", lambda m: without_turning(m, [0, 4])),
        ("pair must be 0 … 3, got -1", lambda m: without_pairs(m, [-1], layer=0, head=0)),
    ]:
        with subtests.test(message), pytest.raises(ValueError, match=re.escape(message)):
            ablate(lm)


def test_what_is_not_of_that_kind_is_refused(subtests):
    for message, ablate in [
        ("encoding must be rotary, got BiasEncoding", lambda m: without_turning(m, [0])),
        ("layer 0 must be rotary", lambda m: without_pairs(m, [0], layer=0, head=0)),
        ("encoding must be an Encoding, got str", lambda m: with_encoding(m, "rope")),
        ("layer must be an integer, got 0.0", lambda m: without_head(m, 0.0, 0)),
    ]:
        with subtests.test(message), pytest.raises(TypeError, match=re.escape(message)):
            ablate(TinyLM(11, DIM, HEADS, 2, "alibi"))
