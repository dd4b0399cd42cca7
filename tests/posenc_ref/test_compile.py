"""torch.compile and torch.export: one graph with the same numbers, or an error that says why not.

All are here, as each worker that compiles imports dynamo first. vmap, autocast and gradients are
tested beside the methods. Dynamo alone captures most graphs: a backward takes as long again.
"""

from contextlib import nullcontext
from functools import partial

import pytest
import torch
from torch import nn

from posenc_ref import (
    KerpleBias,
    T5Bias,
    TinyLM,
    alibi,
    alibi_slopes,
    attention,
    bert_relative_scores,
    causal_mask,
    deberta_scores,
    floater,
    frequencies,
    latent_attention,
    latent_attention_plain,
    permutation_matrix,
    positions,
    positions_from_mask,
    rel_shift,
    rel_shift_bidirectional,
    rope_angles,
    rotate,
    rotations,
    sandwich,
    shift_keys,
)
from tests.posenc_ref.encoding_options import RESCALED
from tests.posenc_ref.test_encodings import (
    NOT_IN_A_GRAPH,
    READS_LENGTH,
    Attending,
    all_but,
    each_of,
    inputs,
)
from tests.posenc_ref.test_kv_cache import a_step, step_inputs
from tests.posenc_ref.test_latent_attention import parts
from tests.posenc_ref.test_relative_score_transforms import table, xlnet

CLOSE = {"rtol": 1e-5, "atol": 1e-5}


@pytest.fixture(autouse=True)
def _each_compiles_for_itself():
    yield
    torch.compiler.reset()


def assert_compiles(function, *inputs, backend="eager", **options):
    compiled = torch.compile(function, backend=backend, fullgraph=True)
    torch.testing.assert_close(compiled(*inputs, **options), function(*inputs, **options), **CLOSE)


def assert_exports(module, *inputs, **options):
    program = torch.export.export(module, inputs, options).module()
    torch.testing.assert_close(program(*inputs, **options), module(*inputs, **options), **CLOSE)


# encodings


@all_but(NOT_IN_A_GRAPH | RESCALED)
def test_an_encoding_is_one_graph(name):
    assert_compiles(Attending(name), *inputs())


@each_of({"rope", "cope"})  # a rotation, and a score that sees its mask
def test_the_backward_of_an_encoding_is_one_graph(name):
    assert_compiles(Attending(name), *inputs(), backend="aot_eager")


@all_but(READS_LENGTH | RESCALED)
@pytest.mark.filterwarnings("ignore:.*_flat_weights")  # of torch, at its own GRU
def test_an_encoding_exports_with_positions_of_each_row(name):
    x, y, *at = inputs()
    assert_exports(Attending(name), x, y, *(row.expand(2, -1) for row in at))


@each_of(NOT_IN_A_GRAPH)
def test_a_graph_refuses_or_breaks_and_nothing_else(name):
    attending, (x, y, _, at) = Attending(name), inputs()
    short = x[:, :1], y[:, :1], at[:1], at[:1]
    message = "wrap RNN, GRU" if name == "recurrent" else "[Dd]ata-dependent"
    with pytest.raises(Exception, match=message):
        torch.compile(attending, backend="eager", fullgraph=True)(*short)
    torch.compiler.reset()
    compiled = torch.compile(attending, backend="eager")
    with torch.no_grad():  # at a break inside a graph dynamo looks at .grad, and torch warns
        torch.testing.assert_close(compiled(*short), attending(*short), **CLOSE)


@each_of(READS_LENGTH)
def test_what_reads_the_largest_position_does_not_export(name):
    with pytest.raises(RuntimeError, match="data-dependent expression"):
        torch.export.export(Attending(name), inputs())


def test_the_decoder_compiles_and_exports_with_padding():
    lm, tokens = TinyLM(11, 24, 3, 1, "forgetting"), torch.randint(11, (2, 9))
    visible = torch.arange(9) >= torch.tensor([[3], [0]])
    assert_exports(lm, tokens, visible=visible)
    with torch.get_default_device():
        assert_compiles(lm, tokens, visible=visible)


# what no encoding's name reaches


class Called(nn.Module):
    """A function as a module: what torch.export takes."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def by_pairs():
    """Return {name: function of x (2, 2, 5, 8)}."""
    at, omega = positions(5, start=3), frequencies(8)
    angles = rope_angles(at, omega)
    return {
        "rope interleaved": lambda x: rotate(x, angles, layout="interleaved"),
        "rope, rotations": lambda x: rotate(x, rotations(angles, "half"), layout="half"),
        "shifted keys": lambda x: shift_keys(x, at, at - 3, omega, layout="half"),
        "attention": lambda x: attention(x, x, x, causal_mask(at, at)),
    }


def by_scores():
    """Return {name: function of q (2, 3, 4, 8), k (2, 3, 6, 8) and their positions}."""
    bert = partial(bert_relative_scores, table=table(), variant="key_query")
    deberta = partial(deberta_scores, p2c_index="paper", max_distance=16)
    return {
        "bert": bert,
        "deberta": lambda *x: deberta(*x, *torch.ones(2, 3, 8, 8)),
        "xlnet": xlnet,
        "rel_shift": lambda q, k, *at: rel_shift(q @ k.mT),
        "rel_shift bidirectional": lambda q, k, *at: rel_shift_bidirectional(q @ k.mT, keys=2),
    }


def by_positions():
    """Return {name: function of positions (4,) and (6,)}."""
    slopes = alibi_slopes(3)
    return {
        "alibi symmetric": lambda q, k: alibi(q, k, slopes, form="symmetric"),
        "alibi key_only": lambda q, k: alibi(q, k, slopes, form="key_only"),
        "t5": T5Bias(3, bidirectional=True),
        "kerple": KerpleBias(3, kernel="log", third=True, head_dim=8),
        "sandwich": partial(sandwich, heads=3, dim=8, pairs="nemo"),
    }


def cases():
    """Return {name: (function, its inputs)}."""
    at = positions(4, start=2), positions(6)
    return {
        **{name: (f, (torch.randn(2, 2, 5, 8),)) for name, f in by_pairs().items()},
        **{
            name: (f, (torch.randn(2, 3, 4, 8), torch.randn(2, 3, 6, 8), *at))
            for name, f in by_scores().items()
        },
        **{name: (f, at) for name, f in by_positions().items()},
        "floater": (lambda p: floater(lambda t, p: (p * t).tanh(), p, 5), (torch.randn(4),)),
        "latent attention": (latent_attention, parts(torch.float32)),
        "latent attention plain": (latent_attention_plain, parts(torch.float32)),
        "decoding": (a_step, step_inputs()),
        # these look at numbers to say what is wrong with them; not so inside a graph
        "boolean mask": (positions_from_mask, (torch.tensor([[False, True], [True, True]]),)),
        "mask of 0 and 1": (positions_from_mask, (torch.tensor([[0, 1], [1, 1]]),)),
        "permutation": (permutation_matrix, (torch.tensor([2, 0, 1]),)),
    }


# in `with device` dynamo loses the `super()` of Tensor.unflatten, and takes three times as long
UNDER_A_DEFAULT_DEVICE = {
    *("rope interleaved", "rope, rotations", "xlnet", "rel_shift", "rel_shift bidirectional")
}


@pytest.mark.parametrize("name", cases())
def test_a_function_is_one_graph_and_exports(name):
    function, inputs = cases()[name]
    with torch.get_default_device() if name in UNDER_A_DEFAULT_DEVICE else nullcontext():
        assert_compiles(function, *inputs)
    assert_exports(Called(function), *inputs)


def test_a_step_is_compiled_once_for_all_lengths():
    """Decoding makes the cache longer at each step; a graph with a free length serves them all."""
    graphs = []

    def count(graph, inputs):
        graphs.append(graph)
        return graph

    compiled = torch.compile(a_step, backend=count, fullgraph=True, dynamic=True)
    for length in (7, 8, 11, 20):
        inputs = step_inputs(length)
        torch.testing.assert_close(compiled(*inputs), a_step(*inputs))
    assert len(graphs) == 1


@pytest.mark.cpu_only("a look-up out of range there ends all work on the device, not one call")
def test_a_compiled_look_up_still_refuses_a_distance_without_a_row():
    """No IndexError with a reason there, and no row from the other end of the table either."""
    bert, (q, k, q_at, k_at) = cases()["bert"]
    compiled = torch.compile(bert, backend="eager", fullgraph=True)
    for start in (9, -9):
        with pytest.raises(RuntimeError, match="out of bounds"):
            compiled(q, k, q_at + start, k_at)
        with pytest.raises(IndexError, match="is outside a table of length 13"):
            bert(q, k, q_at + start, k_at)
