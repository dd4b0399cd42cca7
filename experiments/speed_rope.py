"""The RoPE groups of the speed benchmark: q and k of (1, 32, 4096, 128), and one decode step.

Every case rotates both q and k. Cosine and sine are made once, outside, as in a model that makes
them once for all layers; `rotate with angles` makes them too. Ratios are to `copy_` of q and k into
tensors that are there: the least that reading and writing them can cost. `clone` writes to fresh
memory, as every function that returns a new tensor must. Ratios of the decode step are to
`apply_rotary_pos_emb` of Hugging Face transformers; "in one" is a projection that gives q and k as
one tensor, of which one call turns both. A prompt goes before a decode step, so that loops are
loaded (posenc_ref/loops.py).
"""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import torch
from torch import Tensor

from experiments.timing import Case, Group
from posenc_ref import Rotations, frequencies, positions, rope_angles, rotate, rotations

SHAPE = (1, 32, 4096, 128)
Rotate = Callable[[Tensor], Tensor]


def groups(device: torch.device) -> Iterator[Group]:
    """Yield eager, compiled and decode groups, in float32 and bfloat16."""
    for dtype in (torch.float32, torch.bfloat16):
        name = str(dtype).removeprefix("torch.")
        q, k = (torch.randn(SHAPE, device=device).to(dtype) for _ in range(2))
        yield Group(f"rope eager {name}", str(SHAPE), _eager(q, k))
        yield Group(f"rope compiled {name}", str(SHAPE), _compiled(q, k))
    if _has("transformers"):  # which the ratios of this group are to
        both = torch.randn(1, 64, 1, 128, device=device)  # as one projection gives q and k
        yield Group("rope decode float32", "(1, 32, 1, 128) at 4096", _decode(both), calls=200)


def _both(q: Tensor, k: Tensor, turn: Rotate) -> Case:
    return lambda: (turn(q), turn(k))


def _floor(q: Tensor, k: Tensor) -> dict[str, Case]:
    rooms = torch.empty_like(q), torch.empty_like(k)
    return {
        "copy_": lambda: (rooms[0].copy_(q), rooms[1].copy_(k)),
        "clone": lambda: (q.clone(), k.clone()),
    }


def _turns(q: Tensor, start: int = 0) -> tuple[Tensor, Rotations]:
    at = positions(q.shape[2], start=start, device=q.device)
    angles = rope_angles(at, frequencies(q.shape[3], device=q.device))
    return angles, rotations(angles)


def _eager(q: Tensor, k: Tensor) -> dict[str, Case]:
    angles, turns = _turns(q)
    cases = _floor(q, k)
    for layout in ("interleaved", "half"):
        rooms = torch.empty_like(q), torch.empty_like(k)
        turn = partial(rotate, angles=turns, layout=layout)
        cases[f"rotate {layout}"] = _both(q, k, turn)
        cases[f"rotate {layout} out="] = lambda turn=turn, rooms=rooms: (
            turn(q, out=rooms[0]),
            turn(k, out=rooms[1]),
        )
    cases["rotate interleaved with angles"] = _both(
        q, k, partial(rotate, angles=angles, layout="interleaved")
    )
    return {**cases, **{name: _both(q, k, turn) for name, turn in peers(q).items()}}


def _compiled(q: Tensor, k: Tensor) -> dict[str, Case]:
    _, turns = _turns(q)
    cases = _floor(q, k)
    for layout in ("interleaved", "half"):
        turn = torch.compile(partial(rotate, layout=layout), fullgraph=True)
        rooms = torch.empty_like(q), torch.empty_like(k)
        cases[f"rotate {layout}"] = lambda turn=turn: (turn(q, turns), turn(k, turns))
        cases[f"rotate {layout} out="] = lambda turn=turn, rooms=rooms: (
            turn(q, turns, out=rooms[0]),
            turn(k, turns, out=rooms[1]),
        )
    if "transformers" in peers(q):
        hf = torch.compile(_transformers(q))
        cases["transformers"] = _both(q, k, hf)
    return cases


def _decode(both: Tensor, start: int = 4096) -> dict[str, Case]:
    from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

    q, k = both.chunk(2, dim=1)
    _, turns = _turns(q, start=start)
    cos, sin = (torch.cat((table, table), -1)[None] for table in turns[:2])
    hf = _transformers(q, start)
    cases = {"transformers": lambda: apply_rotary_pos_emb(q, k, cos, sin)}
    prompt = both.expand(-1, -1, 1024, -1)
    for layout in ("interleaved", "half"):
        rotate(prompt, _turns(prompt)[1], layout=layout)
        turn = partial(rotate, angles=turns, layout=layout)
        cases[f"rotate {layout}"] = _both(q, k, turn)
        cases[f"rotate {layout}, q and k in one"] = partial(turn, both)
    cases["transformers, q and k in one"] = partial(hf, both)
    if _has("rotary_embedding_torch"):
        peer = _rotary_embedding_torch(q, start)
        cases["rotary-embedding-torch"] = _both(q, k, peer)
    return cases


def peers(x: Tensor) -> dict[str, Rotate]:
    """Return the peers that are installed, each as a function of x alone; tables made before."""
    found: dict[str, Rotate] = {}
    if _has("transformers"):
        found["transformers"] = _transformers(x)
    if _has("rotary_embedding_torch"):
        found["rotary-embedding-torch"] = _rotary_embedding_torch(x)
    if _has("torchtune"):
        found["torchtune"] = _torchtune(x)
    if _has("x_transformers"):
        found["x-transformers"] = _x_transformers(x)
    return found


def _has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def _transformers(x: Tensor, start: int = 0) -> Rotate:
    from transformers.models.llama.modeling_llama import rotate_half

    at = positions(x.shape[2], start=start, device=x.device)
    angles = rope_angles(at, frequencies(x.shape[3], device=x.device)).repeat(1, 2)
    cos, sin = angles.cos().to(x.dtype)[None, None], angles.sin().to(x.dtype)[None, None]
    # the body of its apply_rotary_pos_emb, for one of q and k
    return lambda x: (x * cos) + (rotate_half(x) * sin)


def _rotary_embedding_torch(x: Tensor, start: int = 0) -> Rotate:
    from rotary_embedding_torch import RotaryEmbedding

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it asks for autocast of CUDA
        module = RotaryEmbedding(x.shape[3], use_xpos=False).to(x.device)

    @torch.no_grad()
    def turn(x: Tensor) -> Tensor:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return module.rotate_queries_or_keys(x, offset=start)

    return turn


def _torchtune(x: Tensor) -> Rotate:
    # its one file: the package itself wants much that has nothing to do with positions
    (folder,) = importlib.util.find_spec("torchtune").submodule_search_locations
    file = Path(folder) / "modules" / "position_embeddings.py"
    spec = importlib.util.spec_from_file_location("torchtune_position_embeddings", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rope = module.RotaryPositionalEmbeddings(x.shape[3], max_seq_len=x.shape[2]).to(x.device)
    return lambda x: rope(x.transpose(1, 2))  # it wants (B, L, H, D)


def _x_transformers(x: Tensor) -> Rotate:
    from x_transformers.x_transformers import RotaryEmbedding, apply_rotary_pos_emb

    module = RotaryEmbedding(x.shape[3]).to(x.device)
    freqs, scale = module.forward_from_seq_len(x.shape[2])
    return lambda x: apply_rotary_pos_emb(x, freqs, scale)
