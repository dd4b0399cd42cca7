"""Writes the laboratory's results, with all that they depend on, whole or not at all."""

from __future__ import annotations

import importlib.metadata
import json
import platform
from pathlib import Path
from typing import Any

import torch

from bilingual.files import write_whole
from experiments.extrapolation_compare import LEVEL, comparisons
from experiments.extrapolation_data import Corpus
from experiments.extrapolation_settings import COMPARED, Settings


def results(
    settings: Settings,
    text: Corpus,
    tried: list[dict[str, Any]],
    measured: list[dict[str, Any]],
) -> dict[str, Any]:
    """Return all that is stored; tried, measured: from the laboratory's methods."""
    rows = [row for result in measured for row in result["rows"]]
    seeds = sorted({row["seed"] for row in rows})
    lengths = [settings.lengths[1], settings.lengths[-1]]
    return {
        "settings": settings.described,
        "seeds": seeds,
        "text": {
            "name": "tinyshakespeare",
            "sha256": text.sha256,
            "vocabulary": text.vocabulary,
            **{part: len(getattr(text, part)) for part in ("train", "validation", "test")},
        },
        "machine": {
            "device": "cpu",
            "threads": torch.get_num_threads(),
            "python": platform.python_version(),
            "torch": importlib.metadata.version("torch"),
        },
        "level": LEVEL,
        "tried": tried,
        "training": [result["run"] for result in measured],
        "comparisons": comparisons(rows, COMPARED, lengths) if len(seeds) > 1 else [],
        "rows": [{name: row[name] for name in row if name != "blocks"} for row in rows],
    }


def store(path: Path, stored: dict[str, Any]) -> None:
    """Write the results, each entry of a list on a line, so that diffs stay small."""
    parts = []
    for name, value in stored.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            entries = ",\n  ".join(json.dumps(entry) for entry in value)
            parts.append(f" {json.dumps(name)}: [\n  {entries}\n ]")
        else:
            parts.append(f" {json.dumps(name)}: {json.dumps(value)}")
    write_whole(path, ("{\n" + ",\n".join(parts) + "\n}\n").encode())
