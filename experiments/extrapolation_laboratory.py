"""The laboratory: trains one model at a time, or resumes it, and measures it at every length."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from operator import itemgetter
from pathlib import Path
from typing import Any

from torch import Tensor

from bilingual.files import write_whole
from experiments.extrapolation_compare import standard_error
from experiments.extrapolation_data import Corpus, windows
from experiments.extrapolation_measure import (
    Excess,
    by_context,
    byte_losses,
    excess,
    fresh_losses,
)
from experiments.extrapolation_models import scalings, untrained, with_frequencies
from experiments.extrapolation_settings import TUNED, Job, Settings, candidates
from experiments.extrapolation_train import History, Plan, train
from posenc_ref import TinyLM

DIGITS = 4


class Laboratory:
    """Trains, or resumes, one model at a time and measures it."""

    def __init__(
        self, settings: Settings, text: Corpus, work: Path, report: Callable[[str], None]
    ) -> None:
        """Keep the arguments; work: the folder of checkpoints, report: called with progress."""
        self.settings, self.text, self.work, self.report = settings, text, work, report
        longest = settings.lengths[-1]
        self.test = text.test[: settings.blocks * longest + 1]
        self.validation = text.validation[: settings.blocks * longest + 1]

    def tried(self, method: str) -> list[dict[str, Any]]:
        """Return the candidates of this method, each with its loss on the validation text."""
        return [
            {**asdict(job), "validation": self._once(job, "tried", self._validated)["validation"]}
            for job in candidates(self.settings, method)
        ]

    def best(self, method: str, seed: int) -> Job:
        """Return the candidate with the lowest validation loss, for this seed."""
        first = min(self.tried(method), key=itemgetter("validation"))
        return Job(method, seed, first["rate"], first["factor"])

    def measured(self, method: str, seed: int) -> dict[str, Any]:
        """Return rows and history of this method: one of METHODS, or of TUNED."""
        return self._once(self.best(method, seed), "measured", self._measured)

    def _once(self, job: Job, what: str, work: Callable[[Job], dict[str, Any]]) -> dict[str, Any]:
        """Return the result of `work` for this job, read from its file if it was done before."""
        path = self.work / f"{job.name}.{what}.json"
        if path.exists():
            return json.loads(path.read_text(encoding="utf-8"))
        self.report(f"{what}: {job.method}, seed {job.seed}, rate {job.rate:g} × {job.factor:g}")
        record = work(job)
        write_whole(path, json.dumps(record).encode())
        return record

    def _validated(self, job: Job) -> dict[str, Any]:
        model, _ = self._trained(job)
        length = self._trained_at(job.method)
        late = byte_losses(model, windows(self.validation, length, length))[:, length // 2 :]
        return {"validation": round(late.mean().item(), DIGITS)}

    def _trained_at(self, method: str) -> int:
        return self.settings.length * TUNED.get(method, ("", 1))[1]

    def _trained(self, job: Job) -> tuple[TinyLM, History]:
        s, length = self.settings, self._trained_at(job.method)
        if job.method in TUNED:
            model, _ = self._trained(self.best("rope", job.seed))
            scaled = scalings(s, length).get(TUNED[job.method][0])
            if scaled:
                with_frequencies(model, scaled)
        else:
            model = untrained(s, self.text.vocabulary, job.method, job.seed)
        steps = s.tuning_steps if job.method in TUNED else s.steps
        rows = max(1, s.rows * s.length // length)
        evaluations = s.evaluations if job.seed == 0 else 1  # they take a tenth of the time
        interval = max(1, steps // evaluations)
        plan = Plan(steps, length, rows, job.rate, job.factor, job.seed, interval)
        checkpoint = self.work / f"{job.name}.pt"
        return model, train(model, self.text.train, plan, checkpoint, self._watch)

    def _watch(self, model: TinyLM) -> list[float]:
        """Return the loss of the same bytes in fresh and in the longest windows (validation)."""
        longest = self.settings.lengths[-1]
        text = self.validation[: self.settings.watched * longest + 1]
        fresh = fresh_losses(model, text, self.settings.length)
        seen = excess(model, text, fresh, self.settings.length, longest, self.settings.watched)
        return [round(seen.fresh, DIGITS), round(seen.loss, DIGITS)]

    def _measured(self, job: Job) -> dict[str, Any]:
        model, history = self._trained(job)
        before = self._trained(self.best("rope", job.seed))[0] if job.method in TUNED else model
        fresh = fresh_losses(before, self.test, self.settings.length)  # before tuning
        rows = [
            self._row(job.method, job.seed, length, self._excess(model, fresh, length))
            for length in self.settings.lengths
        ]
        if job.method == "rope":
            rows += self._scaled(model, fresh, job.seed)
        run = {**asdict(job), "history": history, "by_context": _rounded(by_context(fresh))}
        if job.method == "kerple":
            bias = model.encoding.bias
            run |= {name: _rounded(getattr(bias, name).tolist()) for name in ("r1", "r2")}
        return {"run": run, "rows": rows}

    def _excess(self, model: TinyLM, fresh: Tensor, length: int) -> Excess:
        return excess(model, self.test, fresh, self.settings.length, length, self.settings.blocks)

    def _row(self, method: str, seed: int, length: int, measured: Excess) -> dict[str, Any]:
        return {
            "method": method,
            "seed": seed,
            "length": length,
            "loss": round(measured.loss, DIGITS),
            "fresh": round(measured.fresh, DIGITS),
            "excess": round(measured.mean, DIGITS),
            "text_error": round(standard_error(measured.blocks.tolist()), DIGITS),
            "by_position": _rounded(measured.by_position),
            "blocks": measured.blocks.tolist(),
        }

    def _scaled(self, model: TinyLM, fresh: Tensor, seed: int) -> list[dict[str, Any]]:
        """Measure the trained RoPE with other frequencies, chosen for each length."""
        rows = []
        for length in self.settings.lengths[1:]:
            for name, scaled in scalings(self.settings, length).items():
                with_frequencies(model, scaled)
                row = self._excess(model, fresh, length)
                rows.append(self._row(f"rope+{name}", seed, length, row))
        return rows


def _rounded(numbers: list[float]) -> list[float]:
    return [round(number, DIGITS) for number in numbers]
