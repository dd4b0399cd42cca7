"""What the modules of a model hold for positions: frequencies, tables, buckets, slopes."""

from __future__ import annotations

import inspect
import re
from contextlib import suppress
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedConfig, PreTrainedModel

from tools.golden.upstream_model import POSITIONS, modeling_modules

FAR = [-200, -128, -100, -40, -17, -16, -15, -8, -3, -1, 0, 1, 3, 8, 15, 16, 40, 100, 200]
ROW = 3  # of a table; some have zeros in row 1
NUMBERS = 8  # kept of a long row


def module_values(model: PreTrainedModel, config: PreTrainedConfig) -> dict[str, Any]:
    """Return frequencies, tables, buckets and slopes, by the name of the module."""
    rotary, tables, buckets, other = {}, {}, {}, {}
    for name, module in model.named_modules():
        buffers = {**module._buffers, **module._parameters}
        for key, tensor in buffers.items():
            if tensor is None or "original_inv_freq" in key or key == "position_ids":
                continue
            if key.endswith("inv_freq"):
                kind = key.removesuffix("inv_freq").strip("_")
                rotary[f"{name}:{kind}".strip(":")] = _frequencies(module, kind, tensor)
            elif POSITIONS.search(f"{name.rpartition('.')[2]} {key}") or "pos" in key.split("_"):
                at = name if isinstance(module, nn.Embedding) else f"{name}.{key}".strip(".")
                (tables if _is_table(module, key, name) else other)[at] = _table(module, tensor)
            elif name.endswith(("wpe", "relative_attention_bias")):
                tables[name] = _table(module, tensor)
        if hasattr(module, "_relative_position_bucket"):
            buckets[name] = _buckets(module)
    once = {"rotary": _merged(rotary), "tables": _merged(tables), "other": _merged(other)}
    once |= {"buckets": _merged({n: b for n, b in buckets.items() if b})}
    once |= {"slopes": _slopes(config)}
    return {name: value for name, value in once.items() if value}


def own_rotary(config: PreTrainedConfig) -> dict[str, Any]:
    """Return the frequencies of a model's rotation outside its parts, {} if it has none."""
    name = type(config).__name__.removesuffix("Config") + "RotaryEmbedding"
    with suppress(AttributeError, ImportError):  # needs the config of a part, or a library
        for module in modeling_modules(type(config)):
            if cls := getattr(module, name, None):
                rotary = cls(config)
                return {"own_rotary": {name: _frequencies(rotary, "", rotary.inv_freq)}}
    return {}


def _is_table(module: nn.Module, key: str, name: str) -> bool:
    return "relative" not in f"{name}{key}" and "rel_pos" not in f"{name}{key}"


def _merged(by_module: dict[str, Any]) -> dict[str, Any]:
    """Return each value once, under its first module with the layers counted: `h.*.attn x12`."""
    groups: dict[str, list[Any]] = {}
    for name, value in by_module.items():
        groups.setdefault(f"{re.sub(r'[0-9]+', '*', name)} {value}", []).append((name, value))
    return {
        members[0][0] if len(members) == 1 else f"{members[0][0]} x{len(members)}": members[0][1]
        for members in groups.values()
    }


def _frequencies(module: nn.Module, kind: str, tensor: Tensor) -> dict[str, Any]:
    scaling = getattr(module, f"{kind}_attention_scaling".strip("_"), None)
    scaling = getattr(module, "attention_scaling", 1.0) if scaling is None else scaling
    return {**_row(tensor.flatten()), "attention_factor": float(scaling)}


def _row(numbers: Tensor) -> dict[str, Any]:
    """Return length, evenly spread numbers with both ends, and the sum."""
    if numbers.is_meta:
        return {"count": len(numbers)}
    at = torch.linspace(0, len(numbers) - 1, min(NUMBERS, len(numbers))).round().long()
    some = [float(f"{value:.7g}") for value in numbers.double()[at].tolist()]
    return {"count": len(numbers), "some": some, "sum": float(f"{numbers.double().sum():.7g}")}


def _table(module: nn.Module, tensor: Tensor) -> dict[str, Any]:
    """Return class, shape, offset; and one row of a table that is not learned."""
    table = {"class": type(module).__name__, "shape": list(tensor.shape)}
    offset = getattr(module, "offset", None)
    table |= {"offset": offset} if isinstance(offset, int) else {}
    padding = getattr(module, "padding_idx", None)  # RoBERTa counts from the row after it
    table |= {"padding": padding} if isinstance(padding, int) else {}
    if hasattr(module, "create_weight"):  # Marian's, which waits for the weights
        tensor = module.create_weight()
    fixed = not isinstance(tensor, nn.Parameter) or not tensor.requires_grad
    if fixed and not tensor.is_meta and tensor.dim() >= 2 and tensor.shape[-2] > ROW:
        table |= {f"row {ROW}": _row(tensor.reshape(-1, *tensor.shape[-2:])[0, ROW].float())}
    return table


def _buckets(module: nn.Module) -> dict[str, Any] | None:
    """Return the bucket of each distance; None if the module has no table of its own."""
    if not getattr(module, "has_relative_attention_bias", False):
        return None
    buckets = module.relative_attention_num_buckets
    longest = module.relative_attention_max_distance
    both, relative = not module.is_decoder, torch.tensor(FAR)
    if len(inspect.signature(module._relative_position_bucket).parameters) == 1:  # UMT5
        at = module._relative_position_bucket(relative)
    else:
        at = module._relative_position_bucket(relative, both, buckets, longest)
    shape = list(module.relative_attention_bias.weight.shape)
    return {"bidirectional": both, "shape": shape, "relative": FAR, "buckets": at.tolist()}


def _slopes(config: PreTrainedConfig) -> list[float] | None:
    """Return ALiBi's slope of each head, as the model's own function has it."""
    if not getattr(config, "alibi", config.model_type in ("bloom", "mpt")):
        return None
    for module in modeling_modules(type(config)):
        if make := getattr(module, "build_alibi_tensor", None):
            return make(torch.ones(1, 2), config.num_attention_heads, torch.float32)[
                :, 0, 1
            ].tolist()
        if make := getattr(module, "build_mpt_alibi_tensor", None):
            return (-make(config.n_heads, 2)[:, 0, 0]).tolist()
    return None
