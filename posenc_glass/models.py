"""A model under glass: untrained, or with the weights that are shipped with the course."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import torch
from safetensors.torch import load

from posenc_glass import tasks, text
from posenc_glass.encodings import DIM, ENCODINGS, HEADS, LAYERS
from posenc_ref import TinyLM

TASK_LENGTH, TEXT_LENGTH = 64, 128  # trained, in tokens
LONGEST = 8  # times the trained length: rows of a learned table
SUBJECTS = (*tasks.TASKS, "text")
WEIGHTS = resources.files("posenc_glass") / "weights"


def trained_length(subject: str) -> int:
    """Return the length of the rows in a subject's training."""
    _require(subject, "rope")
    return TEXT_LENGTH if subject == "text" else TASK_LENGTH


def untrained(subject: str, encoding: str, seed: int = 0) -> TinyLM:
    """Return a model before training; with one seed, all weights but the encoding's are the same.

    Raises:
        ValueError: the subject is not one of SUBJECTS, the encoding not one of ENCODINGS.
    """
    _require(subject, encoding)
    vocabulary = text.VOCABULARY if subject == "text" else tasks.vocabulary(subject)
    sizes = (vocabulary, DIM, HEADS, LAYERS)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        common = TinyLM(*sizes, "none").state_dict()
        model = TinyLM(*sizes, ENCODINGS[encoding](LONGEST * trained_length(subject)))
    model.load_state_dict(common, strict=False)  # the encoding's own weights stay
    return model


def subjects() -> list[str]:
    """Return the subjects whose trained models are shipped with the course, in all encodings."""
    return [name for name in SUBJECTS if all(f"{name}-{one}" in _recipes() for one in ENCODINGS)]


def glass(subject: str, encoding: str) -> TinyLM:
    """Return the trained model in float32, of one of `subjects()`.

    Raises:
        ValueError: as `untrained`; no trained model of this subject is shipped.
    Example:
        >>> glass("induction", "rope").blocks[1].q.weight.shape
        torch.Size([64, 64])
    """
    recipe(subject, encoding)
    model = untrained(subject, encoding)
    weights = load((WEIGHTS / f"{subject}-{encoding}.safetensors").read_bytes())
    weights["output.weight"] = weights["words.weight"]  # tied, and stored once
    model.load_state_dict({name: weight.float() for name, weight in weights.items()})
    return model.eval()


def recipe(subject: str, encoding: str) -> dict[str, Any]:
    """Return the recipe of a trained model, and its losses: an entry of recipes.json.

    Raises:
        ValueError: as `glass`.
    """
    _require(subject, encoding)
    name, recipes = f"{subject}-{encoding}", _recipes()
    if name not in recipes:
        raise ValueError(f"no weights of {name} are shipped, only of: {', '.join(recipes)}")
    return recipes[name]


def _recipes() -> dict[str, Any]:
    return json.loads((WEIGHTS / "recipes.json").read_text(encoding="utf-8"))


def _require(subject: str, encoding: str) -> None:
    if subject not in SUBJECTS:
        raise ValueError(f"subject must be one of {', '.join(SUBJECTS)}, got {subject!r}")
    if encoding not in ENCODINGS:
        raise ValueError(f"encoding must be one of {', '.join(ENCODINGS)}, got {encoding!r}")
