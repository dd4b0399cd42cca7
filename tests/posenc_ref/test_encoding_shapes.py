"""The hooks refuse what would broadcast: a position for all tokens, a head for all heads."""

import re

import pytest
import torch

from posenc_ref import positions
from posenc_ref.encoding import Encoding
from posenc_ref.encoding_input import AddedEncoding, ConcatenatedEncoding
from posenc_ref.encoding_names import ENCODINGS, encoding_by_name
from posenc_ref.encoding_scores import BiasEncoding, CopeEncoding, ShawEncoding
from tests.posenc_ref.test_encodings import OPTIONS
from tests.posenc_ref.test_relative_score_transforms import at_4_and_6


def queries():
    return torch.zeros(2, 3, 4, 8)


def keys():
    return torch.zeros(2, 3, 6, 8)


def weights():
    return torch.zeros(2, 3, 4, 6)


BAD_POSITIONS = {
    "one for all queries": lambda q_at, k_at: (q_at[:1], k_at),
    "one for all keys": lambda q_at, k_at: (q_at, k_at[:1]),
    "one text for two": lambda q_at, k_at: (q_at[None], k_at[None]),
    "a batch on one side": lambda q_at, k_at: (q_at.expand(2, 4), k_at),
    "no axis": lambda q_at, k_at: (q_at[0], k_at),
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_scores_want_a_position_and_a_key_head_for_each(name):
    encoding = encoding_by_name(name, 24, 3, **OPTIONS.get(name, {}))
    for case, bad in BAD_POSITIONS.items():
        at = bad(*at_4_and_6())
        message = f"do not fit q and k (2, 3, 4, 8) and (2, 3, 6, 8): {(*at[0].shape,)}"
        with pytest.raises(ValueError, match=re.escape(message)):
            pytest.fail(f"{case}: {encoding.scores(queries(), keys(), *at)!r}")
    for k in (keys()[:, :1], keys()[:1], keys()[..., :1], keys()[0]):
        message = f"disagree: (2, 3, 4, 8) and {(*k.shape,)}"
        with pytest.raises(ValueError, match=re.escape(message)):
            pytest.fail(f"{(*k.shape,)}: {encoding.scores(queries(), k, *at_4_and_6())!r}")


readers = pytest.mark.parametrize(
    "reader", [Encoding, lambda: ShawEncoding(8)], ids=["none", "shaw"]
)


@readers
def test_reading_wants_a_position_for_each_token(reader):
    for case, bad in BAD_POSITIONS.items():
        at = bad(*at_4_and_6())
        with pytest.raises(ValueError, match=re.escape(f"(2, 3, 6, 8): {(*at[0].shape,)}")):
            pytest.fail(f"{case}: {reader().read(weights(), keys(), *at)!r}")


@readers
def test_reading_wants_values_for_each_head_and_key(reader):
    assert reader().read(weights(), keys(), *at_4_and_6()).shape == queries().shape
    for values in (keys()[:, :1], keys()[:1], keys()[:, :, :1], keys()[0]):
        message = f"disagree: (2, 3, 4, 6) and {(*values.shape,)}"
        with pytest.raises(ValueError, match=re.escape(message)):
            reader().read(weights(), values, *at_4_and_6())


def test_a_bias_has_one_number_for_each_head_and_pair():
    for shape in ((), (6,), (1, 4, 6), (2, 4, 6), (3, 1, 6), (2, 1, 4, 6)):
        encoding = BiasEncoding(lambda q_at, k_at, shape=shape: torch.zeros(shape))
        message = f"bias {shape} does not fit scores (B, H, Lq, Lk) = (2, 3, 4, 6)"
        with pytest.raises(ValueError, match=re.escape(message)):
            pytest.fail(f"{shape}: {encoding.scores(queries(), keys(), *at_4_and_6())!r}")


def test_every_form_of_alibi_fits():
    one_row = at_4_and_6()
    for form in ("causal", "symmetric", "key_only"):
        for at in (one_row, [x.expand(2, -1) for x in one_row]):
            actual = encoding_by_name("alibi", 24, 3, form=form).scores(queries(), keys(), *at)
            assert actual.shape == weights().shape, form
            assert (actual.diff(dim=-2) == 0).all() == (form == "key_only"), form


def test_embeddings_want_a_position_for_each_token():
    for name in ("sinusoidal", "learned", "floater", "multiplicative", "concatenated"):
        encoding, x = encoding_by_name(name, 24, 3), torch.zeros(2, 4, 24)
        for at in (at_4_and_6()[0][:1], at_4_and_6()[0][None], positions(3)):
            with pytest.raises(ValueError, match=r"disagree: \(2, 4, 24\) and "):
                pytest.fail(f"{name}: {encoding.embed(x, at)!r}")


def test_a_sum_is_of_floats():
    added = AddedEncoding(lambda at: at[:, None].float())
    with pytest.raises(TypeError, match=r"x must be floating point, .* got torch\.int64"):
        added.embed(torch.ones(1, 4, 1, dtype=torch.int64), at_4_and_6()[0])


def test_sizes_of_names_are_checked():
    for share in (0.0, -0.5, 2.0, torch.nan):
        with pytest.raises(ValueError, match=f"share must be above 0 and at most 1, got {share}"):
            encoding_by_name("rope", 24, 3, share=share)
    for heads in (0, -1, 5):
        with pytest.raises(ValueError, match=f"24 does not divide into {heads} heads"):
            encoding_by_name("alibi", 24, heads)


def test_values_have_the_channels_of_shaws_table():
    for values in (keys()[..., :1], torch.cat((keys(), keys()), -1)):
        with pytest.raises(ValueError, match=re.escape(f"Lk, 8), got {(*values.shape,)}")):
            ShawEncoding(8).read(weights(), values, *at_4_and_6())


@readers
def test_weights_and_values_have_one_dtype(reader):
    with pytest.raises(TypeError, match=r"weights, values must have one dtype, got torch\.float64"):
        reader().read(weights().double(), keys(), *at_4_and_6())
    with torch.autocast(torch.get_default_device().type, torch.bfloat16):
        assert reader().read(weights(), keys().bfloat16(), *at_4_and_6()).shape == queries().shape


def test_a_projection_takes_its_channels_and_its_dtype():
    encoding = ConcatenatedEncoding(lambda at: at[:, None].float(), dim=4, table_dim=1)
    with pytest.raises(ValueError, match=r"W takes 5 channels, \[x; p\] has 4"):
        encoding.embed(torch.ones(1, 4, 3), at_4_and_6()[0])
    with pytest.raises(TypeError, match=r"x, W must have one dtype, got torch\.float64"):
        encoding.embed(torch.ones(1, 4, 4).double(), at_4_and_6()[0])


def test_tables_have_positive_sides():
    with pytest.raises(ValueError, match=r"table must have positive sides, got \(-1, 8\)"):
        CopeEncoding(8, rows=-1)
    with pytest.raises(ValueError, match="dim and table_dim must be positive, got 4 and 0"):
        ConcatenatedEncoding(positions, dim=4, table_dim=0)
