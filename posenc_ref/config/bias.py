"""Biases on the scores as a config describes them: ALiBi's slopes, T5's buckets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch import Tensor

from posenc_ref.alibi import alibi_slopes
from posenc_ref.config.families import ALIBI, T5, T5_OWN_TABLE
from posenc_ref.config.fields import Fields, integer
from posenc_ref.t5 import t5_bucket


@dataclass(frozen=True)
class Bias:
    """ALiBi for `heads` heads, or T5's learned number for each bucket and head.

    own_table: whether each layer has a table of its own (UMT5), or all share that of the first.
    """

    kind: str
    heads: int
    bidirectional: bool = False
    buckets: int | None = None
    max_distance: int | None = None
    own_table: bool = False

    def slopes(self) -> Tensor:
        """Return ALiBi's slopes, (heads,)."""
        return alibi_slopes(self.heads)

    def bucket(self, relative: Tensor) -> Tensor:
        """Return T5's bucket of each relative position (key - query)."""
        return t5_bucket(
            relative,
            bidirectional=self.bidirectional,
            buckets=self.buckets,
            max_distance=self.max_distance,
        )


def bias_of(fields: Fields, *, bidirectional: bool) -> Bias | None:
    """Return the bias of the scores that a config describes, or None."""
    config: Any = fields.config
    model_type = config.get("model_type")
    inside = config.get("attn_config")
    switch = config.get("alibi", inside.get("alibi") if isinstance(inside, dict) else None)
    heads = fields.integer("heads")
    if switch is True or (switch is None and model_type in ALIBI):
        if heads is None:
            fields.unsay("num_attention_heads")
            return None
        return Bias("alibi", heads)
    buckets = config.get("relative_attention_num_buckets")
    if buckets is None or model_type not in T5 or heads is None:
        return None
    longest = config.get("relative_attention_max_distance")
    if longest is None:
        fields.unsay("relative_attention_max_distance")
    return Bias(
        "t5",
        heads,
        bidirectional,
        integer("relative_attention_num_buckets", buckets),
        None if longest is None else integer("relative_attention_max_distance", longest),
        model_type in T5_OWN_TABLE,
    )
