"""Which layer has which encoding: layer types, windows, layers that do not rotate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from posenc_ref.config.bias import bias_of
from posenc_ref.config.families import FULL_FIRST, FULL_STANDS_STILL, SKIPS, TWO_KINDS
from posenc_ref.config.fields import Fields, entries, integer
from posenc_ref.config.remarks import ConfigError
from posenc_ref.config.result import Layer, Reach
from posenc_ref.config.rotary import Rotary

NO_ATTENTION = {
    *("linear_attention", "mamba", "mamba2", "conv", "recurrent", "moe", "mlp"),
}
REACH: dict[str, Reach] = {
    "reference_sliding_attention": "sliding",
    "sliding_attention": "sliding",
    "hybrid_sliding": "sliding",
    "chunked_attention": "chunked",
}
WHOLE = {"full_attention", "attention", "hybrid", "global", "indexed_attention"}


RotaryOf = Callable[[str, int | None], Rotary | None]  # of a type of layers, of a size of heads


def stacks_of(fields: Fields, rotary: RotaryOf) -> dict[str, tuple[Layer, ...]]:
    """Return the layers of each stack."""
    encoder, decoder = (
        fields.name_and_value(f"{side}_layers")[1] for side in ("encoder", "decoder")
    )
    if fields.config.get("is_encoder_decoder") and fields.config.get("num_layers"):
        encoder = fields.config["num_layers"]  # T5's names
        decoder = fields.config.get("num_decoder_layers") or encoder
    if encoder is not None and decoder is not None:
        return {
            "encoder": _stack(fields, integer("encoder_layers", encoder), rotary, both=True),
            "decoder": _stack(fields, integer("decoder_layers", decoder), rotary),
        }
    count = fields.integer("layers") or encoder or decoder
    if count is None:
        fields.unsay("num_hidden_layers")
        return {}
    return {"": _stack(fields, count, rotary)}


def _stack(
    fields: Fields, count: int, rotary: RotaryOf, *, both: bool = False
) -> tuple[Layer, ...]:
    types = layer_types(fields, count)
    mixed = types is None and fields.config.get("model_type") in TWO_KINDS
    if mixed:
        fields.unsay("layer_types")
    bias = bias_of(fields, bidirectional=both)
    turns, bases = _turns(fields, count), fields.config.get("layer_rope_theta")
    still = fields.config.get("model_type") in FULL_STANDS_STILL
    layers = []
    for i in range(count):
        kind = types[i] if types else _kind(fields, i, mixed=mixed)
        if kind in NO_ATTENTION:
            layers.append(Layer(attends=False))
            continue
        if kind not in REACH and kind not in WHOLE:
            fields.remark("unknown_layer_type", value=kind)
        own = fields.own(i)
        mine = rotary(kind, own.get("head_dim"))
        if bases is not None and mine is not None:
            mine = replace(mine, base=float(bases[i])) if bases[i] else None
        if not turns[i] or (still and not mixed and kind not in REACH):
            mine = None
        reach: Reach = "unsaid" if mixed else REACH.get(kind, "all")
        width = own["sliding_window"] if "sliding_window" in own else _width(fields, reach, kind)
        if "sliding_window" in own and width is None:
            reach = "all"
        layers.append(Layer(mine, bias, reach, width))
    return tuple(layers)


def layer_types(fields: Fields, count: int) -> Sequence[str] | None:
    """Return the type of each layer, or None if the config has no list and no pattern of them.

    Raises:
        ConfigError: the list is not as long as there are layers.
    """
    for name in ("layer_types", "layers_block_type"):
        if (types := fields.config.get(name)) is not None:
            if any(str(kind) in (*REACH, *WHOLE, *NO_ATTENTION) for kind in entries(name, types)):
                require_count(name, types, count)
                return types
            for kind in types:  # of something else: a backbone's blocks
                fields.remark("unknown_layer_type", value=kind)
    if cycle := entries("block_types", fields.config.get("block_types") or ()):  # again and again
        return [{"attention": "sliding_attention"}.get(kind, kind) for kind in _cycle(cycle, count)]
    if period := fields.config.get("attn_layer_period"):  # Jamba's; the others are Mamba
        if (at := fields.config.get("attn_layer_offset")) is None:
            fields.unsay("attn_layer_offset")
        period = integer("attn_layer_period", period)
        return ["attention" if i % period == at else "mamba" for i in range(count)]
    name, every = fields.name_and_value("pattern")
    if every is None:
        return None
    every = integer(name, every)
    full = 0 if fields.config.get("model_type") in FULL_FIRST else every - 1
    return ["full_attention" if i % every == full else "sliding_attention" for i in range(count)]


def _kind(fields: Fields, i: int, *, mixed: bool) -> str:
    """Return the type of layer i if no list gives it: a window for all, or from a layer on."""
    width, use = fields.name_and_value("window")[1], fields.config.get("use_sliding_window")
    if use is None and width and "max_window_layers" in fields.config:
        fields.unsay("use_sliding_window")
        use = False
    if not width or mixed or (use is not None and not use):
        return "full_attention"
    first = fields.config.get("max_window_layers", 0) if use else 0
    return "sliding_attention" if i >= first else "full_attention"


def _turns(fields: Fields, count: int) -> Sequence[bool]:
    """Return for each layer whether the config lets it rotate: SmolLM3, Llama 4."""
    listed, every = (fields.config.get(f"no_rope_layer{end}") for end in ("s", "_interval"))
    if listed:
        require_count("no_rope_layers", listed, count)
        return [bool(turns) for turns in listed]  # 1 where a layer does rotate
    if every:
        return [bool((i + 1) % integer("no_rope_layer_interval", every)) for i in range(count)]
    if fields.config.get("model_type") in SKIPS:
        fields.unsay("no_rope_layers")
    return [True] * count


def _width(fields: Fields, reach: Reach, kind: str) -> int | None:
    if reach == "all":
        return None
    name, width = fields.name_and_value("chunk" if reach == "chunked" else "window")
    if width is None and reach == "unsaid":
        name, width = fields.name_and_value("chunk")
    if width is None and reach == "unsaid":
        fields.unsay("sliding_window")
        return None
    if width is None:
        fields.remark("no_window", kind=kind, field=name)
        fields.unsay(name)
        return None
    # ModernBERT's counts both sides, sliding_window one
    return integer(name, width) // 2 if name == "local_attention" else integer(name, width)


def _cycle(kinds: Sequence[str], count: int) -> list[str]:
    return [kinds[i % len(kinds)] for i in range(count)]


def require_count(name: str, values: object, count: int) -> None:
    """Raise ConfigError unless the values are a list of this length."""
    if len(values := entries(name, values)) != count:
        raise ConfigError("wrong_count", field=name, got=len(values), wanted=count)
