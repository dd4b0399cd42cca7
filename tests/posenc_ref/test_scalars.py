"""What is not an integer, or not a number: the same error wherever it is handed in."""

import inspect
import math

import numpy as np
import pytest
import torch

import posenc_ref as p

AT = torch.arange(3)
TURNS = torch.zeros(3, 2)
Q = torch.zeros(1, 2, 3, 4)
MODEL = p.TinyLM(9, 8, 2, 1)
PAIRS = {"q_positions": AT, "k_positions": AT}
SCORED = {"q": Q, "k": Q, **PAIRS}
DEBERTA = SCORED | dict.fromkeys(("relative_q", "relative_k"), torch.zeros(2, 6, 4))
KERPLE = PAIRS | {"r1": torch.ones(2), "r2": torch.ones(2)}
LATENT = {
    "q": Q,
    "q_rotated": torch.zeros(1, 2, 3, 2),
    "latents": torch.zeros(1, 3, 5),
    "k_rotated": torch.zeros(1, 3, 2),
    "key_up": torch.zeros(2, 4, 5),
    "value_up": torch.zeros(2, 4, 5),
}
SCALED = {"dim": 4, "factor": 2.0, "trained_length": 8}

# what is public and takes a number: arguments that are right
RIGHT = {
    p.AddedEncoding: {"table": torch.nn.Identity()},
    p.ConcatenatedEncoding: {"table": torch.nn.Identity(), "dim": 4, "table_dim": 4},
    p.CopeEncoding: {"head_dim": 4},
    p.DecodingCache: {"layers": 1},
    p.FireBias: {"heads": 2},
    p.FloaterEmbedding: {"dim": 4},
    p.ForgettingEncoding: {"dim": 4, "heads": 2},
    p.GridEncoding: {"turn": lambda rows, columns: TURNS},
    p.KerpleBias: {"heads": 2, "kernel": "log"},
    p.LearnedPositionalEmbedding: {"max_length": 5, "dim": 4},
    p.RecurrentEmbedding: {"dim": 4},
    p.RecurrentEncoding: {"dim": 4},
    p.RotaryEncoding: {"frequencies": p.frequencies(4)},
    p.ShawEmbedding: {"max_distance": 3, "head_dim": 4},
    p.ShawEncoding: {"head_dim": 4},
    p.T5Bias: {"heads": 2, "bidirectional": True},
    p.TinyLM: {"vocabulary": 9, "dim": 4, "heads": 1, "layers": 1},
    p.TransformerXLEmbedding: {"heads": 2, "head_dim": 4, "dim": 4},
    p.XLNetEmbedding: {"heads": 2, "head_dim": 4, "dim": 4},
    p.XPosEncoding: {},
    p.alibi_slopes: {"heads": 2},
    p.attention: {"q": Q, "k": Q, "v": Q},
    p.attention_weights: {"q": Q, "k": Q},
    p.axial_sinusoidal: {"positions": [AT, AT], "dim": 4},
    p.base_bound: {"dim": 4, "length": 4, "bases": [10000.0]},
    p.cope_positions: {"scores": torch.zeros(2, 3), "rows": 3},
    p.deberta_bucket: {"distance": AT},
    p.deberta_scores: DEBERTA,
    p.deberta_terms: DEBERTA,
    p.dynamic_ntk: {"dim": 4, "length": 9, "trained_length": 8},
    p.encoding_by_name: {"name": "rope", "dim": 4, "heads": 1},
    p.evict: {"cache": p.append(None, Q, Q, AT[None]), "sinks": 1, "window": 2},
    p.floater: {"flow": lambda t, x: -x, "initial": torch.ones(1), "length": 3},
    p.frequencies: {"dim": 4},
    p.generate: {"model": MODEL, "tokens": torch.zeros(1, 2).long(), "count": 2},
    p.kerple_log: KERPLE,
    p.kerple_power: KERPLE,
    p.latent_attention: LATENT,
    p.latent_attention_plain: LATENT,
    p.length_bound: {"dim": 4, "most": 64},
    p.llama3: {"dim": 4},
    p.llama4_scale: {"positions": AT},
    p.log_n_scale: {"positions": AT, "trained_length": 8},
    p.longrope: SCALED | {"length": 9, "short": [1.0, 1.0], "long": [1.0, 1.0]},
    p.mixed_waves: {"turns": torch.zeros(2), "dim": 4},
    p.next_positions: {"cache": None, "batch": 1},
    p.ntk_aware: {"dim": 4, "factor": 2.0},
    p.ntk_by_parts: SCALED,
    p.position_interpolation: {"dim": 4, "factor": 2.0},
    p.positions: {"length": 3},
    p.positions_from_mask: {"mask": torch.ones(1, 3).bool()},
    p.proportional: {"dim": 4, "share": 0.5},
    p.qk_norm: {"x": Q, "gain": torch.ones(4)},
    p.rel_shift_bidirectional: {"x": torch.zeros(2, 9), "keys": 5},
    p.repeat_heads: {"kv": Q, "heads": 4},
    p.rotate: {"x": Q, "angles": TURNS, "layout": "half"},
    p.rotate_partial: {"x": Q, "angles": TURNS[:, :1], "layout": "half"},
    p.rotate_xpos: {"x": Q, "positions": AT, "role": "key", "layout": "half"},
    p.rotation_matrix: {"offset": 1, "dim": 4},
    p.rotations: {"angles": TURNS, "layout": "half"},
    p.sandwich: PAIRS | {"heads": 2},
    p.self_extend_relative: PAIRS | {"window": 2, "group": 2},
    p.self_extend_scores: SCORED
    | {"frequencies": p.frequencies(4), "window": 2, "group": 2, "layout": "half"},
    p.shaw_scores: SCORED | {"table": torch.zeros(7, 4)},
    p.shaw_values: PAIRS | {"weights": torch.zeros(1, 2, 3, 3), "table": torch.zeros(7, 4)},
    p.shift_matrix: {"offset": 1, "dim": 4},
    p.sink_indices: {"length": 9, "sinks": 1, "window": 2},
    p.sinusoidal: {"positions": AT, "dim": 4},
    p.t5_bucket: {"relative": AT, "bidirectional": True},
    p.window_mask: PAIRS | {"window": 2},
    p.without_head: {"model": MODEL, "layer": 0, "head": 1},
    p.without_pairs: {"model": MODEL, "pairs": [0], "layer": 0, "head": 1},
    p.yarn: SCALED,
    p.yarn_temperature: {"factor": 2.0},
}
# numbers that no signature has by itself: in a list, or handed on by a name
SIZES = {
    "mrope_angles": lambda n: p.mrope_angles(
        torch.zeros(3, 2).long(), p.frequencies(12), (n, 1, 1)
    ),
    "axial": lambda n: p.encoding_by_name("axial", 8, 1, width=n),
    "cope": lambda n: p.encoding_by_name("cope", 8, 1, rows=n),
}
NUMBERS = {
    "rope share": lambda n: p.encoding_by_name("rope", 8, 1, share=n),
    "a divisor": lambda n: p.longrope(4, 8, 4, short=[1.0, n], long=[1.0, 1.0], factor=2.0),
}
NOT_SIZES = (4.0, 2.5, math.nan, True, "4", [4], torch.tensor(4))
NOT_NUMBERS = (1j, True, "2", [2.0], torch.tensor(1j))


def takes(public, kind):
    """Return the parameters of this kind, "int" or "float"."""
    if not callable(public) or (inspect.isclass(public) and issubclass(public, Exception)):
        return []
    parameters = inspect.signature(public).parameters.values()
    return [one.name for one in parameters if one.annotation in (kind, f"{kind} | None")]


def calls(kind, others):
    """Return, for each parameter of this kind, a call that takes its value."""
    own = {
        f"{public.__name__} {name}": lambda n, public=public, name=name: public(
            **RIGHT[public] | {name: n}
        )
        for public in RIGHT
        for name in takes(public, kind)
    }
    return own | others


def refused(name, call, wrong, error, message):
    """Check that a wrong value raises this error."""
    with pytest.raises(error) as raised:
        pytest.fail(f"{name}: {wrong!r} is taken, {call(wrong)!r} comes back")
    assert message in str(raised.value), name


def test_whatever_is_public_and_takes_a_number_is_called():
    public = [getattr(p, name) for name in p.__all__]
    assert {one for one in public if takes(one, "int") + takes(one, "float")} == set(RIGHT)


def test_what_takes_a_number_takes_an_integer_of_numpy_too():
    for public, arguments in RIGHT.items():
        public(**arguments)
        sizes = {name: arguments[name] for name in takes(public, "int") if name in arguments}
        public(**arguments | {name: np.int64(size) for name, size in sizes.items()})


def test_what_takes_a_number_that_is_a_size_takes_an_integer():
    for name, call in calls("int", SIZES).items():
        for wrong in NOT_SIZES:
            refused(name, call, wrong, TypeError, f" must be an integer, got {wrong!r}")


def test_what_takes_a_number_takes_one_real_finite_number():
    for name, call in calls("float", NUMBERS).items():
        for wrong in NOT_NUMBERS:
            refused(name, call, wrong, TypeError, f" must be a real number, got {wrong!r}")
        refused(name, call, torch.ones(2), ValueError, "must be one number, got (2,)")
        for wrong in (math.nan, math.inf, -math.inf):
            refused(name, call, wrong, ValueError, f" {wrong}")


def test_yes_and_no_are_booleans():
    with pytest.raises(TypeError, match="bidirectional must be True or False, got 'no'"):
        p.t5_bucket(AT, bidirectional="no")


def test_an_argument_that_is_not_a_list_is_named():
    with pytest.raises(TypeError, match="short must be a list, got float"):
        p.longrope(4, 8, 4, short=2.0, long=[1.0, 1.0], factor=2.0)
    with pytest.raises(TypeError, match="sections must be a list, got int"):
        p.mrope_angles(torch.zeros(3, 2).long(), p.frequencies(4), 2)
    with pytest.raises(TypeError, match="terms must be a list, got int"):
        p.deberta_scores(Q, Q, AT, AT, torch.zeros(6, 8), torch.zeros(6, 8), terms=2)
    with pytest.raises(TypeError, match=r"q must be floating point, .* got torch\.float8_e5m2"):
        p.cope_term(Q.to(torch.float8_e5m2), torch.zeros(1, 2, 3, 3), torch.zeros(5, 4))
    with pytest.raises(TypeError, match="order must be a list, got NoneType"):
        p.permutation_matrix(None)
    with pytest.raises(TypeError, match=r"dtype must be a torch\.dtype, got 'float32'"):
        p.permutation_matrix([1, 0], dtype="float32")
    with pytest.raises(TypeError, match=r"order must be of integers, got torch\.bfloat16"):
        p.permutation_matrix(torch.tensor([1.0, 0.0]).bfloat16())
