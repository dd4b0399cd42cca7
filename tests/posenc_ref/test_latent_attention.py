"""Latent attention equals DeepSeek's in transformers; absorbed and plain agree."""

import pytest
import torch
from torch.func import vmap

from posenc_ref import (
    causal_mask,
    frequencies,
    latent_attention,
    latent_attention_plain,
    positions,
    rope_angles,
    rotate,
)

PARTS = (
    "positions",
    "omega",
    "q",
    "q_rotary",
    "latents",
    "k_rotary",
    "key_up",
    "value_up",
    "values",
)
both = pytest.mark.parametrize("attend", [latent_attention, latent_attention_plain])


@both
def test_equals_deepseek_v3_of_transformers(golden, where64, attend):
    """Upstream turns by float32 angles, up to position 900: hence the tolerance."""
    for case in golden("latent_attention_deepseek"):
        at, omega, q, q_rotary, latents, k_rotary, key_up, value_up, values = (
            torch.tensor(case[name], device=where64, dtype=torch.float64) for name in PARTS
        )
        angles = rope_angles(at.long(), omega)
        q_rotated, k_rotated = (
            rotate(x, angles, layout="interleaved") for x in (q_rotary, k_rotary[:, None])
        )
        mask = causal_mask(at.long(), at.long())
        parts = q, q_rotated, latents, k_rotated[:, 0], key_up, value_up
        read = attend(*parts, mask, case["scale"])
        torch.testing.assert_close(read.transpose(1, 2).flatten(2), values, rtol=0, atol=1e-4)


def parts(dtype=torch.float64, where=None, batch=2, heads=3, lengths=(4, 6), rotated=2):
    """D = 5, C = 7, Dv = 3: no two alike."""
    shapes = (
        (batch, heads, lengths[0], 5),
        (batch, heads, lengths[0], rotated),
        (batch, lengths[1], 7),
        (batch, lengths[1], rotated),
        (heads, 5, 7),
        (heads, 3, 7),
    )
    return [torch.randn(s, dtype=torch.float64).to(where, dtype) for s in shapes]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_absorbed_equals_plain(dtype, where):
    mask = torch.ones(4, 6, device=where).tril(2).bool()
    inputs = parts(dtype, where)
    absorbed, plain = (f(*inputs, mask) for f in (latent_attention, latent_attention_plain))
    assert absorbed.dtype == dtype
    assert absorbed.shape == (2, 3, 4, 3)
    tolerance = {torch.float64: 1e-12, torch.float32: 1e-4, torch.bfloat16: 0.3}[dtype]
    torch.testing.assert_close(absorbed, plain, rtol=tolerance, atol=tolerance)


def test_moving_all_positions_changes_nothing():
    q, q_rotary, latents, k_rotary, *up = parts(lengths=(6, 6))

    def read(start):
        angles = rope_angles(positions(6, start=start), frequencies(2))
        turned = rotate(q_rotary, angles, layout="half")
        shared = rotate(k_rotary[:, None], angles, layout="half")[:, 0]
        return latent_attention(q, turned, latents, shared, *up)

    torch.testing.assert_close(read(0), read(40))
    assert (read(0) - latent_attention(q, q_rotary, latents, k_rotary, *up)).abs().max() > 0.01


def test_one_head_of_latents_serves_all_heads():
    """Without rotated channels, scores are those of keys made from latents, 1/√D."""
    q, none, latents, k_none, key_up, value_up = parts(rotated=0)
    keys = torch.einsum("hdc,blc->bhld", key_up, latents)
    values = torch.einsum("hdc,blc->bhld", value_up, latents)
    expected = torch.nn.functional.scaled_dot_product_attention(q, keys, values)
    actual = latent_attention(q, none, latents, k_none, key_up, value_up)
    torch.testing.assert_close(actual, expected)


@both
def test_maps_over_texts(attend):
    inputs = parts(torch.float32)
    expected = attend(*inputs)
    rows = [x[:, None] for x in inputs[:4]]
    mapped = vmap(attend, in_dims=(0, 0, 0, 0, None, None))(*rows, *inputs[4:])
    torch.testing.assert_close(mapped[:, 0], expected)


@both
def test_shapes_that_disagree_are_named(attend, subtests):
    for wrong in range(6):
        with subtests.test(wrong=wrong):
            inputs = parts()
            inputs[wrong] = inputs[wrong][..., :-1] if wrong != 5 else inputs[wrong][:-1]
            with pytest.raises(ValueError, match="q_rotated") as error:
                attend(*inputs)
            assert str(tuple(inputs[wrong].shape)) in str(error.value)


@both
def test_parts_have_one_dtype(attend):
    inputs = parts()
    with pytest.raises(TypeError, match="must have one dtype"):
        attend(*inputs[:2], inputs[2].float(), *inputs[3:])
    with pytest.raises(ValueError, match="q_rotated"):
        attend(inputs[0][0], *inputs[1:])
