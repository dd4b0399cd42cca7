"""The layers of a config as a table, a row for each kind of layer."""

from __future__ import annotations

from collections.abc import Sequence

from posenc_ref.command import words
from posenc_ref.command.columns import columns
from posenc_ref.config.result import ConfigEncodings, Layer
from posenc_ref.config.rotary import Rotary


def layer_table(encodings: ConfigEncodings, language: str) -> str:
    """Return the layers as a table in one language: a row for each kind, with all its layers."""
    rows = [[text.in_language(language) for text in words.HEAD]]
    for stack, layers in encodings.stacks.items():
        kinds = [layer for i, layer in enumerate(layers) if layer not in layers[:i]]
        for kind in kinds:
            at = [i for i, layer in enumerate(layers) if layer == kind]
            cells = _cells(kind, language)
            if kind.kind == "none" and encodings.tables:
                cells[0] = words.ADDED.in_language(language)
            rows.append([f"{stack} {spans(at)}".strip(), *cells])
    return columns(rows)


def spans(numbers: Sequence[int]) -> str:
    """Return 0–4, 6–10, … 24–25 (22): runs of numbers, at most four, and how many in all."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    if len(parts) <= 4:
        return ", ".join(parts)
    return f"{', '.join(parts[:3])}, … {parts[-1]} ({len(numbers)})"


def _cells(layer: Layer, language: str) -> list[str]:
    widths = {tongue: layer.window or words.UNKNOWN.in_language(tongue) for tongue in ("en", "zh")}
    reach = words.REACHES[layer.reach].format(width=widths[language])
    kind = words.KINDS[layer.kind].in_language(language)
    sees = reach.in_language(language) if layer.attends else ""
    rotary = layer.rotary
    if rotary is None:
        return [kind, "", "", "", "", "", sees]
    unknown = words.UNKNOWN.in_language(language)
    base = unknown if rotary.base is None else grouped(rotary.base)
    channels = words.UNKNOWN
    if rotary.rotated is not None:
        channels = words.CHANNELS.format(rotated=rotary.rotated, head=rotary.head_dim)
    factor = f"{rotary.frequencies()[1]:.4g}" if rotary.is_whole else ""
    return [
        kind + (" 2-D" if rotary.axes == 2 else " 3-D" if rotary.sections else ""),
        rotary.layout or unknown,
        base,
        channels.in_language(language),
        _scaling(rotary),
        "" if factor == "1" else factor,
        sees,
    ]


def _scaling(rotary: Rotary) -> str:
    if rotary.scaling == "default":
        return ""
    factor = rotary.numbers.get("factor")
    return rotary.scaling if factor is None else f"{rotary.scaling} ×{factor:g}"


def grouped(number: float) -> str:
    """Return a number without decimals, its thousands separated."""
    return f"{number:,.0f}".replace(",", " ")
