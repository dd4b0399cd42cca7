"""One config explained: a table of layers, what follows from it, what to set for longer texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bilingual import Text, listed
from posenc_ref.command import words
from posenc_ref.command.facts import cache_bytes
from posenc_ref.command.layer_table import layer_table
from posenc_ref.command.reasons import REASONS
from posenc_ref.command.stretch import Stretch, after, far_reaching, stretched
from posenc_ref.command.waves import waves
from posenc_ref.config.result import ConfigEncodings, Layer
from posenc_ref.config.rotary import Rotary


def explain(config: Mapping[str, Any], encodings: ConfigEncodings, times: float) -> Iterator[Text]:
    """Yield the paragraphs, first of the config itself, then of each config inside it."""
    if encodings.layers or encodings.tables or not encodings.parts:
        yield from _one(config, encodings, times)
    for remark in encodings.remarks:
        en, zh = remark.in_both()
        yield Text(en=f"! {en}", zh=f"! {zh}")
    if encodings.unsaid:
        yield words.UNSAID.format(names=listed(encodings.unsaid))
    for name, part in encodings.parts.items():
        title = f"── {name}: {part.model_type or '—'} ──"
        yield Text(en=title, zh=title)
        yield from explain(config[name], part, times)


def _one(config: Mapping[str, Any], encodings: ConfigEncodings, times: float) -> Iterator[Text]:
    if encodings.layers:
        yield Text(**{lang: layer_table(encodings, lang) for lang in ("en", "zh")})
    for table in encodings.tables:
        stack = f" ({table.stack})" if table.stack else ""
        text = words.TABLES[table.kind]
        yield text.format(stack=stack, rows=table.rows, field=table.field, offset=table.offset)
    yield from _biases(encodings)
    certain = all(layer.reach != "unsaid" for layer in encodings.layers)
    for rotary, window in _distinct(encodings):
        yield from waves(rotary, window, beyond=certain)
    if encodings.layers:
        yield from _further(config, encodings, times)


def _distinct(encodings: ConfigEncodings) -> list[tuple[Rotary, int | None]]:
    """Return each rotary encoding with the window of its layers, None if one sees all."""
    pairs = [(layer.rotary, layer) for layer in encodings.layers if layer.rotary is not None]
    rotaries = [
        rotary for i, (rotary, _) in enumerate(pairs) if rotary not in [r for r, _ in pairs[:i]]
    ]
    windows = [[_width(layer) for rotary, layer in pairs if rotary == one] for one in rotaries]
    return [(one, None if None in w else max(w)) for one, w in zip(rotaries, windows, strict=True)]


def _width(layer: Layer) -> int | None:
    return layer.window if layer.reach in ("sliding", "chunked") else None


def _biases(encodings: ConfigEncodings) -> Iterator[Text]:
    biases = [layer.bias for layer in encodings.layers if layer.bias is not None]
    for bias in [b for i, b in enumerate(biases) if b not in biases[:i]][:1]:
        if bias.kind == "alibi":
            slopes = sorted(bias.slopes().tolist())
            ends = {"first": f"{slopes[-1]:.4g}", "last": f"{slopes[0]:.4g}"}
            yield words.SLOPES.format(heads=bias.heads, **ends)
            if encodings.model_type == "falcon":
                yield words.DIVIDED
        else:
            tables = words.OWN_TABLE if bias.own_table else words.ONE_TABLE
            longest = bias.max_distance or "?"
            en, zh = (
                words.BUCKETS.format(
                    buckets=bias.buckets, longest=longest, tables=tables.in_language(lang)
                ).in_language(lang)
                for lang in ("en", "zh")
            )
            yield Text(en=en, zh=zh)


def _further(config: Mapping[str, Any], encodings: ConfigEncodings, times: float) -> Iterator[Text]:
    stretch = stretched(config, encodings, times)
    if stretch.reason:
        yield REASONS[stretch.reason]
        return
    length = list(stretch.fields.values())[-1]
    yield words.SET.format(times=f"{times:g}", length=length)
    pasted = json.dumps(stretch.fields, indent=2)
    yield Text(en=pasted, zh=pasted)
    yield from _costs(config, encodings, stretch, times)


def _costs(
    config: Mapping[str, Any], encodings: ConfigEncodings, stretch: Stretch, times: float
) -> Iterator[Text]:
    longer = after(config, stretch)
    before = far_reaching(encodings)[0]
    layers = zip(encodings.layers, longer.layers, strict=True)
    then = next(new.rotary for old, new in layers if old.rotary == before)
    (old, factor), (new, other) = before.frequencies(), then.frequencies()
    slower = (old / new).nan_to_num(1.0)
    yield words.COST.format(
        changed=int((slower > 1.001).sum()), pairs=len(old), slowest=f"{float(slower.max()):.3g}"
    )
    scores = f"{(other / factor) ** 2 * then.score_factor / before.score_factor:.4g}"
    if scores != "1":
        yield words.COST_SCORES.format(scores=scores)
    lengths = (round(longer.max_length / times), longer.max_length)
    sizes = [cache_bytes(config, encodings, length) for length in lengths]
    if None not in sizes:
        now, far = (f"{size / 2**30:.3g} GiB" for size in sizes)
        yield words.CACHE.format(now=now, then=far, square=f"{times**2:g}")
