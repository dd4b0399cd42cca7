"""The reference: positional encodings as pure functions of positions. Imports torch, nothing else.

Shapes are those of `torch.nn.functional.scaled_dot_product_attention`: B batch, H heads,
L length (Lq of queries, Lk of keys), D head dimension. Positions are always an argument.
Relative position is key - query. Results follow the device of the inputs, and angles are computed
in float32 or better whatever the activations are. Nothing derived is cached. Conventions are named
in the call. Each file opens with the method, its paper, and which published convention it is.

| file | idea | names |
|---|---|---|
| device | where to compute | device, available_devices, angle_dtype |
| positions | where each token stands | positions, positions_from_mask, relative_positions |
| scalars, tensors | what an argument must be | (used by all) |
| attention | softmax(q kᵀ/√D + bias) v | attention, attention_weights, causal_mask, … |
| masks | windows with sinks, packed documents | window_mask, document_mask, … |
| attention_scale | scores that grow with the length | log_n_scale, llama4_scale |
| sinusoidal | absolute, Vaswani et al. 2017 | sinusoidal, frequencies |
| sinusoidal_axial | absolute, a row of sinusoids per axis: MAE | axial_sinusoidal |
| shift_matrix | the matrix from PE(p) to PE(p + k) | shift_matrix |
| learned | absolute, BERT, GPT-2, OPT | LearnedPositionalEmbedding |
| recurrent | absolute: a GRU reads first | RecurrentEmbedding |
| floater | absolute: a learned flow | floater, FloaterEmbedding |
| multiplicative, concatenated | x ⊙ p, [x; p] | multiplicative, concatenated |
| rope_angles | by how much each pair turns | rope_angles, rotations, Rotations |
| rope | rotary, Su et al. 2021 | rotate |
| rotation_matrix | R_p, to look at | rotation_matrix |
| rope_partial | only some channels turn | rotate_partial |
| rope_2d, rope_axial, mrope | beyond one dimension | rotate_2d, axial_angles, mrope_angles, … |
| rope_mixed | the same in any direction, per head | mixed_angles, mixed_waves |
| qk_norm | queries and keys of equal length, before the rotation | qk_norm |
| xpos | rotary: pairs shrink with distance | rotate_xpos |
| position_interpolation | rotary scaling: all angles / s | position_interpolation |
| ntk | rotary scaling: a larger base | ntk_aware, dynamic_ntk |
| ntk_by_parts | rotary scaling: slow pairs only | ntk_by_parts |
| yarn | the same, with a temperature | yarn, yarn_temperature |
| llama3 | the same, Llama 3.1's names | llama3 |
| longrope | rotary scaling: searched divisors | longrope |
| proportional | rotary: the slow pairs stand still | proportional |
| base_bound | rotary: how far a base carries | base_bound, length_bound |
| self_extend | rotary: far positions in groups | self_extend_scores, self_extend_relative |
| shaw | score: vectors for clipped distances | shaw_scores, shaw_values, ShawEmbedding |
| bert_relative | score: BERT's relative_key(_query) | bert_relative_scores |
| transformer_xl | score: four terms | transformer_xl_terms, FourTerms |
| transformer_xl_embedding | its weights | TransformerXLEmbedding |
| xlnet | score: four terms and segments | xlnet_scores |
| xlnet_embedding | its weights | XLNetEmbedding |
| rel_shift | scores by distance → by key | rel_shift, rel_shift_bidirectional |
| deberta, deberta_buckets | score: disentangled | deberta_scores, deberta_bucket, … |
| cope | score: positions counted by content | cope_scores, cope_positions, cope_term |
| t5 | bias: a number per bucket | T5Bias, t5_bucket |
| alibi | bias: a slope per head | alibi, alibi_slopes, alibi_falcon |
| kerple | bias: log and power kernels | kerple_log, kerple_power, KerpleBias |
| sandwich | bias: a sum of cosines | sandwich |
| fire | bias: a network reads the distance | FireBias, fire_input |
| forgetting | bias: gates set by content | forgetting_bias, ForgettingEncoding |
| kv_cache | decoding with positions | KVCache, append, attend, next_positions |
| grouped_query | fewer key heads | repeat_heads |
| latent_attention | one latent for all heads | latent_attention, … |
| rotated_cache, sinks | moved and dropped keys | shift_keys, evict, cache_positions, … |
| encoding, encoding_* | an encoding as five hooks | Encoding, encoding_by_name, … |
| from_config | the encodings that a config.json describes | from_config |
| tiny_lm, decoder_*, decoding_cache | a decoder with any of them | TinyLM, DecodingCache, … |
| generate | text, token by token | generate |
| ablation | a trained decoder without a part | without_head, without_pairs, with_encoding, … |

If a function and its file share a name, the name here is the function: `posenc_ref.sinusoidal` can
be called; `from posenc_ref.sinusoidal import …` reads the file.
"""

from posenc_ref.ablation import with_encoding, without_head, without_pairs, without_turning
from posenc_ref.alibi import alibi, alibi_falcon, alibi_slopes
from posenc_ref.attention import attention, attention_weights, causal_mask, permutation_matrix
from posenc_ref.attention_scale import llama4_scale, log_n_scale
from posenc_ref.base_bound import base_bound, length_bound
from posenc_ref.bert_relative import bert_relative_scores
from posenc_ref.concatenated import concatenated
from posenc_ref.cope import cope_positions, cope_scores, cope_term
from posenc_ref.deberta import DisentangledTerms, deberta_scores, deberta_terms
from posenc_ref.deberta_buckets import deberta_bucket
from posenc_ref.decoder_block import AttentionRecord
from posenc_ref.decoding_cache import DecodingCache
from posenc_ref.device import angle_dtype, available_devices, device
from posenc_ref.encoding import Encoding
from posenc_ref.encoding_grid import GridEncoding
from posenc_ref.encoding_input import (
    AddedEncoding,
    ConcatenatedEncoding,
    MultipliedEncoding,
    RecurrentEncoding,
)
from posenc_ref.encoding_layers import LayerEncodings
from posenc_ref.encoding_names import encoding_by_name
from posenc_ref.encoding_rotary import LengthRotaryEncoding, RotaryEncoding, XPosEncoding
from posenc_ref.encoding_scores import BiasEncoding, CopeEncoding, ScoreEncoding, ShawEncoding
from posenc_ref.fire import FireBias, fire_input
from posenc_ref.floater import FloaterEmbedding, floater
from posenc_ref.forgetting import ForgettingEncoding, forgetting_bias
from posenc_ref.from_config import from_config
from posenc_ref.generate import generate
from posenc_ref.grouped_query import repeat_heads
from posenc_ref.kerple import KerpleBias, kerple_log, kerple_power
from posenc_ref.kv_cache import KVCache, append, attend, next_positions
from posenc_ref.latent_attention import latent_attention, latent_attention_plain
from posenc_ref.learned import LearnedPositionalEmbedding
from posenc_ref.llama3 import llama3
from posenc_ref.longrope import longrope
from posenc_ref.masks import document_mask, positions_from_documents, window_mask
from posenc_ref.mrope import mrope_angles, mrope_positions
from posenc_ref.multiplicative import multiplicative
from posenc_ref.ntk import dynamic_ntk, ntk_aware
from posenc_ref.ntk_by_parts import ntk_by_parts
from posenc_ref.position_interpolation import position_interpolation
from posenc_ref.positions import positions, positions_from_mask, relative_positions
from posenc_ref.proportional import proportional
from posenc_ref.qk_norm import qk_norm
from posenc_ref.recurrent import RecurrentEmbedding
from posenc_ref.rel_shift import rel_shift, rel_shift_bidirectional
from posenc_ref.rope import rotate
from posenc_ref.rope_2d import rotate_2d
from posenc_ref.rope_angles import Rotations, rope_angles, rotations
from posenc_ref.rope_axial import axial_angles
from posenc_ref.rope_mixed import mixed_angles, mixed_waves
from posenc_ref.rope_partial import rotate_partial
from posenc_ref.rotated_cache import shift_keys
from posenc_ref.rotation_matrix import rotation_matrix
from posenc_ref.sandwich import sandwich
from posenc_ref.self_extend import self_extend_relative, self_extend_scores
from posenc_ref.shaw import ShawEmbedding, shaw_scores, shaw_values
from posenc_ref.shift_matrix import shift_matrix
from posenc_ref.sinks import cache_positions, evict, sink_indices
from posenc_ref.sinusoidal import frequencies, sinusoidal
from posenc_ref.sinusoidal_axial import axial_sinusoidal
from posenc_ref.t5 import T5Bias, t5_bucket
from posenc_ref.tiny_lm import TinyLM
from posenc_ref.transformer_xl import FourTerms, transformer_xl_terms
from posenc_ref.transformer_xl_embedding import TransformerXLEmbedding
from posenc_ref.xlnet import xlnet_scores
from posenc_ref.xlnet_embedding import XLNetEmbedding
from posenc_ref.xpos import rotate_xpos
from posenc_ref.yarn import yarn, yarn_temperature

__all__ = [
    "AddedEncoding",
    "AttentionRecord",
    "BiasEncoding",
    "ConcatenatedEncoding",
    "CopeEncoding",
    "DecodingCache",
    "DisentangledTerms",
    "Encoding",
    "FireBias",
    "FloaterEmbedding",
    "ForgettingEncoding",
    "FourTerms",
    "GridEncoding",
    "KVCache",
    "KerpleBias",
    "LayerEncodings",
    "LearnedPositionalEmbedding",
    "LengthRotaryEncoding",
    "MultipliedEncoding",
    "RecurrentEmbedding",
    "RecurrentEncoding",
    "RotaryEncoding",
    "Rotations",
    "ScoreEncoding",
    "ShawEmbedding",
    "ShawEncoding",
    "T5Bias",
    "TinyLM",
    "TransformerXLEmbedding",
    "XLNetEmbedding",
    "XPosEncoding",
    "alibi",
    "alibi_falcon",
    "alibi_slopes",
    "angle_dtype",
    "append",
    "attend",
    "attention",
    "attention_weights",
    "available_devices",
    "axial_angles",
    "axial_sinusoidal",
    "base_bound",
    "bert_relative_scores",
    "cache_positions",
    "causal_mask",
    "concatenated",
    "cope_positions",
    "cope_scores",
    "cope_term",
    "deberta_bucket",
    "deberta_scores",
    "deberta_terms",
    "device",
    "document_mask",
    "dynamic_ntk",
    "encoding_by_name",
    "evict",
    "fire_input",
    "floater",
    "forgetting_bias",
    "frequencies",
    "from_config",
    "generate",
    "kerple_log",
    "kerple_power",
    "latent_attention",
    "latent_attention_plain",
    "length_bound",
    "llama3",
    "llama4_scale",
    "log_n_scale",
    "longrope",
    "mixed_angles",
    "mixed_waves",
    "mrope_angles",
    "mrope_positions",
    "multiplicative",
    "next_positions",
    "ntk_aware",
    "ntk_by_parts",
    "permutation_matrix",
    "position_interpolation",
    "positions",
    "positions_from_documents",
    "positions_from_mask",
    "proportional",
    "qk_norm",
    "rel_shift",
    "rel_shift_bidirectional",
    "relative_positions",
    "repeat_heads",
    "rope_angles",
    "rotate",
    "rotate_2d",
    "rotate_partial",
    "rotate_xpos",
    "rotation_matrix",
    "rotations",
    "sandwich",
    "self_extend_relative",
    "self_extend_scores",
    "shaw_scores",
    "shaw_values",
    "shift_keys",
    "shift_matrix",
    "sink_indices",
    "sinusoidal",
    "t5_bucket",
    "transformer_xl_terms",
    "window_mask",
    "with_encoding",
    "without_head",
    "without_pairs",
    "without_turning",
    "xlnet_scores",
    "yarn",
    "yarn_temperature",
]
