"""An encoding for each layer, and what attention did in each, on a small decoder."""

import re

import pytest
import torch

from posenc_ref.decoding_cache import DecodingCache
from posenc_ref.encoding import Encoding
from posenc_ref.encoding_layers import LayerEncodings
from posenc_ref.encoding_names import encoding_by_name
from posenc_ref.positions import positions
from posenc_ref.tiny_lm import TinyLM

DIM, HEADS, LENGTH = 24, 3, 9


def encodings_of(*names):
    return [encoding_by_name(name, DIM, HEADS) for name in names]


def model(encoding):
    layers = len(encoding.layers) if isinstance(encoding, LayerEncodings) else 2
    return TinyLM(11, DIM, HEADS, layers, encoding).double()


def some_tokens():
    return torch.randint(11, (2, LENGTH))


@pytest.mark.parametrize("name", ["rope", "t5", "learned"])
def test_one_encoding_shared_by_its_object_is_one_encoding_for_all_layers(name):
    shared = encoding_by_name(name, DIM, HEADS)
    layered, tokens = model(LayerEncodings([shared, shared])), some_tokens()
    plain = model(shared)
    plain.load_state_dict(layered.state_dict(), strict=False)
    with torch.no_grad():
        torch.testing.assert_close(layered(tokens), plain(tokens), rtol=0, atol=0)


def test_each_layer_scores_by_its_own_encoding():
    """Layer 0 turns, layer 1 does not: its scores are q·k/√D of what it is given."""
    lm, tokens, record = model(LayerEncodings(encodings_of("rope", "none"))), some_tokens(), []
    other = model(LayerEncodings(encodings_of("none", "rope")))
    other.load_state_dict(lm.state_dict())
    with torch.no_grad():
        lm(tokens, record=record)
        x = lm.words(tokens)
        for block, attended in zip(lm.blocks, record, strict=True):
            q, k = (
                f(block.norm(x)).unflatten(-1, (HEADS, -1)).transpose(1, 2)
                for f in (block.q, block.k)
            )
            at = positions(LENGTH)
            if block.layer == 0:
                q, k = encoding_by_name("rope", DIM, HEADS).rotate(q, k, at, at)
            torch.testing.assert_close(attended.scores, q @ k.mT / 8**0.5)
            x = block(x, at, None, lm.encoding.of_layer(block.layer), None)
        assert (lm(tokens) - other(tokens)).abs().max() > 1e-3


def test_weights_of_the_record_are_the_softmax_of_its_scores_over_the_past():
    lm, record = model(encoding_by_name("alibi", DIM, HEADS)), []
    lm(some_tokens(), record=record)
    past = torch.ones(LENGTH, LENGTH).tril().bool()
    for scores, weights in record:
        expected = scores.masked_fill(~past, -torch.inf).softmax(-1)
        torch.testing.assert_close(weights, expected)
    assert [tuple(part.shape) for part in record[1]] == [(2, HEADS, LENGTH, LENGTH)] * 2


def test_a_record_of_a_decoding_step_is_the_last_row():
    lm, tokens, whole, step = model(encoding_by_name("rope", DIM, HEADS)), some_tokens(), [], []
    cache = DecodingCache(layers=2)
    with torch.no_grad():
        lm(tokens, record=whole)
        lm(tokens[:, :-1], cache=cache)
        lm(tokens[:, -1:], cache=cache, record=step)
    for all_rows, last in zip(whole, step, strict=True):
        torch.testing.assert_close(last.weights, all_rows.weights[:, :, -1:])


def test_an_input_encoding_enters_once_before_the_first_layer():
    lm, tokens = model(LayerEncodings(encodings_of("sinusoidal", "alibi"))), some_tokens()
    x, _ = lm.encoding.embed(lm.words(tokens), positions(LENGTH))
    expected, _ = encodings_of("sinusoidal")[0].embed(lm.words(tokens), positions(LENGTH))
    assert torch.equal(x, expected)


def test_decoding_with_an_encoding_per_layer_is_the_full_pass():
    lm, tokens = model(LayerEncodings(encodings_of("rope", "t5", "none"))), some_tokens()
    cache = DecodingCache(layers=3)
    with torch.no_grad():
        parts = [lm(part, cache=cache) for part in tokens.split([4, 1, 3, 1], dim=1)]
        torch.testing.assert_close(torch.cat(parts, 1), lm(tokens))


def test_one_row_of_positions_is_that_of_all(subtests):
    for name in ["learned", "rope", "t5", "shaw", "recurrent", "xlnet"]:
        with subtests.test(name=name):
            lm, tokens = model(encoding_by_name(name, DIM, HEADS)), some_tokens()
            at = positions(LENGTH, start=3)
            with torch.no_grad():
                torch.testing.assert_close(lm(tokens, at[None]), lm(tokens, at.expand(2, -1)))
                cached = lm(tokens, at[None], DecodingCache(layers=2))
                torch.testing.assert_close(cached, lm(tokens, at))


def test_encodings_that_cannot_work_are_refused(subtests):
    for message, encodings in [
        ("must have one for each layer, got an empty list", []),
        ("encodings[1], AddedEncoding, enters before layer 0: put it first", ("rope", "learned")),
        ("encodings[1], AddedEncoding, enters", ("sinusoidal", "sinusoidal")),
    ]:
        with subtests.test(message), pytest.raises(ValueError, match=re.escape(message)):
            LayerEncodings(encodings_of(*encodings))


def test_wrong_types_and_numbers_of_encodings_are_refused():
    with pytest.raises(TypeError, match=re.escape("encodings[0] must be an Encoding, got 'rope'")):
        LayerEncodings(["rope"])
    with pytest.raises(ValueError, match="2 encodings do not fit 3 layers"):
        TinyLM(11, DIM, HEADS, 3, LayerEncodings(encodings_of("rope", "none")))
    with pytest.raises(TypeError, match="an Encoding has its options already, got base"):
        TinyLM(11, DIM, HEADS, 3, Encoding(), base=100.0)
