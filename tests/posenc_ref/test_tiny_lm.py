"""A small decoder with every encoding: trains, is causal, decodes as it reads, loads strictly."""

import copy
import re
from functools import partial
from itertools import pairwise

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref.alibi import alibi, alibi_slopes
from posenc_ref.attention import causal_mask
from posenc_ref.bert_relative import bert_relative_scores
from posenc_ref.cope import cope_scores
from posenc_ref.deberta import deberta_scores
from posenc_ref.decoding_cache import DecodingCache
from posenc_ref.encoding_names import ENCODINGS, encoding_by_name
from posenc_ref.encoding_scores import BiasEncoding
from posenc_ref.fire import fire_input
from posenc_ref.kerple import kerple_log, kerple_power
from posenc_ref.llama3 import llama3
from posenc_ref.longrope import longrope
from posenc_ref.ntk import dynamic_ntk, ntk_aware
from posenc_ref.ntk_by_parts import ntk_by_parts
from posenc_ref.position_interpolation import position_interpolation
from posenc_ref.positions import positions, positions_from_mask
from posenc_ref.proportional import proportional
from posenc_ref.sandwich import sandwich
from posenc_ref.sinusoidal import frequencies, sinusoidal
from posenc_ref.t5 import t5_bucket
from posenc_ref.tiny_lm import TinyLM
from posenc_ref.yarn import yarn
from tests.posenc_ref import encoding_options

VOCABULARY, DIM, HEADS, LENGTH = 11, 24, 3, 9
OPTIONS = {
    **encoding_options.OPTIONS,
    "dynamic_ntk": {"trained_length": LENGTH},
    "rope": {"base": 100.0, "layout": "interleaved"},
    "shaw": {"max_distance": 3},
    "t5": {"buckets": 8, "max_distance": 12},
    "cope": {"rows": 5, "divided": "content", "gates": "unscaled"},
    "bert_relative": {"variant": "key_query", "max_length": 32},
    "deberta": {"span": 4, "max_distance": 12},
}
NO_ORDER_OF_PAST = {"none"}
every = pytest.mark.parametrize(
    "name", [name for name in ENCODINGS if name not in encoding_options.RESCALED]
)


def model(name, layers=2, dtype=torch.float64, **more):
    options = OPTIONS.get(name, {})
    lm = TinyLM(VOCABULARY, DIM, HEADS, layers, name, **options, **more).to(dtype)
    with torch.no_grad():
        for p in lm.encoding.parameters():  # tables near 0 would hide a wrong distance
            p.add_(0.5 * torch.rand_like(p))
    return lm


def some_tokens(batch=2, length=LENGTH):
    return torch.randint(VOCABULARY, (batch, length))


def loss(lm, tokens):
    logits = lm(tokens[:, :-1])
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())


@every
def test_every_parameter_is_trained(name, where):
    """Each parameter has a finite gradient and is moved by three steps, and the loss falls."""
    lm, tokens = model(name, dtype=torch.float32, tied=False).to(where), some_tokens().to(where)
    before, first = copy.deepcopy(lm.state_dict()), loss(lm, tokens).item()
    optimizer = torch.optim.AdamW(lm.parameters(), lr=3e-3)
    for _ in range(3):
        optimizer.zero_grad()
        loss(lm, tokens).backward()
        for key, p in lm.named_parameters():
            assert p.grad is not None, key
            assert p.grad.isfinite().all(), key
            assert p.grad.any(), key
        optimizer.step()
    assert loss(lm, tokens).item() < first
    moved = {key for key, p in lm.named_parameters() if not torch.equal(p, before[key])}
    assert moved == dict(lm.named_parameters()).keys()


@every
def test_is_causal(name):
    """A changed last token changes the last logits alone."""
    lm, tokens = model(name), some_tokens()
    other = tokens.clone()
    other[:, -1] = (other[:, -1] + 1) % VOCABULARY
    with torch.no_grad():
        one, two = lm(tokens), lm(other)
    torch.testing.assert_close(one[:, :-1], two[:, :-1], rtol=0, atol=1e-12)
    assert (one[:, -1] - two[:, -1]).abs().max() > 1e-3


@every
def test_knows_order_of_the_past_except_without_encoding(name):
    """Of one layer: with several the causal mask itself tells positions apart."""
    lm, tokens = model(name, layers=1), torch.tensor([[1, 2, 3, 4, 5, 6]])
    swapped = tokens[:, [3, 1, 2, 0, 4, 5]]
    with torch.no_grad():
        difference = (lm(tokens) - lm(swapped))[:, -1].abs().max()
    assert (difference > 1e-6) == (name not in NO_ORDER_OF_PAST)


def test_without_encoding_several_layers_know_some_order():
    lm, tokens = model("none", layers=2), torch.tensor([[1, 2, 3, 4, 5, 6]])
    with torch.no_grad():
        difference = lm(tokens) - lm(tokens[:, [3, 1, 2, 0, 4, 5]])
    assert difference[:, -1].abs().max() > 1e-6


@every
def test_decoding_is_the_full_pass(name, where64):
    tokens = some_tokens().to(where64)
    lm, cache = model(name, kv_heads=1).to(where64), DecodingCache(layers=2)
    with torch.no_grad():
        parts = tokens.split([4, 1, 2, 1, 1], dim=1)
        decoded = torch.cat([lm(part, cache=cache) for part in parts], dim=1)
        torch.testing.assert_close(decoded, lm(tokens))
    cached = cache.layers[1]  # keys may carry what an encoding says of their tokens
    assert cached.values.shape == (2, 1, LENGTH, DIM // HEADS)
    assert cached.keys.shape[:3] == cached.values.shape[:3]


@settings(deadline=None, max_examples=8)
@given(data=st.data())
@every
def test_decoding_any_lengths_paddings_and_chunks_is_the_full_pass(name, data):
    """Two rows with paddings of their own to the left, read in chunks; grouped heads as well."""
    length = data.draw(st.integers(1, LENGTH))
    padding = data.draw(st.lists(st.integers(0, length - 1), min_size=2, max_size=2))
    if name == "recurrent":  # it reads padding too
        padding = [0, 0]
    ends = sorted({*data.draw(st.sets(st.integers(1, length))), length})
    lm = model(name, layers=1, kv_heads=data.draw(st.sampled_from([1, 3])))
    tokens, cache, outs = some_tokens(length=length), DecodingCache(layers=1), []
    visible = torch.arange(length) >= torch.tensor(padding)[:, None]
    at = positions_from_mask(visible)
    with torch.no_grad():
        for start, end in pairwise([0, *ends]):
            now = slice(start, end)
            outs.append(lm(tokens[:, now], at[:, now], cache, visible[:, now]))
        decoded = torch.cat(outs, dim=1)
        for row, words in enumerate(visible):
            alone = lm(tokens[row : row + 1, words])
            torch.testing.assert_close(decoded[row : row + 1, words], alone)


@every
def test_padding_is_as_if_there_were_none(name):
    """To the left, between, and not at all. A recurrent encoding reads it and is said to."""
    lm, tokens, cache = model(name), some_tokens(batch=3), DecodingCache(layers=2)
    left, between, none = [0, 0, 0] + [1] * 6, [1, 1, 0, 1, 0, 0, 1, 1, 1], [1] * 9
    visible = torch.tensor([left, between, none]).bool()
    with torch.no_grad():
        padded = lm(tokens[:, :-1], cache=cache, visible=visible[:, :-1])
        padded = torch.cat((padded, lm(tokens[:, -1:], cache=cache)), dim=1)
        same = [
            torch.allclose(row[words], lm(text[None, words])[0])
            for row, text, words in zip(padded, tokens, visible, strict=True)
        ]
    assert same == [name != "recurrent", name != "recurrent", True]


@every
def test_a_query_that_sees_nothing_stays_finite(name):
    """The first row is padding alone: its logits mean nothing, and leave all gradients finite."""
    lm, tokens = model(name), some_tokens()
    visible = torch.tensor([[False], [True]]).expand(2, LENGTH)
    logits = lm(tokens, positions(LENGTH), visible=visible)
    assert logits.isfinite().all()
    logits[1].sum().backward()
    assert all(p.grad.isfinite().all() for p in lm.parameters() if p.grad is not None)


@every
def test_state_dict_loads_strictly(name):
    lm, other, tokens = model(name), model(name), some_tokens()
    assert not torch.equal(lm(tokens), other(tokens))
    other.load_state_dict(lm.state_dict(), strict=True)
    torch.testing.assert_close(other(tokens), lm(tokens))


@every
def test_runs_in_bfloat16_and_under_autocast(name):
    lm, tokens = model(name, dtype=torch.float32), some_tokens()
    with torch.no_grad():
        exact = lm(tokens)
        with torch.autocast(torch.get_default_device().type, torch.bfloat16):
            cast = lm(tokens)
        whole = lm.bfloat16()(tokens)
    assert whole.dtype == torch.bfloat16
    for actual in (cast, whole):  # logits of about 1; bfloat16 has 8 bits
        assert (actual.float() - exact).abs().max() < 0.2


# the frequencies of a trained model


SCALINGS = {
    "position_interpolation": position_interpolation(8, 2.0),
    "ntk_aware": ntk_aware(8, 2.0),
    "yarn": yarn(8, 2.0, 64),
}


@pytest.mark.parametrize("name", SCALINGS)
def test_a_trained_model_takes_other_frequencies(name):
    """The weights are those of plain RoPE; logits are those of a model made with the scaling."""
    lm, tokens = TinyLM(VOCABULARY, DIM, HEADS, 2, "rope").double(), some_tokens()
    scaled = model(name)
    scaled.load_state_dict(lm.state_dict(), strict=True)
    plain = lm(tokens)
    lm.encoding.frequencies, lm.encoding.attention_factor = SCALINGS[name]
    torch.testing.assert_close(lm(tokens), scaled(tokens))
    assert (lm(tokens) - plain).abs().max() > 1e-4


def test_the_attention_factor_sharpens_by_its_square():
    """At distance 0 a rotation changes no score, so the factor is all that is seen."""
    x, at = torch.randn(1, HEADS, 1, 8, dtype=torch.float64), positions(1, start=5)
    encoding = encoding_by_name("yarn", DIM, HEADS, factor=16.0, trained_length=64)
    ratio = encoding.scores(*encoding.rotate(x, x, at, at), at, at) / encoding.scores(x, x, at, at)
    torch.testing.assert_close(ratio.mean().item(), 1.6314, rtol=0, atol=1e-4)  # (0.1 ln 16 + 1)²


BIASES = {
    "alibi": lambda b, q, k: alibi(q, k, alibi_slopes(HEADS)),
    "sandwich": lambda b, q, k: sandwich(q, k, HEADS),
    "t5": lambda b, q, k: b.weight[t5_bucket(k - q[:, None], bidirectional=False)].movedim(-1, 0),
    "kerple_log": lambda b, q, k: kerple_log(q, k, b.r1, b.r2),
    "kerple_power": lambda b, q, k: kerple_power(q, k, b.r1, b.r2),
    "fire": lambda b, q, k: b.network(
        fire_input(q, k, b.c + 1e-6, (b.multiplier + 1e-6) * b.threshold)[..., None]
    ).movedim(-1, 0),
}


def test_each_bias_by_name_has_a_row():
    biases = {name for name, kind in encoding_options.KINDS.items() if kind is BiasEncoding}
    assert biases == BIASES.keys(), "BIASES: what its formula gives, by its name"


@pytest.mark.parametrize("name", BIASES)
def test_a_bias_is_that_of_its_name_and_added_after_the_scaling(name):
    encoding = encoding_by_name(name, DIM, HEADS, **encoding_options.NEEDED[name])
    q, k = positions(3, start=40), positions(43)
    x, y = (torch.randn(2, HEADS, length, 8) for length in (3, 43))
    actual = encoding.scores(x, y, q, k) - x @ y.mT / 8**0.5
    expected = BIASES[name](encoding.bias, q, k).expand(2, -1, -1, -1)
    torch.testing.assert_close(actual, expected, rtol=0, atol=2e-5)


ROTARY = {
    "rope": lambda dim, base, layout: (frequencies(dim, base=base), 1.0),
    "position_interpolation": position_interpolation,
    "ntk_aware": ntk_aware,
    "ntk_by_parts": ntk_by_parts,
    "yarn": yarn,
    "llama3": llama3,
    "proportional": proportional,
    "dynamic_ntk": partial(dynamic_ntk, length=1),
    "longrope": partial(longrope, length=1),
}


def test_a_rotary_name_is_that_scaling(subtests):
    for name in ROTARY:
        with subtests.test(name=name):
            options = OPTIONS.get(name, {})
            encoding = encoding_by_name(name, DIM, HEADS, **options)
            omega, factor = ROTARY[name](8, **options)
            assert torch.equal(encoding.frequencies, omega)
            assert encoding.attention_factor == factor
            assert encoding.layout == options.get("layout", "half")


SCORES = {
    "bert_relative": lambda *inputs, table: bert_relative_scores(
        *inputs, table, variant="key_query"
    ),
    "deberta": partial(deberta_scores, max_distance=12),
    "cope": partial(cope_scores, divided="content", gates="unscaled"),
}


@pytest.mark.parametrize("name", SCORES)
def test_a_score_is_that_of_its_name_with_its_options(name):
    encoding = encoding_by_name(name, DIM, HEADS, **OPTIONS[name])
    q, k = torch.randn(2, 1, HEADS, LENGTH, 8)
    inputs = (q, k, positions(LENGTH), positions(LENGTH))
    expected = SCORES[name](*inputs, **encoding.tables)
    torch.testing.assert_close(encoding.scores(*inputs), expected)


def test_what_enters_at_the_input():
    x, at = torch.randn(2, LENGTH, DIM), positions(LENGTH)
    embedded = {
        name: encoding_by_name(name, DIM, HEADS).embed(x, at)[0]
        for name in ("none", "sinusoidal", "multiplicative")
    }
    assert embedded["none"] is x
    torch.testing.assert_close(embedded["sinusoidal"], DIM**0.5 * x + sinusoidal(at, DIM))
    near = embedded["multiplicative"] / x  # 1 + rows of size 0.02
    assert (near - 1).abs().max() < 0.2


@pytest.mark.parametrize("tied", [True, False])
def test_output_is_tied_on_request(tied):
    lm = TinyLM(VOCABULARY, DIM, HEADS, 1, tied=tied)
    assert (lm.output.weight is lm.words.weight) == tied


def test_interpolated_frequencies_are_interpolated_positions():
    lm, tokens = TinyLM(VOCABULARY, DIM, HEADS, 2, "rope").double(), some_tokens()
    half = lm(tokens, positions(LENGTH) / 2.0)
    lm.encoding.frequencies, _ = position_interpolation(8, 2.0)
    torch.testing.assert_close(lm(tokens), half, rtol=0, atol=1e-6)  # positions are float32


def test_frequencies_stay_exact_in_a_16_bit_model():
    lm = TinyLM(VOCABULARY, DIM, HEADS, 1, "rope").bfloat16()
    assert torch.equal(lm.encoding.frequencies, frequencies(8))
    assert not any("frequencies" in key for key in lm.state_dict())


def test_dynamic_ntk_needs_unrotated_keys():
    """Beyond the trained length one layer decodes as it reads; keys cached rotated would not."""
    tokens, trained = some_tokens(length=24), 6
    lm = TinyLM(VOCABULARY, DIM, HEADS, 1, "dynamic_ntk", trained_length=trained).double()
    cache = DecodingCache(layers=1)
    with torch.no_grad():
        for t in range(24):
            last = lm(tokens[:, t : t + 1], cache=cache)
            torch.testing.assert_close(last, lm(tokens[:, : t + 1])[:, -1:])
        lm.encoding.scaled = lambda at: dynamic_ntk(8, trained, trained)
        assert (lm(tokens)[:, -1:] - last).abs().max() > 1e-4


def test_share_of_channels_turns():
    lm = TinyLM(VOCABULARY, 32, 2, 1, "rope", share=0.25)
    assert lm.encoding.frequencies.shape == (2,)
    assert lm(some_tokens()).shape == (2, LENGTH, VOCABULARY)


def test_relative_encodings_do_not_see_an_offset():
    """Which encodings look at distances alone; FIRE's threshold is beyond these positions."""
    moved = set()
    for name in ENCODINGS:
        lm, tokens = model(name), some_tokens()
        with torch.no_grad():
            there = lm(tokens, positions(LENGTH, start=7))
            if not torch.allclose(there, lm(tokens), rtol=0, atol=1e-9):
                moved.add(name)
    absolute = {"sinusoidal", "learned", "floater", "multiplicative", "concatenated"}
    # seven tokens are not a whole number of rows or segments
    assert moved == absolute | {"dynamic_ntk", "rope_2d", "axial", "rope_mixed", "mrope", "xlnet"}


def test_alibi_takes_its_form():
    """Behind a causal mask "key_only" is "causal" but for a constant in each row."""
    q, at = torch.randn(1, HEADS, LENGTH, 8), positions(LENGTH)
    causal, symmetric, key_only = (
        encoding_by_name("alibi", DIM, HEADS, form=form).scores(q, q, at, at)
        for form in ("causal", "symmetric", "key_only")
    )
    past = causal_mask(at, at)
    torch.testing.assert_close(symmetric.where(past, 0.0), causal.where(past, 0.0))
    assert not torch.allclose(symmetric, causal)
    constant = (key_only - causal).diff(dim=-1)
    torch.testing.assert_close(constant, torch.zeros_like(constant), rtol=0, atol=1e-5)
    with pytest.raises(ValueError, match="form must be one of"):
        encoding_by_name("alibi", DIM, HEADS, form="linear").scores(q, q, at, at)


@pytest.mark.parametrize(("name", "kerple"), [("log", kerple_log), ("power", kerple_power)])
def test_kerple_takes_the_head_dim_of_the_published_code(name, kerple):
    encoding = encoding_by_name(f"kerple_{name}", DIM, HEADS, head_dim=8)
    q, at, bias = torch.zeros(1, HEADS, LENGTH, 8), positions(LENGTH), encoding.bias
    expected = kerple(at, at, bias.r1, bias.r2, head_dim=8)[None]
    torch.testing.assert_close(encoding.scores(q, q, at, at), expected)


def test_heads_that_do_not_divide_dim_are_refused(subtests):
    for dim, heads in [(24, 0), (24, 5), (0, 3), (24, -3)]:
        message = f"dim {dim} does not divide into {heads} heads"
        with subtests.test(message), pytest.raises(ValueError, match=message):
            encoding_by_name("t5", dim, heads)


BAD = {
    "encoding must be one of none, sinusoidal, ": {"encoding": "ropes"},
    "vocabulary, dim and layers must be positive, got 0, 24 and 1": {"vocabulary": 0},
    "vocabulary, dim and layers must be positive, got 5, 24 and 0": {"layers": 0},
    "dim 24, heads 5 and kv_heads 5 do not divide": {"heads": 5},
    "dim 24, heads 3 and kv_heads 2 do not divide": {"kv_heads": 2},
}


def test_bad_input_raises_an_error_that_names_it(subtests):
    for message, options in BAD.items():
        with subtests.test(message), pytest.raises(ValueError, match=re.escape(message)):
            TinyLM(**{"vocabulary": 5, "dim": DIM, "heads": 3, "layers": 1, **options})


def test_shapes_that_disagree_raise_an_error_that_names_them(subtests):
    for message, inputs in [
        ("tokens (B, L) and positions disagree: (2, 9) and (1,)", {"positions": positions(1)}),
        ("tokens (B, L) and visible disagree: (2, 9) and (9,)", {"visible": positions(9) > 1}),
        ("visible behind a filled cache", {"visible": torch.ones(2, 9, dtype=torch.bool)}),
        ("the cache has 2 layers, the model 1", {"cache": DecodingCache(layers=2)}),
        ("tokens must be (B, L), got (9,)", {"tokens": positions(9)}),
        ("batch that of the cache (2), got 9, 3", {"tokens": torch.zeros(3, 9).long()}),
    ]:
        with subtests.test(message):
            lm, cache = model("rope", layers=1), DecodingCache(layers=1)
            lm(some_tokens(), cache=cache)
            with pytest.raises(ValueError, match=re.escape(message)):
                lm(**{"tokens": some_tokens(), "cache": cache, **inputs})


def test_wrong_types_raise_an_error_that_names_them(subtests):
    for message, inputs in [
        ("tokens must be a tensor, got list", {"tokens": [[1, 2]]}),
        ("tokens must be int64 or int32, got torch.float32", {"tokens": torch.ones(1)}),
        ("positions must be a tensor, got list", {"positions": [0] * 9}),
        ("visible must be a tensor, got list", {"visible": [True] * 9}),
        ("visible must be boolean, true at tokens, got torch.int64", {"visible": some_tokens()}),
        ("cache must be a DecodingCache, got list", {"cache": [None]}),
    ]:
        with subtests.test(message), pytest.raises(TypeError, match=re.escape(message)):
            model("rope", layers=1)(**{"tokens": some_tokens(), **inputs})


def test_a_token_outside_the_vocabulary_is_refused(subtests):
    for token in [-1, 5]:
        with subtests.test(token=token):
            lm = TinyLM(vocabulary=5, dim=DIM, heads=HEADS, layers=1)
            with pytest.raises(IndexError, match=f"token {token} is outside a table of length 5"):
                lm(torch.tensor([[0, token]]))


def test_no_tokens_give_no_logits(subtests):
    for name in ["dynamic_ntk", "longrope"]:
        with subtests.test(name=name):
            assert model(name, layers=1)(torch.zeros(2, 0).long()).shape[:2] == (2, 0)


def test_an_option_of_another_encoding_is_refused(subtests):
    for name in ["sinusoidal", "concatenated", "alibi", "sandwich", "rope"]:
        with subtests.test(name=name), pytest.raises(TypeError, match="buckets"):
            encoding_by_name(name, DIM, HEADS, buckets=8)


def test_an_option_that_can_never_work_is_refused_at_once(subtests):
    for name, options, message in [
        ("sinusoidal", {"layout": "half"}, "layout must be one of interleaved, concatenated"),
        ("rope", {"layout": "neox"}, "layout must be one of interleaved, half, got 'neox'"),
        ("xpos", {"scale_base": 0}, "scale_base must be positive and finite, got 0"),
        ("alibi", {"form": "both"}, "form must be one of causal, symmetric, key_only, got 'both'"),
        ("bert_relative", {"max_length": 0}, "max_length must be positive, got 0"),
        ("deberta", {"span": -1}, "span must be positive, got -1"),
        ("cope", {"gates": "open"}, "gates must be one of scaled, unscaled, got 'open'"),
    ]:
        with subtests.test(message), pytest.raises(ValueError, match=re.escape(message)):
            encoding_by_name(name, DIM, HEADS, **options)


def test_a_model_can_be_made_on_the_meta_device(subtests):
    for name in ENCODINGS:
        with subtests.test(name=name), torch.device("meta"):
            assert next(model(name, layers=1).parameters()).is_meta


def test_positions_from_a_mask_are_the_default_with_padding():
    lm, tokens = model("learned"), some_tokens()
    mask = torch.tensor([[0, 0] + [1] * 7, [1] * 9])
    with torch.no_grad():
        explicit = lm(tokens, positions_from_mask(mask), visible=mask.bool())
        torch.testing.assert_close(lm(tokens, visible=mask.bool()), explicit)
