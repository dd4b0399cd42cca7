"""What upstream libraries answer for scores by position; golden.py says how to run this."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from transformers import DebertaConfig, DebertaV2Config, Wav2Vec2BertConfig, XLNetConfig
from transformers.models.deberta import modeling_deberta as v1
from transformers.models.deberta_v2 import modeling_deberta_v2 as v2
from transformers.models.wav2vec2_bert.modeling_wav2vec2_bert import Wav2Vec2BertSelfAttention
from transformers.models.xlnet.modeling_xlnet import XLNetModel, XLNetRelativeAttention
from x_transformers.x_transformers import CoPE


def shaw_wav2vec2_bert() -> Iterator[dict[str, Any]]:
    """Keys only, clipped at 3 tokens to the left and 3 to the right; `values` are the weights."""
    for heads, length in ((1, 4), (3, 9)):
        config = Wav2Vec2BertConfig(
            hidden_size=4 * heads,
            num_attention_heads=heads,
            position_embeddings_type="relative_key",
            left_max_position_embeddings=3,
            right_max_position_embeddings=3,
        )
        module = Wav2Vec2BertSelfAttention(config).eval()
        x = torch.randn(1, length, 4 * heads)
        with torch.no_grad():
            _, weights = module(x, output_attentions=True)
            q, k = (
                linear(x).unflatten(-1, (heads, 4)).transpose(1, 2)
                for linear in (module.linear_q, module.linear_k)
            )
        yield {
            "q": q.tolist(),
            "k": k.tolist(),
            "table": module.distance_embedding.weight.tolist(),
            "values": weights.tolist(),
        }


def xlnet() -> Iterator[dict[str, Any]]:
    """Both directions, with memory and segments; `values` are the weights."""
    for heads, queries, memory in ((1, 4, 0), (3, 5, 2)):
        config = XLNetConfig(d_model=4 * heads, n_head=heads, n_layer=1, vocab_size=8)
        module = XLNetRelativeAttention(config).eval()
        for weight in module.parameters():
            torch.nn.init.normal_(weight)
        keys = queries + memory
        q = torch.randn(queries, 1, heads, 4)  # XLNet: length, batch, heads, head size
        k = torch.randn(keys, 1, heads, 4)
        r = XLNetModel(config).relative_positional_encoding(queries, keys, bsz=1)
        segment = torch.arange(keys) // 3
        other = segment[memory:, None] != segment  # (Lq, Lk)
        matrix = torch.nn.functional.one_hot(other.long(), 2).float()[:, :, None]
        with torch.no_grad():
            k_r = torch.einsum("ibh,hnd->ibnd", r, module.r)
            _, weights = module.rel_attn_core(q, k, k, k_r, matrix, output_attentions=True)
        yield {
            "q": q.permute(1, 2, 0, 3).tolist(),
            "k": k.permute(1, 2, 0, 3).tolist(),
            "memory": memory,
            "other_segment": other.tolist(),
            "u": module.r_w_bias.tolist(),
            "v": module.r_r_bias.tolist(),
            "weight": module.r.flatten(1).T.tolist(),
            "segment_bias": module.r_s_bias.tolist(),
            "segment_embedding": module.seg_embed.tolist(),
            "values": weights.permute(2, 3, 0, 1).tolist(),
        }


def deberta_v1() -> Iterator[dict[str, Any]]:
    """Distances clipped at ±4; `values` are the weights."""
    for heads, terms in ((1, ["c2p", "p2c"]), (3, ["c2p", "p2c"]), (2, ["c2p"]), (2, ["p2c"])):
        config = DebertaConfig(
            hidden_size=4 * heads,
            num_attention_heads=heads,
            relative_attention=True,
            max_relative_positions=4,
            pos_att_type=terms,
        )
        module = v1.DisentangledSelfAttention(config).eval()
        for weight in module.parameters():
            torch.nn.init.normal_(weight)
        x, relative = torch.randn(1, 7, 4 * heads), torch.randn(8, 4 * heads)
        at = v1.build_relative_position(x, x)
        # the span is the text's length while it is shorter than max_relative_positions
        with torch.no_grad():
            _, weights = module(x, torch.ones(1, 1, 7, 7), True, None, at, relative)
            q, k, _ = module.transpose_for_scores(module.in_proj(x)).chunk(3, dim=-1)
            q = q + module.transpose_for_scores(module.q_bias[None, None])
            tables = [
                projection(relative).unflatten(-1, (heads, 4)).transpose(0, 1)
                if projection
                else torch.zeros(heads, 8, 4)
                for projection in (getattr(module, n, None) for n in ("pos_q_proj", "pos_proj"))
            ]
        yield {
            "terms": terms,
            "q": q.tolist(),
            "k": k.tolist(),
            "relative_q": tables[0].tolist(),
            "relative_k": tables[1].tolist(),
            "values": weights.tolist(),
        }


def deberta_v2() -> Iterator[dict[str, Any]]:
    """Distances in log buckets; `values` are the weights."""
    for heads, buckets, longest in ((1, 4, 16), (3, 8, 32)):
        config = DebertaV2Config(
            hidden_size=4 * heads,
            num_attention_heads=heads,
            relative_attention=True,
            position_buckets=buckets,
            max_relative_positions=longest,
            pos_att_type=["c2p", "p2c"],
        )
        module = v2.DisentangledSelfAttention(config).eval()
        for weight in module.parameters():
            torch.nn.init.normal_(weight)
        x, relative = torch.randn(1, 20, 4 * heads), torch.randn(2 * buckets, 4 * heads)
        at = v2.build_relative_position(x, x, bucket_size=buckets, max_position=longest)

        def split(projected: torch.Tensor, heads: int = heads) -> list[Any]:
            return projected.unflatten(-1, (heads, 4)).movedim(-2, -3).tolist()

        with torch.no_grad():
            _, weights = module(x, torch.ones(1, 1, 20, 20), True, None, at, relative)
            yield {
                "max_distance": longest,
                "q": split(module.query_proj(x)),
                "k": split(module.key_proj(x)),
                "relative_q": split(module.pos_query_proj(relative)),
                "relative_k": split(module.pos_key_proj(relative)),
                "values": weights.tolist(),
            }


def deberta_bucket() -> Iterator[dict[str, Any]]:
    """The bucket of each distance; far ones too."""
    distance = [*range(-600, 601, 3), *range(-20, 21), -131072, 131072]
    for buckets, longest in ((256, 512), (32, 128), (8, 64)):
        found = v2.make_log_bucket_position(torch.tensor(distance), buckets, longest)
        yield {
            "distance": distance,
            "buckets": buckets,
            "max_distance": longest,
            "values": found.long().tolist(),
        }


def cope_x_transformers() -> Iterator[dict[str, Any]]:
    """The term alone, not divided; scores of keys ahead are closed before the sigmoid."""
    for heads, length, rows in ((1, 4, 3), (3, 6, 16)):
        module = CoPE(4, heads, rows)
        torch.nn.init.normal_(module.pos_emb)
        q, scores = torch.randn(1, heads, length, 4), torch.randn(1, heads, length, length)
        ahead = torch.ones(length, length).triu(1).bool()
        with torch.no_grad():
            values = module(q, scores.masked_fill(ahead, -torch.finfo(torch.float32).max))
        yield {
            "q": q.tolist(),
            "scores": scores.tolist(),
            "table": module.pos_emb.tolist(),
            "values": values.tolist(),
        }


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "Wav2Vec2BertSelfAttention(config).eval()(x, output_attentions=True)[1]",
        shaw_wav2vec2_bert,
    ),
    (
        "transformers",
        "XLNetRelativeAttention(config).eval().rel_attn_core(q, k, k, k_r, seg_mat, "
        "output_attentions=True)[1]",
        xlnet,
    ),
    (
        "transformers",
        "deberta: DisentangledSelfAttention(config).eval()(x, mask, True, None, "
        "build_relative_position(x, x), rel_embeddings)[1]",
        deberta_v1,
    ),
    (
        "transformers",
        "deberta_v2: DisentangledSelfAttention(config).eval()(x, mask, True, None, "
        "build_relative_position(x, x, bucket_size, max_position), rel_embeddings)[1]",
        deberta_v2,
    ),
    (
        "transformers",
        "make_log_bucket_position(distance, buckets, max_distance)",
        deberta_bucket,
    ),
    ("x-transformers", "CoPE(4, heads, rows)(q, scores with -max ahead)", cope_x_transformers),
]
