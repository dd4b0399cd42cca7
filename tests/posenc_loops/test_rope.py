"""RoPE by loops: equal to the formula to the bit, wherever x lies, and None where loops may not."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

from posenc_loops.rope import FEW, HEADS, ROWS, turned_in_one_pass
from posenc_ref import frequencies, positions, rope_angles, rotate, rotate_plain, rotations
from posenc_ref.rope_angles import finished

LAYOUTS = ("interleaved", "half")
DTYPES = (torch.float64, torch.float32, torch.bfloat16, torch.float16)
both = pytest.mark.parametrize("layout", LAYOUTS)
every_dtype = pytest.mark.parametrize("dtype", DTYPES, ids=str)


@pytest.fixture(autouse=True)
def _seed_and_two_threads():
    before = torch.get_num_threads()
    torch.manual_seed(0)
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def turns_for(x, start=0):
    enough = torch.promote_types(x.dtype, torch.float32)
    at = positions(x.shape[2], start=start)
    return rotations(rope_angles(at, frequencies(x.shape[3])), dtype=enough)


def assert_as_plain(x, layout, turns=None, out=None):
    turns = turns_for(x) if turns is None else turns
    flat = [table[:, None] if table.dim() == 3 else table for table in (turns.cos, turns.sin)]
    found = turned_in_one_pass(x, *flat, layout, out)
    assert torch.equal(found, rotate_plain(x, turns, layout=layout))
    return found


SHAPES = [
    (1, 1, 1, 2),
    (2, 3, 5, 6),
    (1, HEADS + 1, ROWS + 1, 8),  # a little of a second share, both ways
    (2, 2 * HEADS, 2 * ROWS, 16),  # many: all threads, fresh memory
    (3, 1, 3 * ROWS - 1, 34),
]


@both
@every_dtype
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_equals_the_formula_to_the_bit(layout, dtype, shape):
    x = torch.randn(shape).to(dtype)
    found = assert_as_plain(x, layout)
    assert found.dtype == dtype
    assert found.stride() == x.stride()
    assert assert_as_plain(x, layout, out=torch.full_like(x, 7.0)) is not found


@both
@pytest.mark.parametrize("shape", [(0, 2, 3, 4), (2, 0, 3, 4), (2, 3, 0, 4)], ids=str)
def test_nothing_turned_is_nothing(layout, shape):
    x = torch.randn(shape)
    assert rotate(x, turns_for(x), layout=layout).shape == shape


@both
@every_dtype
@pytest.mark.parametrize("length", [3, 2 * ROWS], ids=["few", "many"])
def test_x_and_out_may_lie_anyhow_if_rows_hang_together(layout, dtype, length):
    wide = torch.randn(2, length, 10, 48).to(dtype)
    as_projected = wide[..., :32].transpose(1, 2)  # (B, H, L, D) of (B, L, H, D), and a part of it
    with_gaps = wide.transpose(1, 2)[:, ::3, :, 5:37]  # rows begin at odd numbers
    expanded = wide.transpose(1, 2)[:, :1, :, :32].expand(2, 4, length, 32)
    for x in (as_projected, with_gaps, expanded):
        assert_as_plain(x, layout)
        room = torch.zeros(2, x.shape[1] + 2, length + 5, 40, dtype=dtype)
        part = room[:, 1:-1, 2:-3, 3:35]
        assert_as_plain(x, layout, out=part)
        part.zero_()
        assert not room.any(), "something was written outside of out"


@both
@every_dtype
def test_rows_of_a_batch_have_angles_of_their_own(layout, dtype):
    x = torch.randn(3, 5, 200, 64).to(dtype)
    at = torch.stack([positions(200, start=n) for n in (0, 131_000 - 200, 17)])
    enough = torch.promote_types(dtype, torch.float32)
    turns = rotations(rope_angles(at, frequencies(64)), dtype=enough)
    assert_as_plain(x, layout, turns)
    assert torch.equal(rotate(x, turns, layout=layout), rotate_plain(x, turns, layout=layout))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
def test_every_16_bit_number_is_read_as_it_is(dtype):
    every = torch.arange(-(2**15), 2**15, dtype=torch.int32).to(torch.int16).view(dtype)
    x = every.view(1, 1, -1, 2)
    still = rotations(torch.zeros(x.shape[2], 1))
    found = turned_in_one_pass(x, still.cos, still.sin, "interleaved")
    plain = rotate_plain(x, still, layout="interleaved")
    torch.testing.assert_close(found, plain, rtol=0, atol=0, equal_nan=True)
    assert torch.equal(found.isnan(), plain.isnan())


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
@given(st.integers(0, 2**32 - 1))
def test_every_float32_is_rounded_as_torch_rounds(dtype, bits):
    """A pair (1, 0) turned with cos = f: f itself is what is rounded and written."""
    value = torch.tensor([bits], dtype=torch.uint32).view(torch.float32).view(1, 1)
    x = torch.tensor([1.0, 0.0], dtype=dtype).view(1, 1, 1, 2)
    found = turned_in_one_pass(x, value, torch.zeros(1, 1), "interleaved")[..., 0].flatten()
    torch.testing.assert_close(found, value.to(dtype).flatten(), rtol=0, atol=0, equal_nan=True)


@both
@every_dtype
def test_nan_infinity_and_tiny_numbers_are_no_different(layout, dtype):
    odd = torch.tensor([torch.nan, torch.inf, -torch.inf, 1e-40, -0.0, 3e38], dtype=torch.float64)
    x = odd[torch.randint(6, (2, 3, 40, 16))].to(dtype)
    turns = turns_for(x)
    found = turned_in_one_pass(x, turns.cos, turns.sin, layout)
    expected = rotate_plain(x, turns, layout=layout)
    torch.testing.assert_close(found, expected, rtol=0, atol=0, equal_nan=True)


class Named(torch.Tensor):
    """A class of someone's, with code of its own for every operation."""


def freed():
    x = torch.randn(1, 2, 3, 8)
    x.untyped_storage().resize_(0)
    return x


def not_for_loops():
    """Return arguments that loops must leave alone, by why."""
    x = torch.randn(1, 2, 3, 8)
    turns = turns_for(x)
    cos, sin, negative = turns.cos, turns.sin, torch.complex(x, x).conj().imag
    fine = {"x": x, "cos": cos, "sin": sin, "out": None}
    across = torch.randn(1, 2, 8, 3).transpose(2, 3)
    changed = {
        "a sign to be applied": {"x": negative},
        "a sign of the sine": {"sin": turns.factors.conj().imag},
        "a class": {"x": x.as_subclass(Named)},
        "a class of a table": {"cos": cos.as_subclass(Named)},
        "another device": {"x": x.to("meta")},
        "tables on another device": {"cos": cos.to("meta"), "sin": sin.to("meta")},
        "out on another device": {"out": x.to("meta")},
        "rows in pieces": {"x": across},
        "out in pieces": {"out": across.clone(memory_format=torch.preserve_format)},
        "tables in pieces": {"cos": cos.T.contiguous().T, "sin": sin.T.contiguous().T},
        "tables that lie otherwise": {"sin": torch.zeros(3, 8)[:, ::2]},
        "a sine of another dtype": {"sin": sin.double()},
        "a sine without memory": {"sin": torch._efficientzerotensor(3, 4)},
        "memory given back": {"x": freed()},
        "heads that overlap, so that the result lies otherwise": {
            "x": torch.randn(3, 1, 8).unsqueeze(-1).permute(3, 0, 1, 2).expand(1, 3, 3, 8)
        },
        "more exact tables": {"cos": cos.double(), "sin": sin.double()},
        "no memory": {"x": torch._efficientzerotensor(1, 2, 3, 8)},
    }
    return {why: {**fine, **part} for why, part in changed.items()}


@both
@pytest.mark.parametrize("why", not_for_loops())
def test_none_where_loops_may_not(layout, why):
    given = not_for_loops()[why]
    arguments = (given["x"], given["cos"], given["sin"], layout, given["out"])
    assert turned_in_one_pass(*arguments) is None


@both
def test_none_where_a_mode_or_a_tracer_watches(layout):
    x = torch.randn(1, 2, 3, 8)
    turns = turns_for(x)
    found = []
    with FakeTensorMode(allow_non_fake_inputs=True):
        found.append(turned_in_one_pass(x, turns.cos, turns.sin, layout))

    def traced(x):
        found.append(turned_in_one_pass(x, turns.cos, turns.sin, layout))
        return x + 1

    with pytest.warns(DeprecationWarning, match="torch.jit.trace"):
        torch.jit.trace(traced, x, check_trace=False)
    assert found == [None, None]
    assert_as_plain(x, layout)


@both
def test_what_traces_before_dispatch_sees_every_step(layout):
    x = torch.randn(2, 4, 300, 64)
    turns = turns_for(x)
    traced = make_fx(lambda x: rotate(x, turns, layout=layout), pre_dispatch=True)(x)
    expected = rotate_plain(x, turns, layout=layout)
    torch.testing.assert_close(traced(x), expected, rtol=0, atol=2e-6)


LOADED_INSIDE = """
import torch
from posenc_ref import *
x, turns = torch.randn(1, 8, 600, 64), rotations(rope_angles(positions(600), frequencies(64)))
with torch.inference_mode():
    rotate(x, turns, layout="half")
from posenc_loops.memory import dense
assert dense(x)
"""


def test_loops_loaded_in_inference_mode_serve_outside_too():
    code = [sys.executable, "-c", LOADED_INSIDE]
    done = subprocess.run(code, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


@both
def test_graphs_for_any_length_are_made_of_the_formula(layout):
    class Turn(torch.nn.Module):
        def forward(self, x, angles):
            return rotate(x, angles, layout=layout)

    x, angles = torch.randn(2, 4, 300, 64), torch.randn(300, 32)
    length = torch.export.Dim("length", min=2, max=4096)
    program = torch.export.export(Turn(), (x, angles), dynamic_shapes=({2: length}, {0: length}))
    expected = rotate_plain(x, angles, layout=layout)
    assert torch.equal(program.module()(x, angles), expected)
    for tensor, axis in ((x, 2), (angles, 0)):
        torch._dynamo.mark_dynamic(tensor, axis, min=2, max=4096)
    compiled = torch.compile(Turn(), fullgraph=True, backend="aot_eager")
    assert torch.equal(compiled(x, angles), expected)
    torch.compiler.reset()


@both
def test_inference_mode_and_parameters_are_fine(layout):
    parameter = torch.nn.Parameter(torch.randn(1, 2, 3, 8))
    with torch.no_grad():
        assert_as_plain(parameter, layout)
    with torch.inference_mode():
        assert_as_plain(torch.randn(1, 2, 3, 8), layout)


@both
def test_autograd_is_told_that_out_was_written(layout):
    weight = torch.randn(1, 2, 3, 8, requires_grad=True)
    kept = torch.randn(1, 2, 3, 8)
    product = weight * kept
    assert_as_plain(torch.randn(1, 2, 3, 8), layout, out=kept)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.sum().backward()


@both
def test_compiled_code_calls_the_loops_for_many_numbers(layout):
    graphs = []

    def kept(graph, inputs):
        graphs.append(graph)
        return graph.forward

    x, few = torch.randn(2, 4, 300, 64), torch.randn(2, 4, 3, 64)
    compiled = torch.compile(rotate, fullgraph=True, backend=kept)
    for x_, called in (
        (x, True),
        (x.transpose(2, 3).contiguous().transpose(2, 3), True),
        (few, False),
        (x.clone().requires_grad_(), False),
    ):
        graphs.clear()
        torch.compiler.reset()
        turns = turns_for(x_)
        found = compiled(x_, turns, layout=layout)
        assert torch.equal(found, rotate_plain(x_, turns, layout=layout))
        assert ("posenc_ref.turn" in str(graphs[0].graph)) == called
    torch.compiler.reset()


@both
def test_exported_code_needs_nothing_of_this_package(layout):
    class Turn(torch.nn.Module):
        def forward(self, x, cos, sin):
            return rotate(x, finished(cos, sin), layout=layout)

    x = torch.randn(2, 4, 300, 64)
    turns = turns_for(x)
    program = torch.export.export(Turn(), (x, turns.cos, turns.sin))
    assert "posenc_ref" not in str(program.graph)
    found = program.module()(x, turns.cos, turns.sin)
    assert torch.equal(found, rotate_plain(x, turns, layout=layout))


@both
def test_the_operator_holds_to_what_torch_asks_of_one(layout):
    x = torch.randn(2, 3, 5, 8)
    turns = turns_for(x)
    for x_ in (x, x.transpose(1, 2).contiguous().transpose(1, 2), x.bfloat16()):
        sample = (x_, turns.cos, turns.sin, layout)
        torch.library.opcheck(torch.ops.posenc_ref.turn, sample)


@both
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_any_number_of_threads(layout, threads):
    torch.set_num_threads(threads)
    assert_as_plain(torch.randn(1, 8, 3 * ROWS + 5, 64), layout)
    assert torch.get_num_threads() == threads


@both
def test_called_from_several_threads_at_once(layout):
    x = torch.randn(2, 8, 600, 64)
    assert x[0].numel() > FEW
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda i: assert_as_plain(x[i % 2 :][:1], layout), range(12)))


FORKED = """
import os, sys, torch
from posenc_ref import *
torch.set_num_threads(2)
x = torch.randn(1, 8, 600, 64)
turns = rotations(rope_angles(positions(600), frequencies(64)))
expected = rotate(x, turns, layout="half")
child = os.fork()
if not child:
    found = rotate(x, turns, layout="half")
    torch.set_num_threads(1)  # torch itself waits for the parent's threads, and waits for ever
    os._exit(0 if torch.equal(found, expected) else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_forked_child_turns_by_itself():
    """OpenMP's threads stay with the parent: a child that asks for them waits for ever."""
    command = [sys.executable, "-c", FORKED]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


AT_ONCE = """
import threading, time, torch
from posenc_ref import *
turns = rotations(rope_angles(positions(600), frequencies(64)))
few = Rotations(*(table[:3] for table in turns))
x, wrong, loaded = torch.randn(1, 8, 600, 64), [], threading.Event()

def call(x, turns, until):
    try:
        while not until():
            found, plain = (f(x, turns, layout="half") for f in (rotate, rotate_plain))
            torch.testing.assert_close(found, plain, rtol=0, atol=2e-6)
            time.sleep(0.001)  # the others compile
    except BaseException as error:
        wrong.append(error)

small = [threading.Thread(target=call, args=(x[:, :, :3], few, loaded.is_set)) for _ in range(3)]
large = [threading.Thread(target=call, args=(x, turns, iter([False] * 3 + [True]).__next__))
         for _ in range(3)]
for thread in (*small, *large):
    thread.start()
for thread in large:
    thread.join()
loaded.set()
for thread in small:
    thread.join()
assert not wrong, wrong
"""


def test_the_first_calls_may_come_at_once():
    """Some find the loops half loaded, or not compiled yet."""
    command = [sys.executable, "-c", AT_ONCE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


LONELY = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "numba":
            raise ModuleNotFoundError(f"No module named {name!r}", name="numba")
sys.meta_path.insert(0, Absent())
import torch
from posenc_ref import *
x = torch.randn(1, 8, 600, 64)
turns = rotations(rope_angles(positions(600), frequencies(64)))
for layout in ("half", "interleaved"):
    found, plain = (f(x, turns, layout=layout) for f in (rotate, rotate_plain))
    torch.testing.assert_close(found, plain, rtol=0, atol=2e-6)
    compiled = torch.compile(rotate, fullgraph=True, backend="aot_eager")
    assert torch.equal(compiled(x, turns, layout=layout), plain)
assert "numba" not in sys.modules
"""


def test_posenc_ref_does_without_numba():
    done = subprocess.run([sys.executable, "-c", LONELY], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
