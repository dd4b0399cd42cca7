"""bfloat16 scores, turned vectors and decoding against upstream's own answers; U is a rounding."""

import pytest
import torch

from posenc_ref import (
    append,
    attend,
    axial_angles,
    cope_positions,
    cope_term,
    deberta_scores,
    frequencies,
    mrope_angles,
    next_positions,
    positions,
    rope_angles,
    rotate,
    rotate_2d,
    rotate_partial,
    rotate_xpos,
)
from tests.posenc_ref.test_bfloat16_goldens import EXACT, U, assert_near, halves


@pytest.mark.parametrize("name", ["deberta_v1", "deberta_v2"])
def test_deberta(golden, name):
    """Inputs, three terms and their sum are rounded; the errors of some ten products cancel.

    A score is off by some 2 U of the largest, a weight by at most half of that: 1/4 for its own
    score, 1/4 for another. Of U times the largest score, 0.45 is reached.
    """
    for case in golden(name):
        names = ("q", "k", "relative_q", "relative_k")
        at = positions(len(case["q"][0][0]))
        options = {name: case[name] for name in ("terms", "max_distance") if name in case}
        q, k, *tables = halves(case, *names)
        scores = deberta_scores(q, k, at, at, *tables, **options)
        assert scores.dtype == torch.bfloat16
        expected = torch.tensor(case["values"], **EXACT)
        atol = U * scores.abs().max().item()
        torch.testing.assert_close(scores.double().softmax(-1), expected, rtol=0, atol=atol)


def test_cope(golden):
    for case in golden("cope_x_transformers"):
        q, scores, table = halves(case, "q", "scores", "table")
        seen = torch.ones(q.shape[2], q.shape[2]).tril().bool()
        at = cope_positions(scores.masked_fill(~seen, -torch.inf), len(table))
        # six gates of slope 1/4, scores up to 3, a slope of 2 between rows; the term is below 4
        atol = 6 / 4 * 3 * U * 2 + 4 * U
        assert_near(cope_term(q, at, table), case["values"], atol=atol)


# RoPE: a pair (a, b) is rounded before, the result after, by U √(a² + b²) each


def turned_within(x, at=0):
    """Two roundings of √2 times the largest; upstream's float32 angles at far positions."""
    return 2 * U * 2**0.5 * x.abs().max().item() + at * 2**-23 + 3e-6


def rotary(case, name):
    if name.startswith("mrope"):
        omega = frequencies(2 * sum(case["sections"]))
        at, how = torch.tensor(case["positions"]), {"arrangement": case["arrangement"]}
        return mrope_angles(at, omega, case["sections"], **how)
    if "axial" in name:
        rows = tuple(torch.tensor(case[axis]) for axis in ("rows", "columns"))
        return axial_angles(rows, frequencies(len(case["x"][0][0][0]) // 2))
    dim = case.get("turning", case.get("dim", len(case["x"][0][0][0])))
    omega = frequencies(dim, base=case.get("base", 10000.0))
    return rope_angles(torch.tensor(case["positions"]), omega)


@pytest.mark.parametrize(
    ("name", "layout"),
    [
        ("rope_llama", "half"),
        ("rope_llama_heads", "half"),
        ("rope_rotary_embedding_torch", "interleaved"),
        ("rope_rotary_embedding_torch_heads", "interleaved"),
        ("rope_gptj", "interleaved"),
        ("rope_gptj_heads", "interleaved"),
        ("rope_gpt_neox", "half"),
        ("rope_gpt_neox_heads", "half"),
        ("rope_glm", "interleaved"),
        ("mrope", "half"),
        ("mrope_heads", "half"),
        ("rope_axial_qwen2_vision", "half"),
        ("rope_axial_qwen2_vision_heads", "half"),
        ("rope_axial_rotary_embedding_torch", "interleaved"),
        ("rope_axial_rotary_embedding_torch_heads", "interleaved"),
    ],
)
def test_rotary(golden, name, layout):
    for case in golden(name):
        (x,) = halves(case, "x")
        actual = rotate_partial(x, rotary(case, name), layout=layout)
        values = torch.tensor(case["values"], **EXACT).view_as(actual)
        axes = [case[axis] for axis in ("positions", "rows", "columns") if axis in case]
        far = max(torch.tensor(axis).max().item() for axis in axes)
        assert_near(actual, values, atol=turned_within(x, far))


def test_two_streams(golden):
    for case in golden("rope_chatglm"):
        (x,), omega = halves(case, "x"), frequencies(len(case["x"][0][0][0]) // 2)
        at = [torch.tensor(case[name]) for name in ("first", "second")]
        actual = rotate_2d(x, *(rope_angles(p, omega) for p in at))
        far = max(p.max().item() for p in at)
        assert_near(actual, case["values"], atol=turned_within(x, far))


def test_xpos(golden):
    for case in golden("xpos_torchscale"):
        q, k = (x[None, None] for x in halves(case, "q", "k"))
        at = positions(q.shape[2])
        q, k = (
            rotate_xpos(x, at, role=role, layout="interleaved").double()
            for x, role in ((q, "query"), (k, "key"))
        )
        # q and k are each off by 2 U of their norms
        atol = 4 * U * (q.norm(dim=-1).max() * k.norm(dim=-1).max()).item()
        expected = torch.tensor(case["values"], **EXACT)
        torch.testing.assert_close((q @ k.mT)[0, 0], expected, rtol=0, atol=atol)


def test_decoding_with_a_cache(golden):
    for case in golden("kv_cache_llama"):
        (q, k, v), cache = halves(case, "q", "k", "v"), None
        omega = frequencies(q.shape[-1], base=case["base"])
        for t, values in enumerate(case["values"]):
            at, now = next_positions(cache, 1), slice(t, t + 1)
            turn = rope_angles(at, omega)
            key = rotate(k[:, :, now], turn, layout="half")
            cache = append(cache, key, v[:, :, now], at)
            out = attend(rotate(q[:, :, now], turn, layout="half"), at, cache)
            # v, the weights and their sum are rounded; scores below 1 move a weight by U
            atol = 4 * U * v.abs().max().item()
            assert_near(out.transpose(1, 2).flatten(2), values, atol=atol)
