"""The laboratory: trains one model at a time, or takes it up, and measures it at every length."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from experiments.extrapolation_data import Corpus, windows
from experiments.extrapolation_measure import byte_losses, excess, fresh_losses
from experiments.extrapolation_settings import FAST_TABLES, METHODS, TUNED, Settings
from experiments.extrapolation_train import Plan, train
from posenc_ref import TinyLM, ntk_aware, ntk_by_parts, position_interpolation, yarn
from posenc_ref.encoding_rotary import Scaled


class Laboratory:
    """Trains, or takes up, one model at a time and measures it."""

    def __init__(self, settings: Settings, text: Corpus, where: torch.device, work: Path) -> None:
        """Take the settings, the text, the device and the folder of the checkpoints."""
        self.settings, self.text, self.where, self.work = settings, text, where, work
        self.held_out = text.held_out[: settings.tested * settings.lengths[-1] + 1]
        work.mkdir(parents=True, exist_ok=True)

    def steps(self, method: str) -> int:
        """Return how many steps `measure` takes in all."""
        return self.settings.tuning_steps if method == TUNED else self.settings.steps

    def measure(self, method: str, seed: int, advance: Callable[[int], None]) -> dict[str, Any]:
        """Return rows and history of this method; what was measured before is read.

        A method is one of METHODS, or TUNED, which goes on from the trained "rope" of this seed.
        """
        finished = self.work / f"{method}-{seed}.json"
        if finished.exists():
            advance(self.steps(method))
            return json.loads(finished.read_text(encoding="utf-8"))
        work = self._tuned if method == TUNED else self._measured
        record = {"method": method, "seed": seed, **work(method, seed, advance)}
        unfinished = finished.with_suffix(".unfinished")
        unfinished.write_text(json.dumps(record), encoding="utf-8")
        unfinished.replace(finished)
        return record

    def _measured(self, method: str, seed: int, advance: Callable[[int], None]) -> dict[str, Any]:
        model, history = self._trained(method, seed, advance)
        fresh = fresh_losses(model, self.held_out, self.settings.length)
        rows = [{"method": method, "seed": seed, **row} for row in self._rows(model, fresh)]
        if method == "rope":
            rows += self._scaled(model, fresh, seed)
        return {"history": history, "rows": rows}

    def _trained(
        self, method: str, seed: int, advance: Callable[[int], None]
    ) -> tuple[TinyLM, list[list[float]]]:
        s = self.settings
        options = {"max_length": s.lengths[-1]} if method == "learned" else {}
        torch.manual_seed(seed)
        model = TinyLM(
            self.text.vocabulary, s.dim, s.heads, s.layers, METHODS[method], **options
        ).to(self.where)
        some = windows(self.held_out, s.length, s.length)[:64]
        plan = Plan(s.steps, s.length, s.rows, s.rate, seed, max(1, s.steps // s.evaluations))
        history = train(
            model, self.text.train, plan, self.work / f"{method}-{seed}.pt",
            lambda model: round(byte_losses(model, some)[:, s.length // 2 :].mean().item(), 4),
            advance, faster=method in FAST_TABLES,
        )  # fmt: skip
        return model, history

    def _rows(self, model: TinyLM, fresh: torch.Tensor) -> list[dict[str, Any]]:
        return [self._row(model, fresh, length) for length in self.settings.lengths]

    def _row(self, model: TinyLM, fresh: torch.Tensor, length: int) -> dict[str, Any]:
        return excess(model, self.held_out, fresh, self.settings.length, length)

    def _scaled(self, model: TinyLM, fresh: torch.Tensor, seed: int) -> list[dict[str, Any]]:
        """Measure the trained RoPE with other frequencies, chosen for each length."""
        rows = []
        for length in self.settings.lengths[1:]:
            for name, scaled in scalings(self.settings, length).items():
                with_frequencies(model, scaled)
                row = self._row(model, fresh, length)
                rows.append({"method": f"rope+{name}", "seed": seed, **row})
        return rows

    def _tuned(self, method: str, seed: int, advance: Callable[[int], None]) -> dict[str, Any]:
        """Interpolate to the longest length, train on there, measure at all lengths."""
        s, longest = self.settings, self.settings.lengths[-1]
        model, _ = self._trained("rope", seed, lambda steps: None)
        fresh = fresh_losses(model, self.held_out, s.length)
        with_frequencies(model, scalings(s, longest)["pi"])
        steps, rows = s.tuning_steps, max(1, s.rows * s.length // longest)
        plan = Plan(steps, longest, rows, s.tuning_rate, seed, max(1, steps // 6))
        history = train(
            model, self.text.train, plan, self.work / f"{method}-{seed}.pt",
            lambda model: self._row(model, fresh, longest)["excess"], advance,
        )  # fmt: skip
        rows = [{"method": TUNED, "seed": seed, **row} for row in self._rows(model, fresh)]
        return {"history": history, "rows": rows}


def scalings(settings: Settings, length: int) -> dict[str, Scaled]:
    """Return frequencies and attention factor of each scaling, from trained length to `length`."""
    width, trained = settings.dim // settings.heads, settings.length
    s = length / trained
    return {
        "pi": position_interpolation(width, s),
        "ntk": ntk_aware(width, s),
        "parts": ntk_by_parts(width, s, trained, alpha=1.0, beta=4.0),
        "yarn": yarn(width, s, trained, ramp="paper"),
    }


def with_frequencies(model: TinyLM, scaled: Scaled) -> None:
    """Give a model with RoPE other frequencies; its weights stay."""
    model.encoding.frequencies, model.encoding.attention_factor = scaled
