"""rel-shift: upstream's answers, and that it gives the terms which positions give."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref.attention import causal_mask
from posenc_ref.positions import positions
from posenc_ref.rel_shift import rel_shift, rel_shift_bidirectional
from posenc_ref.transformer_xl import transformer_xl_terms

EXACT = {"dtype": torch.float64}


def test_the_shift_of_xlnet_equals_transformers(golden):
    for case in golden("rel_shift_xlnet"):
        x = torch.tensor(case["x"])
        assert rel_shift_bidirectional(x, case["keys"]).tolist() == case["values"]


# what rel-shift is for: the term that Transformer-XL gets from it is the term of the positions


@given(queries=st.integers(1, 5), memory=st.integers(0, 4))
@settings(deadline=None, max_examples=20)
def test_rel_shift_gives_the_terms_of_the_distances(queries, memory):
    keys, one = queries + memory, torch.eye(6, **EXACT)
    q, k = torch.randn(1, 1, queries, 6, **EXACT), torch.zeros(1, 1, keys, 6, **EXACT)
    nothing = torch.zeros(1, 6, **EXACT)
    at = positions(queries, start=memory), positions(keys)
    by_position = transformer_xl_terms(q, k, *at, nothing, nothing, one).content_position

    def by_distance(farthest, columns):  # (1, 1, Lq, columns): farthest, farthest - 1, … back
        rows = positions(columns).flip(0) + farthest - columns + 1
        key = positions(1, start=0)
        back = [
            transformer_xl_terms(q, k[:, :, :1], row.expand(queries), key, nothing, nothing, one)
            for row in rows
        ]
        return torch.cat([terms.content_position for terms in back], dim=-1)

    seen = causal_mask(*at)
    causal = rel_shift(by_distance(keys - 1, keys))
    torch.testing.assert_close(causal[..., seen], by_position[..., seen])
    both = rel_shift_bidirectional(by_distance(keys, keys + queries), keys)
    torch.testing.assert_close(both, by_position)


def test_keys_are_not_counted_from_the_end():
    with pytest.raises(ValueError, match="keys must be at least 0, got -1"):
        rel_shift_bidirectional(torch.zeros(2, 4), -1)
    with pytest.raises(TypeError, match="x must be a tensor, got list"):
        rel_shift([[0.0]])


def test_no_query_is_shifted_to_no_row():
    x = torch.zeros(3, 0, 5)
    assert rel_shift(x).shape == rel_shift_bidirectional(x, 5).shape == (3, 0, 5)
    assert rel_shift_bidirectional(x[..., :0], 0).shape == (3, 0, 0)
