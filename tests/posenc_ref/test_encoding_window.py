"""A local window in some layers: what is reached, what a cache may drop, which methods it hides."""

import re

import pytest
import torch

from posenc_ref import (
    Encoding,
    LayerEncodings,
    TinyLM,
    WindowEncoding,
    causal_mask,
    encoding_by_name,
    evict,
    generate,
    positions,
    window_mask,
)

DIM, HEADS, LENGTH = 24, 3, 14


def local(name="rope", window=4, sinks=0):
    return WindowEncoding(encoding_by_name(name, DIM, HEADS), window=window, sinks=sinks)


def model(*encodings):
    return TinyLM(11, DIM, HEADS, len(encodings), LayerEncodings(encodings)).double()


def some_tokens(batch=1):
    return torch.randint(11, (batch, LENGTH))


def reached(lm):
    """Return the tokens that change the last output when they change."""
    tokens = some_tokens()
    with torch.no_grad():
        last, tokens_reached = lm(tokens)[0, -1], []
        for t in range(LENGTH):
            other = tokens.clone()
            other[0, t] = (other[0, t] + 1) % 11
            if not torch.equal(lm(other)[0, -1], last):
                tokens_reached.append(t)
    return tokens_reached


def test_each_local_layer_reaches_a_window_less_one_further():
    assert reached(model(local())) == [10, 11, 12, 13]
    assert reached(model(local(), local())) == list(range(7, 14))
    assert reached(model(local(sinks=2), local(sinks=2))) == [0, 1, *range(7, 14)]
    assert reached(model(local(), Encoding())) == list(range(14))


@pytest.mark.parametrize("name", ["rope", "alibi", "t5", "shaw", "cope", "deberta"])
def test_scores_are_those_of_the_encoding_within_the_window(name):
    q, k = torch.randn(2, 2, HEADS, 9, 8, dtype=torch.float64)
    at = positions(9)
    near = window_mask(at, at, window=3, sinks=1)
    seen = causal_mask(at, at)
    encoding = encoding_by_name(name, DIM, HEADS).double()
    actual = WindowEncoding(encoding, window=3, sinks=1).scores(q, k, at, at, seen)
    expected = encoding.scores(q, k, at, at, seen & near)  # cope counts what may be seen
    assert actual[..., ~near].isneginf().all()
    torch.testing.assert_close(actual[..., near], expected[..., near])


def test_what_the_window_hides_a_cache_may_drop():
    lm, tokens = model(local(sinks=2), local(sinks=2)), some_tokens(batch=2)
    whole = generate(lm, tokens, 6)
    dropped = generate(lm, tokens, 6, keep=lambda layer: evict(layer, sinks=2, window=3))
    assert torch.equal(whole, dropped)
    lm = model(local(sinks=2), encoding_by_name("rope", DIM, HEADS))
    with torch.no_grad():
        full, short = lm(tokens)[:, -1], lm(tokens[:, 2:], positions(12, start=2))[:, -1]
    assert (full - short).abs().max() > 1e-3  # a global layer does want them


def test_padding_that_sees_nothing_is_not_nan():
    lm, tokens = model(local(), local()), some_tokens(batch=2)
    visible = torch.ones(2, LENGTH).bool()
    visible[0, :9] = False
    visible[1, 5:] = False  # on the right: queries whose window is all padding
    with torch.no_grad():
        assert lm(tokens, visible=visible).isfinite().all()


def test_two_bases_by_layer_each_turn_their_own():
    """As in Gemma 3: a small base behind a window, a large one without."""
    encodings = [
        WindowEncoding(encoding_by_name("rope", DIM, HEADS, base=1e4), window=4),
        encoding_by_name("rope", DIM, HEADS, base=1e6),
    ]
    lm, tokens = model(*encodings), some_tokens()
    with torch.no_grad():
        torch.testing.assert_close(lm(tokens), lm(tokens, positions(LENGTH, start=40)))
        frequencies = [lm.encoding.of_layer(0).encoding.frequencies, encodings[1].frequencies]
    assert frequencies[0][-1] > 10 * frequencies[1][-1]


def test_compiles_whole():
    lm, tokens = model(local(sinks=1), Encoding()), some_tokens()
    torch._dynamo.reset()
    compiled = torch.compile(lm, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(tokens), lm(tokens))


@pytest.mark.parametrize(
    ("error", "message", "encoding", "options"),
    [
        (TypeError, "encoding must be an Encoding, got 'rope'", "rope", {"window": 4}),
        (TypeError, "window must be an integer, got 4.0", Encoding(), {"window": 4.0}),
        (ValueError, "window must be positive, sinks at least 0", Encoding(), {"window": 0}),
        (
            ValueError,
            "AddedEncoding enters before the first layer, where there is no window",
            encoding_by_name("sinusoidal", DIM, HEADS),
            {"window": 4},
        ),
    ],
)
def test_what_has_no_window_is_refused(error, message, encoding, options):
    with pytest.raises(error, match=re.escape(message)):
        WindowEncoding(encoding, **options)
