"""What upstream answers for the two rotary embeddings called GLM's, and for positions of images.

__main__.py says how to run this.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn
from transformers.models.glm.modeling_glm import (
    GlmConfig,
    GlmRotaryEmbedding,
    apply_rotary_pos_emb,
)
from transformers.models.qwen2_vl.modeling_qwen2_vl import Qwen2VLModel

from tools.golden import files
from tools.golden.rope import FAR, wave


def rope_glm() -> Iterator[dict[str, Any]]:
    """Interleaved, the first half of each head, float64 but for the angles, which are float32."""
    for heads, dim, at in ((1, 8, FAR), (3, 16, FAR), (71, 4, [3, 131071]), (112, 4, [131071])):
        config = GlmConfig(
            hidden_size=heads * dim,
            num_attention_heads=heads,
            head_dim=dim,
            rope_parameters={
                "rope_type": "default",
                "rope_theta": 10000.0,
                "partial_rotary_factor": 0.5,
            },
        )
        x = wave(1, heads, len(at), dim).double()
        values, _ = apply_rotary_pos_emb(x, x, *GlmRotaryEmbedding(config)(x, torch.tensor([at])))
        yield {"turning": dim // 2, "positions": at, "x": x.tolist(), "values": values.tolist()}


def by_head(x: Tensor, heads: int) -> Tensor:
    """(B, L, H·D) as (B, H, L, D)."""
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def rope_chatglm() -> Iterator[dict[str, Any]]:
    """Queries as ChatGLM-6B's attention turns them: text, a masked span, its tokens; float64.

    The table of cosines is in the dtype of the queries, its angles in float32.
    """
    rotary = files.load("sat.model.position_embedding.rotary_embeddings")
    mixin = files.cut(
        files.FOLDER / "sat/model/official/chatglm_model.py",
        "ChatGLMAttnMixin",
        torch=torch,
        BaseMixin=nn.Module,
        RotaryEmbedding=rotary.RotaryEmbedding,
        apply_rotary_pos_emb_index=rotary.apply_rotary_pos_emb_index,
        attention_fn_default=None,
        split_tensor_along_last_dim=lambda x, parts: x.chunk(parts, dim=-1),
    )

    def turned(q: Tensor, k: Tensor, v: Tensor, *ignored: object, **more: object) -> Tensor:
        return q  # instead of attending: (B, H, L, D) are the turned queries

    for heads, dim, first, second in (
        (1, 8, [0, 1, 2, 3, 4, 2, 2, 2], [0, 0, 0, 0, 0, 1, 2, 3]),
        (3, 16, [131069, 131070, 131070], [0, 1, 131071]),
        (71, 4, [9, 131070], [131071, 1]),
        (112, 4, [131071], [4095]),
    ):
        attention = SimpleNamespace(
            hooks={"attention_fn": turned},
            query_key_value=lambda hidden: torch.cat((hidden, hidden, hidden), dim=-1),
            stride=3,
            attention_dropout=None,
            training=False,
            hidden_size_per_partition=heads * dim,
            _transpose_for_scores=partial(by_head, heads=heads),
            dense=nn.Identity(),
        )
        module = mixin(heads * dim, heads)
        module.transformer = SimpleNamespace(layers=[SimpleNamespace(attention=attention)])
        x = wave(1, heads, len(first), dim).double()
        values = module.attention_forward(
            x.transpose(1, 2).flatten(2),
            None,
            position_ids=torch.tensor([[first, second]]),
            layer_id=0,
            output_this_layer={},
        )
        yield {
            "first": first,
            "second": second,
            "x": x.tolist(),
            "values": by_head(values, heads).tolist(),
        }


def mrope_positions() -> Iterator[dict[str, Any]]:
    """Words, images and videos; `mask` is 0 at padding. In 5.23 frames move no word."""
    ask = partial(Qwen2VLModel.get_vision_position_ids, None)
    model = SimpleNamespace(
        config=SimpleNamespace(vision_config=SimpleNamespace(spatial_merge_size=2)),
        get_vision_position_ids=ask,
    )
    for parts, padding in (
        ([3, (1, 2, 3), 2, (1, 4, 1), 1], 0),
        ([(1, 1, 1), 4, (2, 3, 2), 2], 0),
        ([1, (3, 3, 1), 2, (1, 2, 2)], 2),
        ([2, (4, 1, 2), 3], 0),  # more frames than rows and columns
    ):
        kinds, images, videos = [0] * padding, [], []
        for part in parts:
            words = isinstance(part, int)
            count = part if words else part[0] * part[1] * part[2]
            kinds += [0 if words else 1 + (part[0] > 1)] * count
            if not words:  # upstream is told patches, four of which make a token
                t, h, w = part
                (videos if t > 1 else images).append([t, 2 * h, 2 * w])
        mask = torch.tensor([[0] * padding + [1] * (len(kinds) - padding)])
        grids = [torch.tensor(grid) if grid else None for grid in (images, videos)]
        ids, kinds = torch.zeros_like(mask), torch.tensor([kinds])
        at, _ = Qwen2VLModel.get_rope_index(model, ids, kinds, *grids, mask)
        yield {"parts": parts, "mask": mask[0].tolist(), "values": at[:, 0].tolist()}


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "glm: apply_rotary_pos_emb(x, x, *GlmRotaryEmbedding(config)(x, positions))[0]",
        rope_glm,
    ),
    (
        "swissarmytransformer",
        "ChatGLMAttnMixin(H * D, H).attention_forward(x, None, position_ids=[[first, second]]), "
        "with an attention_fn that returns the queries",
        rope_chatglm,
    ),
    (
        "transformers",
        "Qwen2VLModel.get_rope_index(model, ids, kinds, image_grid, video_grid, mask)[0]",
        mrope_positions,
    ),
]
