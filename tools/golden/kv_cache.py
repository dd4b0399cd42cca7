"""What transformers answers when it decodes with a cache; __main__.py says how to run this."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from transformers import DynamicCache, LlamaConfig
from transformers.masking_utils import create_causal_mask
from transformers.models.llama.modeling_llama import LlamaAttention, LlamaRotaryEmbedding


def kv_cache_llama() -> Iterator[dict[str, Any]]:
    """Seven tokens one by one: RoPE in half layout, grouped queries, no output projection."""
    for heads, kv_heads in ((4, 2), (3, 3), (6, 1)):
        config = LlamaConfig(
            hidden_size=4 * heads,
            num_attention_heads=heads,
            num_key_value_heads=kv_heads,
            rope_parameters={"rope_type": "default", "rope_theta": 100.0},
            attn_implementation="eager",
        )
        module, rotary = LlamaAttention(config, 0).eval(), LlamaRotaryEmbedding(config)
        torch.nn.init.eye_(module.o_proj.weight)
        x, cache, values = torch.randn(1, 7, 4 * heads), DynamicCache(config=config), []
        with torch.no_grad():
            for t in range(7):
                token = x[:, t : t + 1]
                tables = rotary(token, torch.tensor([[t]]))
                values.append(module(token, tables, None, past_key_values=cache)[0].tolist())
            q, k, v = (
                projection(x).unflatten(-1, (-1, 4)).transpose(1, 2).tolist()
                for projection in (module.q_proj, module.k_proj, module.v_proj)
            )
        yield {"base": 100.0, "q": q, "k": k, "v": v, "values": values}


def kv_cache_llama_heads() -> Iterator[dict[str, Any]]:
    """Three tokens one by one up to position 131071, float64 but for RoPE's angles; many heads."""
    at = [131069, 131070, 131071]
    for heads, kv_heads in ((71, 1), (112, 28)):
        config = LlamaConfig(
            hidden_size=2 * heads,
            num_attention_heads=heads,
            num_key_value_heads=kv_heads,
            rope_parameters={"rope_type": "default", "rope_theta": 100.0},
            attn_implementation="eager",
        )
        module = LlamaAttention(config, 0).eval().double()
        rotary, cache, values = LlamaRotaryEmbedding(config), DynamicCache(config=config), []
        torch.nn.init.eye_(module.o_proj.weight)
        x = 2 * torch.randn(1, 3, 2 * heads, dtype=torch.float64)
        with torch.no_grad():
            for t, p in enumerate(at):
                token = x[:, t : t + 1]
                tables = rotary(token, torch.tensor([[p]]))
                values.append(module(token, tables, None, past_key_values=cache)[0].tolist())
            q, k, v = (
                projection(x).unflatten(-1, (-1, 2)).transpose(1, 2).tolist()
                for projection in (module.q_proj, module.k_proj, module.v_proj)
            )
        yield {"base": 100.0, "positions": at, "q": q, "k": k, "v": v, "values": values}


def kv_cache_llama_padded() -> Iterator[dict[str, Any]]:
    """Two texts, the first with two paddings to its left: four columns at once, then three steps.

    `values` are one list per call; rows of padding are among them and mean nothing.
    """
    config = LlamaConfig(
        hidden_size=8,
        num_attention_heads=2,
        num_key_value_heads=1,
        rope_parameters={"rope_type": "default", "rope_theta": 100.0},
        attn_implementation="eager",
    )
    module, rotary = LlamaAttention(config, 0).eval(), LlamaRotaryEmbedding(config)
    torch.nn.init.eye_(module.o_proj.weight)
    x, cache, values = torch.randn(2, 7, 8), DynamicCache(config=config), []
    mask = torch.tensor([[0, 0, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1]])
    at = (mask.cumsum(-1) - 1).clamp(min=0)  # as `generate` of transformers has it
    with torch.no_grad():
        for first, last in ((0, 4), (4, 5), (5, 6), (6, 7)):
            part, part_at = x[:, first:last], at[:, first:last]
            allowed = create_causal_mask(
                config=config,
                inputs_embeds=part,
                attention_mask=mask[:, :last],
                past_key_values=cache,
                position_ids=part_at,
            )
            tables = rotary(part, part_at)
            values.append(module(part, tables, allowed, past_key_values=cache)[0].tolist())
        q, k, v = (
            projection(x).unflatten(-1, (-1, 4)).transpose(1, 2).tolist()
            for projection in (module.q_proj, module.k_proj, module.v_proj)
        )
    yield {"base": 100.0, "mask": mask.tolist(), "q": q, "k": k, "v": v, "values": values}


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "LlamaAttention(config, 0).eval()(x[:, t:t+1], rotary, None, past_key_values=cache)[0]",
        kv_cache_llama,
    ),
    (
        "transformers",
        "LlamaAttention(config, 0).eval().double()(x[:, t:t+1], rotary, None, "
        "past_key_values=cache)[0]",
        kv_cache_llama_heads,
    ),
    (
        "transformers",
        "LlamaAttention(config, 0).eval()(part, rotary, create_causal_mask(…), "
        "past_key_values=cache)[0]",
        kv_cache_llama_padded,
    ),
]
