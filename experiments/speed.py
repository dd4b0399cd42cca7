"""Compares RoPE and ALiBi of the reference with other libraries: paired, interleaved rounds.

    python -m experiments.speed               every group
    python -m experiments.speed "rope eager"  the groups whose names begin with this

Ratios are to Hugging Face transformers in the same layout and round; the median of all rounds.
They go to experiments/results/speed.json with versions, device and day. A group that lacks a
library of the stored one is shown but not stored. One thread: on a shared machine, several threads
wait for each other's core.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import torch
from rich.progress import track
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention as attend

from experiments.peers import installed
from experiments.record import RESULTS, machine, read, show, write
from experiments.timing import ROUNDS, Case, Group, paired
from posenc_ref import (
    alibi,
    alibi_slopes,
    causal_mask,
    device,
    frequencies,
    positions,
    rope_angles,
    rotate,
    rotations,
)
from posenc_ref.rope_angles import Layout, Rotations

LAYOUTS: tuple[Layout, ...] = ("half", "interleaved")
SHAPE = (1, 32, 4096, 128)
PROMPT = (1, 8, 1024, 64)
KEYS = 4096
PACKAGES = ("torch", "transformers", "rotary-embedding-torch", "torchtune", "x-transformers")


def groups(where: torch.device) -> Iterator[Group]:
    """Yield the groups: RoPE eager, compiled, one decode step; ALiBi for a prompt and one step."""
    for layout, dtype in product(LAYOUTS, (torch.float32, torch.bfloat16)):
        name = f"{layout} {str(dtype).removeprefix('torch.')}"
        x = torch.randn(2, *SHAPE, device=where).to(dtype)
        yield Group(f"rope eager {name}", str(SHAPE), rope(*x, layout), aim=0.5)
        yield Group(f"rope compiled {name}", str(SHAPE), compiled(*x, layout), aim=1.0)
        q, k = x[:, :, :, :1]
        setting = f"{tuple(q.shape)} at {KEYS}"
        decode = decode_step(q.contiguous(), k.contiguous(), layout)
        yield Group(f"rope decode {name}", setting, decode, calls=20, aim=0.75)
    q, k, v = torch.randn(3, *PROMPT, device=where)
    yield Group("alibi prompt float32", str(PROMPT), attention(q, k, v), aim=1.0)
    k, v = torch.randn(2, 1, 32, KEYS, 128, device=where)
    q = torch.randn(1, 32, 1, 128, device=where)
    yield Group("alibi decode float32", f"{KEYS} keys", attention(q, k, v), calls=5, aim=1.0)


def rope(q: Tensor, k: Tensor, layout: Layout, start: int = 0) -> dict[str, Case]:
    """Return cases that turn q and k, one for each library with this layout; tables are ready."""
    makers = installed(f"rope_{layout}_")
    peers = {name: partial(make(q, start), q, k) for name, make in makers.items()}
    return {**peers, "reference": _reference(q, k, layout, start, rotate)}


def decode_step(q: Tensor, k: Tensor, layout: Layout) -> dict[str, Case]:
    """Return the same for one token, where calls cost most: also q and k in one `rotate`."""
    turns = _rotations(q, layout, KEYS)

    def at_once() -> object:
        return rotate(torch.cat((q, k), dim=1), turns, layout=layout).chunk(2, dim=1)

    return {**rope(q, k, layout, KEYS), "reference, q and k in one call": at_once}


def compiled(q: Tensor, k: Tensor, layout: Layout) -> dict[str, Case]:
    """Return the same through torch.compile, beside Hugging Face transformers."""
    makers = {n: make for n, make in installed(f"rope_{layout}_").items() if n == "transformers"}
    peers = {name: partial(torch.compile(make(q, 0)), q, k) for name, make in makers.items()}
    turn = torch.compile(rotate, fullgraph=True)
    return {**peers, "reference": _reference(q, k, layout, 0, turn)}


def _reference(q: Tensor, k: Tensor, layout: Layout, start: int, turn: Any) -> Case:
    turns = _rotations(q, layout, start)
    return lambda: (turn(q, turns, layout=layout), turn(k, turns, layout=layout))


def _rotations(x: Tensor, layout: Layout, start: int) -> Rotations:
    at = positions(x.shape[2], start=start, device=x.device)
    return rotations(rope_angles(at, frequencies(x.shape[3], device=x.device)), layout)


def attention(q: Tensor, k: Tensor, v: Tensor) -> dict[str, Case]:
    """Return cases of causal attention with ALiBi; the queries are the last of the keys."""
    at, slopes = positions(k.shape[2], device=q.device), alibi_slopes(q.shape[1], device=q.device)
    asking = at[-q.shape[2] :]
    mask = causal_mask(asking, at)
    bias = alibi(asking, at, slopes).masked_fill(~mask, -torch.inf)[None]  # once for all layers
    peers = {name: make((q, k, v), ~mask) for name, make in installed("alibi_").items()}
    return {**peers, "reference": lambda: attend(q, k, v, attn_mask=bias)}


def measure(group: Group, where: torch.device) -> dict[str, Any]:
    """Return the ratios of a group, its aim, and the machine."""
    return {
        "setting": group.setting,
        "aim": group.aim,
        "cases": paired(group),
        "machine": {
            "rounds": ROUNDS,
            "threads": torch.get_num_threads(),
            "device": str(where),
            **machine(*PACKAGES),
        },
    }


def store(results: dict[str, Any], path: Path = RESULTS / "speed.json") -> None:
    """Write the results beside earlier ones, except a group that has fewer cases than before."""
    before = read(path)
    for name, measured in results.items():
        if lost := _cases(before.get(name)) - _cases(measured):
            print(f"{name}: not stored, the stored one has {', '.join(sorted(lost))} too")
        else:
            before[name] = measured
    write(path, before)


def _cases(measured: dict[str, Any] | None) -> set[str]:
    return {case["case"] for case in measured["cases"]} if measured else set()


def main() -> None:
    """Measure the groups named on the command line, show and store them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("group", nargs="?", default="", help="how the names of groups begin")
    prefix = parser.parse_args().group
    torch.set_num_threads(1)
    torch.manual_seed(0)
    where, results = device(), {}
    with torch.no_grad():
        for group in track([g for g in groups(where) if g.name.startswith(prefix)], "measuring"):
            results[group.name] = measure(group, where)
    for name, measured in results.items():
        title = f"{name}, {measured['setting']}: at most {measured['aim']}"
        show(title, measured["cases"])
    store(results)


if __name__ == "__main__":
    main()
