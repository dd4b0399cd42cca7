"""Writes what the laboratory found, with all that the numbers depend on, whole or not at all."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import shlex
import sys
from pathlib import Path
from typing import Any

import torch

from experiments.extrapolation_data import HELD_OUT, Corpus
from experiments.extrapolation_settings import Settings


def store(
    path: Path,
    settings: Settings,
    text: Corpus,
    where: torch.device,
    measured: list[dict[str, Any]],
) -> None:
    """Write the results to `path` by renaming."""
    results = {
        "command": shlex.join(["python", "experiments/extrapolation.py", *sys.argv[1:]]),
        "settings": settings.described,
        "seeds": sorted({one["seed"] for one in measured}),
        "text": _text(text),
        "machine": _machine(where),
        "training": [
            {name: one[name] for name in ("method", "seed", "history")} for one in measured
        ],
        "rows": [row for one in measured for row in one["rows"]],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(_lines(results), encoding="utf-8")
    unfinished.replace(path)


def _lines(results: dict[str, Any]) -> str:
    """Return JSON with one entry of a list a line: a change of one number is one line."""
    parts = []
    for name, value in results.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            entries = ",\n  ".join(json.dumps(entry) for entry in value)
            parts.append(f" {json.dumps(name)}: [\n  {entries}\n ]")
        else:
            parts.append(f" {json.dumps(name)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _text(text: Corpus) -> dict[str, Any]:
    return {
        "name": text.name,
        "sha256": text.sha256,
        "bytes": len(text.train) + len(text.held_out),
        "held_out": f"the last 1/{HELD_OUT}",
        "vocabulary": text.vocabulary,
    }


def _machine(where: torch.device) -> dict[str, Any]:
    facts = {
        "device": where.type,
        "threads": torch.get_num_threads(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "torch": importlib.metadata.version("torch"),
    }
    if where.type != "cpu":
        facts["accelerator"] = torch.get_device_module(where).get_device_name(where)
    return facts
