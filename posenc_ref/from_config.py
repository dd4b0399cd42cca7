"""Which positional encoding each layer of a model has, read from its config.json.

Hugging Face transformers writes one for every checkpoint. Its fields are read as the library reads
them: today's `rope_parameters`, and `rope_theta` beside `rope_scaling` before. What no field says
(which two channels are a pair, which table a model adds) is in a table by model_type,
`posenc_ref/config/families.py`. A model_type that is not there gets no guess: `unsaid` names what
is missing. tests/golden/architectures.json holds what the library computes for each of its
architectures; the results here are tested against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import Any

from posenc_ref.config.families import ALIBI, ROTARY, T5, WITHOUT_POSITIONS
from posenc_ref.config.fields import Fields, load
from posenc_ref.config.result import ConfigEncodings
from posenc_ref.config.rotary_fields import rotary_reader
from posenc_ref.config.stacks import stacks_of
from posenc_ref.config.table_families import LEARNED, PATCHES, SINUSOIDAL
from posenc_ref.config.tables import tables_of

PARTS = (
    "text_config",
    "vision_config",
    "audio_config",
    "encoder",
    "decoder",
)  # without a type, too
OWN = ("attn_config", "ffn_config")  # of MPT and DBRX: fields of the model itself
BIASES = ("alibi", "t5")
KNOWN = {*ALIBI, *LEARNED, *PATCHES, *ROTARY, *SINUSOIDAL, *T5, *WITHOUT_POSITIONS}


def from_config(config: Mapping[str, Any] | str | PathLike[str]) -> ConfigEncodings:
    """Return the encoding of each layer of the model that a config.json describes.

        layers[i].rotary.frequencies() -> (ω (D/2,), attention factor);   .bias.slopes() -> (H,)

    config: a dict, or the path of the file. Configs inside (text_config, vision_config, …) are
    read too, into `parts`. `remarks` name fields that are unknown or contradict others.

    Source: `RotaryEmbeddingConfigMixin` of modeling_rope_utils.py in Hugging Face transformers.
    Raises:
        ConfigError: a field has a value that it cannot have, is missing where the others need it,
            or contradicts another; a ValueError.
        OSError: the file cannot be read.
    Example:
        >>> from posenc_ref import from_config
        >>> config = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 8}
        >>> config |= {"num_hidden_layers": 2, "rope_theta": 1e4, "max_position_embeddings": 2048}
        >>> layer = from_config(config).layers[0]
        >>> layer.kind, layer.rotary.layout, layer.rotary.frequencies()[0].tolist()
        ('rope', 'half', [1.0, 0.1, 0.01, 0.001])
    """
    fields = Fields(load(config))
    model_type = fields.config.get("model_type")
    inside = {
        name: from_config(value)
        for name, value in fields.config.items()
        if isinstance(value, Mapping)
        and (name in PARTS or "model_type" in value)
        and name not in OWN
    }
    if inside and not fields.name_and_value("layers")[1]:
        return ConfigEncodings(model_type, parts=inside)
    stacks, tables = stacks_of(fields, rotary_reader(fields)), tables_of(fields)
    fields.remark_unread(*(table.field for table in tables))
    if model_type not in KNOWN:
        fields.remark("unknown_model_type", value=model_type)
        encoded = any(layer.kind in ("rope", *BIASES) for s in stacks.values() for layer in s)
        if not tables and not encoded:
            fields.unsay("kind")
            stacks = {
                name: tuple(replace(layer, is_known=False) for layer in stack)
                for name, stack in stacks.items()
            }
    return ConfigEncodings(
        model_type,
        stacks,
        tables,
        fields.integer("max_length"),
        tuple(fields.remarks),
        tuple(fields.unsaid),
        inside,
    )
