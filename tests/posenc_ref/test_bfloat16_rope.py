"""bfloat16 RoPE is at least as exact as what Hugging Face transformers does with the same numbers.

`rotate_half` and the line of `apply_rotary_pos_emb` below are those of transformers 5.23.0,
models/llama/modeling_llama.py, with cos and sin as `LlamaRotaryEmbedding` there casts them: to x's
dtype. So a pair is rounded five times or more there, here once.
"""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref import frequencies, positions, rope_angles, rotate
from tests.posenc_ref.plain_rope import rotate_plain

LAST = 131_071


def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def transformers_rotates(q, angles):
    cos, sin = (f(torch.cat((angles, angles), dim=-1)).to(q.dtype) for f in (torch.cos, torch.sin))
    return (q * cos) + (rotate_half(q) * sin)


def errors(actual, exact):
    """The largest and the mean."""
    assert actual.dtype == torch.bfloat16
    error = (actual.double() - exact).abs()
    return error.max().item(), error.mean().item()


@settings(deadline=None, max_examples=25)
@given(
    start=st.integers(0, LAST - 63) | st.just(LAST - 63),
    heads=st.sampled_from([1, 8, 71]),
    dim=st.sampled_from([64, 128]),
    base=st.sampled_from([1e4, 5e5]),
)
def test_is_at_least_as_exact_as_transformers(start, heads, dim, base):
    at, omega = positions(64, start=start), frequencies(dim, base=base)
    x = torch.randn(1, heads, 64, dim).bfloat16()
    angles = rope_angles(at, omega)
    exact = rotate_plain(x.double(), angles, layout="half")
    ours = errors(rotate(x, angles, layout="half"), exact)
    # its angles are float32; with ours, too, it would not be more exact
    for given_angles in (at[:, None].float() * omega.float(), angles):
        theirs = errors(transformers_rotates(x, given_angles), exact)
        assert ours[0] <= theirs[0]
        assert ours[1] < theirs[1]


def test_near_zero_and_at_the_end_the_difference_is_this(where):
    """One rounding of numbers below 8 is 2^-7 · 2 at most; theirs are 1.5 times and more."""
    x = torch.randn(1, 8, 512, 128).to(where).bfloat16()
    for start in (0, LAST - 511):
        at = positions(512, start=start, device=where)
        angles = rope_angles(at, frequencies(128, device=where))
        exact = rotate_plain(x.double(), angles, layout="half")
        ours = errors(rotate(x, angles, layout="half"), exact)
        theirs = errors(transformers_rotates(x, angles), exact)
        assert ours[0] <= 2**-6
        assert theirs[0] > 1.5 * ours[0]
        assert theirs[1] > 1.5 * ours[1]
