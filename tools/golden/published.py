"""What code published with a paper, or by a third party, answers for scores; see __main__.py.

This code is in no registry: a class is cut out of its file, at the commit that files.py names. The
stored answers come from the text of these classes in an archive of those commits, KERPLE's without
the methods that are not called.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, Optional
from unittest.mock import patch

import torch
from torch import nn

from tools.golden import files

FAR = [0, 1, 2, 49, 511, 4095, 131071]


def kerple_power() -> Iterator[dict[str, Any]]:
    """Keys that are not ahead, float64; then the distances that its cache is filled with."""
    power = files.cut(
        files.FOLDER / "chijames/KERPLE/megatron/mpu/layers.py",
        "ParallelKerplePower",
        torch=torch,
        Parameter=nn.Parameter,
        get_model_parallel_world_size=lambda: 1,
        get_model_parallel_rank=lambda: 0,
    )
    for heads, length in ((1, 5), (3, 7), (71, 3), (112, 3)):
        settings = SimpleNamespace(
            num_attention_heads=heads, pos_emb="kerple_ap_", params_dtype=torch.float64
        )
        with patch("torch.cuda.current_device", lambda: "cpu"), torch.no_grad():
            module = power(settings)
            near = module(torch.zeros(1, heads, length, length, dtype=torch.float64))[0]
            module.cached_seq_len = len(FAR)
            module.cached_matrix = torch.tensor(FAR, dtype=torch.float64).expand(len(FAR), -1)
            far = module(torch.zeros(1, heads, 1, len(FAR), dtype=torch.float64))[0]
        yield {
            "r1": module.bias_a.flatten().tolist(),
            "r2": module.bias_p.flatten().tolist(),
            "values": near.tril().tolist(),
            "distances": FAR,
            "far": far[:, 0].tolist(),
        }


def fire() -> Iterator[dict[str, Any]]:
    """A third party's class, float32, keys that are not ahead; positions are drawn when training.

    1e-6 is added to its denominator.
    """
    path = files.FOLDER / "mcleish7/arithmetic/cramming/architectures/embeddings.py"
    fire = files.cut(path, "FIRE", torch=torch)
    for heads, longest in ((1, 0), (3, 0), (3, 131_072), (71, 131_072), (112, 0)):
        length = 9 if heads < 70 else 4
        module = fire(heads, mlp_width=5, init_L=6.0, max_length=longest).train(longest > 0)
        state = torch.get_rng_state()
        with torch.no_grad():
            values = module(length, "cpu")[0].tril()
        torch.set_rng_state(state)  # the positions that it has just drawn
        drawn = torch.randperm(longest or length, dtype=torch.float)[:length].sort().values
        yield {
            "positions": drawn.long().tolist(),
            "threshold": 6.0,
            "weights": {name: weight.tolist() for name, weight in module.named_parameters()},
            "values": values.tolist(),
        }


def cope_ram() -> Iterator[dict[str, Any]]:
    """Whole attention with CoPE, float64: divided or not, and a mask with left padding."""
    attention = files.cut(
        files.FOLDER / "facebookresearch/RAM/projects/cope/src/cope/context_position.py",
        "ContextPosSelfAttn",
        torch=torch,
        nn=nn,
        math=math,
        Optional=Optional,
    )
    for heads, length, size, rows, padding, nodiv in (
        (1, 5, 4, 3, 0, False),
        (3, 6, 4, 9, 2, True),
        (71, 3, 2, 4, 0, True),
        (112, 3, 2, 2, 1, False),
    ):
        config = SimpleNamespace(
            drop=0.0,
            cope_layers=1,
            pos_emb="cope",
            cope_npos=rows,
            head_dim=size,
            cope_val_gates=False,
            cope_sep_key=False,
            cope_nodiv=nodiv,
        )
        module = attention(config, 0).double().eval()
        nn.init.normal_(module.pos_emb)
        q, k = torch.randn(2, heads, length, size, dtype=torch.float64)  # a head is a text there
        mask = torch.ones(length, length).tril()
        mask[padding:, :padding] = 0  # rows of padding see themselves
        with torch.no_grad():
            module(q, k, k, k, mask.double().expand(heads, -1, -1))
        yield {
            "divided": "content" if nodiv else "both",
            "mask": mask.bool().tolist(),
            "q": q[None].tolist(),
            "k": k[None].tolist(),
            "table": module.pos_emb[0].T.tolist(),
            "values": module.attn_saved[None].tolist(),
        }


GOLDENS = [  # library, call, cases
    (
        "chijames/KERPLE",
        "ParallelKerplePower(neox_args)(zeros)[0].tril(); pos_emb='kerple_ap_'",
        kerple_power,
    ),
    (
        "mcleish7/arithmetic",
        "FIRE(heads, mlp_width=5, init_L=6.0, max_length)(length, 'cpu')[0].tril()",
        fire,
    ),
    (
        "facebookresearch/RAM",
        "ContextPosSelfAttn(cfg, 0).double()(q, k, k, k, mask); .attn_saved",
        cope_ram,
    ),
]
