"""Writing with a cache is writing without one; a cache is cropped, reordered, and kept in part."""

import re
from functools import partial

import pytest
import torch

from posenc_ref.decoding_cache import DecodingCache
from posenc_ref.generate import generate
from posenc_ref.sinks import cache_positions, evict
from posenc_ref.tiny_lm import TinyLM

VOCABULARY, PROMPT, COUNT = 11, 5, 6


def decoder(encoding="rope", layers=2):
    lm = TinyLM(VOCABULARY, 24, 3, layers, encoding, tied=False).double()
    with torch.no_grad():
        lm.output.weight.mul_(20)  # sharp: no two tokens are nearly alike
    return lm


def prompt(batch=2):
    return torch.randint(VOCABULARY, (batch, PROMPT))


@torch.no_grad()
def written_without_cache(lm, tokens, count):
    for _ in range(count):
        tokens = torch.cat((tokens, lm(tokens)[:, -1:].argmax(-1)), dim=1)
    return tokens[:, -count:]


@pytest.mark.parametrize("encoding", ["none", "sinusoidal", "learned", "t5", "alibi", "rope"])
def test_greedy_writing_is_the_argmax_of_a_full_pass_each_time(encoding):
    lm, tokens = decoder(encoding), prompt()
    assert torch.equal(generate(lm, tokens, COUNT), written_without_cache(lm, tokens, COUNT))


def test_left_padding_changes_nothing_that_is_written():
    lm, tokens = decoder(), prompt(batch=1)
    padded = torch.cat((torch.zeros(1, 3, dtype=torch.long), tokens), dim=1)
    visible = torch.arange(PROMPT + 3)[None] >= 3
    assert torch.equal(generate(lm, padded, COUNT, visible=visible), generate(lm, tokens, COUNT))


def test_a_cache_goes_on_from_what_it_read():
    lm, tokens, cache = decoder(), prompt(), DecodingCache(layers=2)
    first = generate(lm, tokens, 3, cache=cache)
    assert cache.layers[0].positions.shape == (2, PROMPT + 2)  # the last one is not read yet
    second = generate(lm, first[:, -1:], 3, cache=cache)
    assert torch.equal(torch.cat((first, second), 1), generate(lm, tokens, 6))


def test_draws_follow_the_softmax_at_that_temperature():
    lm, tokens = decoder(), prompt(batch=1).expand(4000, -1)
    generator = torch.Generator().manual_seed(7)
    drawn = generate(lm, tokens, 1, temperature=20.0, generator=generator)
    expected = (lm(tokens[:1])[0, -1] / 20.0).softmax(-1)
    actual = drawn.flatten().bincount(minlength=VOCABULARY) / 4000
    torch.testing.assert_close(actual.double(), expected, rtol=0, atol=0.04)
    again = generate(lm, tokens, 1, temperature=20.0, generator=torch.Generator().manual_seed(7))
    assert torch.equal(again, drawn)


def test_what_is_kept_is_all_that_is_seen():
    """Of one layer: a window of the last 3 columns is the model of the last 4 tokens."""
    lm, tokens = decoder(layers=1), prompt()
    actual = generate(lm, tokens, COUNT, keep=partial(evict, sinks=0, window=3))
    text = tokens
    for step in range(COUNT):
        seen = text if step == 0 else text[:, -4:]
        text = torch.cat((text, lm(seen)[:, -1:].argmax(-1)), dim=1)
    assert torch.equal(actual, text[:, PROMPT:])


def test_renumbered_columns_move_the_next_position():
    lm, tokens, cache = decoder(), prompt(), DecodingCache(layers=2)

    def renumbered(layer):
        columns = evict(layer, sinks=1, window=2)
        return columns._replace(positions=cache_positions(columns))

    generate(lm, tokens, COUNT, cache=cache, keep=renumbered)
    assert cache.layers[1].positions.tolist() == [[0, 1, 2, 3]] * 2


def test_nothing_to_write_is_nothing_written():
    assert generate(decoder(), prompt(), 0).shape == (2, 0)


def test_a_cropped_cache_is_that_of_the_shorter_text():
    lm, tokens, cache, short = decoder("t5"), prompt(), DecodingCache(layers=2), DecodingCache(2)
    lm(tokens, cache=cache)
    cache.crop(3)
    lm(tokens[:, :3], cache=short)
    for actual, expected in zip(cache.layers, short.layers, strict=True):
        for one, other in zip(actual, expected, strict=True):
            torch.testing.assert_close(one, other)
    torch.testing.assert_close(lm(tokens[:, 3:], cache=cache), lm(tokens)[:, 3:])


def test_a_length_that_one_layer_has_not_crops_none():
    cache = DecodingCache(layers=2)
    decoder()(prompt(), cache=cache)
    cache.layers[1] = evict(cache.layers[1], sinks=1, window=2)
    before = list(cache.layers)
    with pytest.raises(ValueError, match="length must be 0 … 3, what the cache has, got 4"):
        cache.crop(4)
    assert all(layer is old for layer, old in zip(cache.layers, before, strict=True))


@pytest.mark.parametrize("encoding", ["rope", "recurrent"])
def test_a_reordered_cache_is_that_of_the_reordered_rows(encoding):
    lm, tokens, cache = decoder(encoding), prompt(batch=3), DecodingCache(layers=2)
    rows = torch.tensor([2, 0, 0, 1])
    lm(tokens[:, :3], cache=cache)
    cache.reorder(rows)
    torch.testing.assert_close(lm(tokens[rows, 3:], cache=cache), lm(tokens[rows])[:, 3:])


def test_an_empty_cache_has_nothing_to_crop_or_reorder():
    cache = DecodingCache(layers=2)
    cache.crop(0)
    cache.reorder(torch.tensor([0]))
    assert cache.layers == [None, None]


def test_a_cache_says_what_does_not_fit(subtests):
    for error, message, change in [
        (ValueError, "length must be 0 … 5, what the cache has, got 6", lambda c: c.crop(6)),
        (ValueError, "length must be 0 … 5, what the cache has, got -1", lambda c: c.crop(-1)),
        (TypeError, "length must be an integer, got 2.0", lambda c: c.crop(2.0)),
        (TypeError, "rows must be a tensor, got list", lambda c: c.reorder([0])),
        (TypeError, "rows must be int64 or int32", lambda c: c.reorder(torch.tensor([0.0]))),
        (ValueError, "rows must be (B',), got ()", lambda c: c.reorder(torch.tensor(0))),
        (IndexError, "row 2 is outside", lambda c: c.reorder(torch.tensor([0, 2]))),
    ]:
        with subtests.test(message):
            cache = DecodingCache(layers=2)
            decoder()(prompt(), cache=cache)
            with pytest.raises(error, match=re.escape(message)):
                change(cache)


def test_the_state_of_a_recurrent_encoding_cannot_be_cropped():
    cache = DecodingCache(layers=2)
    decoder("recurrent")(prompt(), cache=cache)
    with pytest.raises(ValueError, match="recurrent encoding keeps its last state alone"):
        cache.crop(2)


def test_what_cannot_be_written_is_refused(subtests):
    for error, message, options in [
        (TypeError, "count must be an integer, got 1.5", {"count": 1.5}),
        (ValueError, "must not be negative, got -1 and 0.0", {"count": -1}),
        (ValueError, "must not be negative, got 2 and -0.5", {"temperature": -0.5}),
        (TypeError, "temperature must be a real number", {"temperature": "hot"}),
        (ValueError, "tokens must have at least one column", {"tokens": prompt()[:, :0]}),
    ]:
        with subtests.test(message), pytest.raises(error, match=message):
            generate(**{"model": decoder(), "tokens": prompt(), "count": 2, **options})
