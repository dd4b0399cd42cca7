"""What `from_config` returns: the encoding of each layer, the tables, and what is not said."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from posenc_ref.config.bias import Bias
from posenc_ref.config.remarks import Remark
from posenc_ref.config.rotary import Rotary
from posenc_ref.config.tables import Table

Reach = Literal["all", "sliding", "chunked", "unsaid"]


@dataclass(frozen=True)
class Layer:
    """One layer: what tells positions apart in its attention, and how far it sees.

    attends: False for a layer without attention (Mamba, a convolution, linear attention).
    is_known: False if neither the config nor our tables say what tells positions apart.
    reach and window: all tokens; the last `window`; those of the same chunk of `window`; "unsaid"
        if some layers have a window and the config does not say which. Without "all", a window of
        None has an unknown width.
    """

    rotary: Rotary | None = None
    bias: Bias | None = None
    reach: Reach = "all"
    window: int | None = None
    attends: bool = True
    is_known: bool = True

    @property
    def kind(self) -> str:
        """rope, alibi, t5, none (attention without positions), unsaid, or no attention."""
        if not self.attends:
            return "no attention"
        if self.rotary is not None:
            return "rope"
        if self.bias is not None:
            return self.bias.kind
        return "none" if self.is_known else "unsaid"


@dataclass(frozen=True)
class ConfigEncodings:
    """The positional encodings that a config.json describes.

    stacks: the layers, by stack: "" for a decoder or an encoder alone, else "encoder", "decoder".
    tables: what is added to the embeddings. parts: results for the configs inside, by field.
    unsaid: what the config leaves to the code or the weights, and our tables do not know either.
    """

    model_type: str | None
    stacks: dict[str, tuple[Layer, ...]] = field(default_factory=dict)
    tables: tuple[Table, ...] = ()
    max_length: int | None = None
    remarks: tuple[Remark, ...] = ()
    unsaid: tuple[str, ...] = ()
    parts: dict[str, ConfigEncodings] = field(default_factory=dict)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """All layers, stack after stack."""
        return tuple(layer for stack in self.stacks.values() for layer in stack)
