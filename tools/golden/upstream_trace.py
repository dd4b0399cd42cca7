"""Which layers of a model rotate, which pairs of channels, and which mask each attends with.

The model runs once on the device "meta", where nothing is computed; its rotation, mask and
attention functions are replaced by ones that record their callers.
"""

from __future__ import annotations

import copy
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AttentionInterface, PreTrainedConfig, PreTrainedModel

from tools.golden.upstream_model import inputs, modeling_modules
from tools.golden.upstream_pairs import ROTATION, pairs_of

MASK = re.compile(r"^create_(bidirectional_|)(sliding_window_|chunked_|)(causal_|)mask$")
FEED_FORWARD = re.compile(r"\.(mlp|feed_forward|block_sparse_moe|moe|ffn)$")


class Trace:
    """What happened in one pass: which modules rotated, and which mask each attended with."""

    def __init__(self, model: PreTrainedModel) -> None:
        """Start with nothing recorded."""
        self.names = {id(module): name for name, module in model.named_modules()}
        self.rotations: dict[str, dict[str, Any]] = {}  # module → pairs
        self.masks: dict[str, tuple[str, Any]] = {}  # module → kind, width

    def caller(self) -> str:
        """Return the name of the innermost module that is at work."""
        frame = sys._getframe(2)
        while frame is not None:
            if id(frame.f_locals.get("self")) in self.names:
                return self.names[id(frame.f_locals["self"])]
            frame = frame.f_back
        return ""


def traced_attention(trace: Trace) -> Callable:
    """Return an attention that computes nothing and records its mask."""

    def attention(
        module: nn.Module, query: Tensor, key: Tensor, value: Tensor, *masks: Any, **keywords: Any
    ) -> tuple[Tensor, None]:
        mask = masks[0] if masks else keywords.get("attention_mask")
        trace.masks[trace.names.get(id(module), "")] = getattr(mask, "kind", ("", None))
        return query.new_empty(*query.transpose(1, 2).shape[:-1], value.shape[-1]), None

    return attention


def traced_mask(name: str) -> Callable:
    """Return a function that makes masks labelled with their kind and width."""
    _, width, _ = MASK.match(name).groups()

    def make(config: PreTrainedConfig, *args: Any, **kwargs: Any) -> Tensor:
        hidden = next(a for a in (*args, *kwargs.values()) if isinstance(a, Tensor))
        mask = torch.empty(1, 1, hidden.shape[1], hidden.shape[1], device="meta")
        field = {"sliding_window_": "sliding_window", "chunked_": "attention_chunk_size"}.get(width)
        mask.kind = (
            name.removeprefix("create_").removesuffix("_mask"),
            getattr(config, field or "", None),
        )
        return mask

    return make


@contextmanager
def watched(modules: list[ModuleType], trace: Trace) -> Iterator[None]:
    """Replace the functions of these modules while the block runs."""
    before = [(module, dict(vars(module))) for module in modules]

    def rotation(function: Callable) -> Callable:
        pairs: dict[Any, dict[str, Any]] = {}  # by the shapes of the arguments

        def rotate(*args: Any, **kwargs: Any) -> Any:
            shapes = tuple(a.shape for a in (*args, *kwargs.values()) if isinstance(a, Tensor))
            if shapes not in pairs:
                with torch.device("cpu"):
                    pairs[shapes] = pairs_of(function, args, kwargs)
            trace.rotations.setdefault(trace.caller(), pairs[shapes])
            return function(*args, **kwargs)

        return rotate

    for module, names in before:
        for name, thing in names.items():
            if inspect.isfunction(thing) and ROTATION.match(name):
                setattr(module, name, rotation(thing))
            elif inspect.isfunction(thing) and MASK.match(name):
                setattr(module, name, traced_mask(name))
    try:
        yield
    finally:
        for module, names in before:
            vars(module).update(names)


def trace(cls: type[PreTrainedModel], config: PreTrainedConfig) -> Trace:
    """Return what one pass over a few tokens, or one picture, does."""
    feed_forwards = (lambda x, *_, **__: x), (lambda x, *_, **__: (x, None)), None
    for feed_forward in feed_forwards[:-1]:
        try:
            return _trace(cls, copy.deepcopy(config), feed_forward)
        except Exception:  # upstream's code may raise anything on unexpected outputs
            continue
    return _trace(cls, config, None)


def _trace(
    cls: type[PreTrainedModel], config: PreTrainedConfig, feed_forward: Callable | None
) -> Trace:
    """Return the trace; feed_forward: stands in for experts, whose choice would need numbers."""
    post_init = PreTrainedModel.post_init
    PreTrainedModel.post_init = lambda self: None
    try:
        with torch.device("meta"):
            model = cls(config).eval()
            result = Trace(model)
            AttentionInterface.register("traced", traced_attention(result))
            for name, part in model.named_modules():
                if isinstance(getattr(part, "config", None), PreTrainedConfig):
                    part.config._attn_implementation_internal = "traced"
                if feed_forward and FEED_FORWARD.search(name):
                    part.forward = feed_forward
            with watched(modeling_modules(type(config)), result), torch.no_grad():
                model(**inputs(model, config))
    finally:
        PreTrainedModel.post_init = post_init
    return result
