"""A checkpoint moved to the other layout gives the same scores."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref import frequencies, positions
from posenc_ref.rope import rotate
from posenc_ref.rope_angles import rope_angles
from posenc_ref.rope_layout import half_to_interleaved, interleaved_to_half


def test_as_the_conversion_script_of_transformers(golden):
    """`permute` of convert_llama_weights_to_hf.py, run."""
    for case in golden("rope_layout"):
        for dtype in (torch.int64, torch.float64, torch.float32, torch.bfloat16):
            x, script = (torch.tensor(case[name], dtype=dtype) for name in ("x", "values"))
            assert torch.equal(interleaved_to_half(x, case["heads"]), script)
            assert torch.equal(half_to_interleaved(script, case["heads"]), x)


@settings(deadline=None, max_examples=40)
@given(heads=st.integers(1, 5), pairs=st.integers(1, 6), width=st.integers(1, 7))
def test_there_and_back(heads, pairs, width):
    weight = torch.randn(heads * 2 * pairs, width)
    moved = interleaved_to_half(weight, heads)
    assert torch.equal(moved[[0, pairs]], weight[:2])
    assert torch.equal(half_to_interleaved(moved, heads), weight)


@settings(deadline=None, max_examples=20)
@given(heads=st.sampled_from([1, 3, 71]), pairs=st.integers(1, 8), start=st.integers(0, 5000))
def test_scores_are_the_same_in_the_other_layout(heads, pairs, start):
    dim, width, length = 2 * pairs, 5, 4
    x = torch.randn(1, length, width, dtype=torch.float64)
    weights = torch.randn(2, heads * dim, width, dtype=torch.float64)
    angles = rope_angles(positions(length, start=start), frequencies(dim))

    def scores(layout, w):
        q, k = (
            rotate((x @ one.T).unflatten(-1, (heads, dim)).transpose(1, 2), angles, layout=layout)
            for one in w
        )
        return q @ k.mT

    moved = [interleaved_to_half(w, heads) for w in weights]
    torch.testing.assert_close(scores("half", moved), scores("interleaved", weights))
    if pairs > 1:  # a pair alone lies the same way in both
        assert not torch.allclose(scores("half", weights), scores("interleaved", weights))


def test_rows_that_make_no_heads_are_refused():
    for rows, heads in ((6, 2), (8, 0), (7, 1)):
        with pytest.raises(ValueError, match=rf"does not fit {heads} heads: \({rows}, 3\)"):
            interleaved_to_half(torch.zeros(rows, 3), heads)
        with pytest.raises(ValueError, match="with even D"):
            half_to_interleaved(torch.zeros(rows, 3), heads)
    with pytest.raises(TypeError, match="weight must be a tensor, got ndarray"):
        interleaved_to_half(np.zeros((8, 3)), 2)


@pytest.mark.parametrize("moved", [interleaved_to_half, half_to_interleaved])
def test_compiles_with_a_default_device(moved, where):
    with where:
        weight = torch.randn(12, 3)
        compiled = torch.compile(moved, fullgraph=True, backend="aot_eager")
        assert torch.equal(compiled(weight, 3), moved(weight, 3))
    torch.compiler.reset()
