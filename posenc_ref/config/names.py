"""The present and former names of a config's fields."""

from __future__ import annotations

import re

# the same quantity under its names, today's first
NAMES = {
    "hidden_size": "hidden_size n_embd n_embed d_model embed_dim emb_dim dim",
    "heads": "num_attention_heads n_head num_heads n_heads attention_heads "
    "encoder_attention_heads decoder_attention_heads "
    "encoder_num_attention_heads decoder_num_attention_heads",
    "layers": "num_hidden_layers n_layer n_layers num_layers depth",
    "encoder_layers": "encoder_layers encoder_num_hidden_layers",
    "decoder_layers": "decoder_layers decoder_num_hidden_layers",
    "kv_heads": "num_key_value_heads num_kv_heads",
    "head_dim": "head_dim kv_channels",
    "max_length": "max_position_embeddings n_positions max_sequence_length max_seq_len seq_length "
    "model_max_length n_ctx",
    "base": "rope_theta rotary_emb_base rotary_embedding_base rope_base global_rope_theta",
    "local_base": "rope_local_base_freq local_rope_theta",
    "share": "partial_rotary_factor rotary_pct rotary_percent rope_pct",
    "window": "sliding_window sliding_window_size attention_window_size local_attention",
    "chunk": "attention_chunk_size",
    "pattern": "sliding_window_pattern _sliding_window_pattern global_attn_every_n_layers",
}


OF_POSITIONS = re.compile(
    "rope|rotary|alibi|relative|position|sliding|window|theta|nope|attention_chunk|layer_types$"
)
READ = {
    *" ".join(NAMES.values()).split(),
    *("rope_parameters", "rope_scaling", "original_max_position_embeddings", "layer_rope_theta"),
    *("no_rope_layers", "no_rope_layer_interval", "layer_types", "layers_block_type", "alibi"),
    *("use_sliding_window", "max_window_layers", "rotary_dim", "qk_rope_head_dim", "block_types"),
    *("qk_nope_head_dim", "rope_interleave", "position_embedding_type", "position_embeddings_type"),
    *("relative_attention_num_buckets", "relative_attention_max_distance", "mlp_layer_types"),
}
