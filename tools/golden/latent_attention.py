"""What DeepSeek-V3's attention in transformers reads; __main__.py says how to run this."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from transformers import DeepseekV3Config
from transformers.models.deepseek_v3.modeling_deepseek_v3 import (
    DeepseekV3Attention,
    DeepseekV3RotaryEmbedding,
)

YARN = {
    "rope_type": "yarn",
    "factor": 40.0,
    "original_max_position_embeddings": 4096,
    "mscale": 1.0,
    "mscale_all_dim": 1.0,
}


def latent_attention_deepseek() -> Iterator[dict[str, Any]]:
    """Causal, float64 but for RoPE's angles; interleaved pairs, no output projection.

    q, q_rotary, k_rotary are before the rotation, the latents behind their norm; `omega` are the
    frequencies, `scale` is what scores are multiplied by.
    """
    for heads, dim, rotary, latent, parameters in (
        (2, 4, 2, 3, {"rope_type": "default"}),
        (3, 2, 4, 8, YARN),
    ):
        config = DeepseekV3Config(
            hidden_size=heads * dim,
            num_attention_heads=heads,
            num_key_value_heads=heads,
            q_lora_rank=None,
            kv_lora_rank=latent,
            qk_nope_head_dim=dim,
            qk_rope_head_dim=rotary,
            v_head_dim=dim,
            rope_parameters={**parameters, "rope_theta": 100.0},
            attn_implementation="eager",
        )
        module = DeepseekV3Attention(config, 0).eval().double()
        torch.nn.init.eye_(module.o_proj.weight)
        x = 2 * torch.randn(1, 5, heads * dim, dtype=torch.float64)
        at = torch.tensor([[0, 1, 7, 8, 900]])
        embedding = DeepseekV3RotaryEmbedding(config)
        ahead = torch.full((5, 5), -torch.inf, dtype=torch.float64).triu(1)[None, None]
        with torch.no_grad():
            values = module(x, embedding(x, at), ahead)[0]
            q = module.q_proj(x).unflatten(-1, (heads, -1)).transpose(1, 2)
            latents, k = module.kv_a_proj_with_mqa(x).split((latent, rotary), dim=-1)
            up = module.kv_b_proj.weight.unflatten(0, (heads, -1))  # (H, D + Dv, C)
        yield {
            "positions": at[0].tolist(),
            "omega": embedding.inv_freq.tolist(),
            "scale": module.scaling,
            "q": q[..., :dim].tolist(),
            "q_rotary": q[..., dim:].tolist(),
            "latents": module.kv_a_layernorm(latents).tolist(),
            "k_rotary": k.tolist(),
            "key_up": up[:, :dim].tolist(),
            "value_up": up[:, dim:].tolist(),
            "values": values.tolist(),
        }


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "DeepseekV3Attention(config, 0).eval().double()(x, rotary, causal)[0]",
        latent_attention_deepseek,
    ),
]
