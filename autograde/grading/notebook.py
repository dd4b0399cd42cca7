"""Grades a rebuilt notebook: runs its cells in a worker, scores its answers, writes the outputs."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace

from nbformat import NotebookNode, from_dict

from autograde.grading.demonstrations import Names, names_of_cells, not_needed
from autograde.grading.fork_servers import HIDDEN_FROM_ANSWERS, fork_server
from autograde.grading.options import GradingOptions
from autograde.grading.output_budget import OutputBudget
from autograde.grading.pictures import Pictures
from autograde.grading.session import Session
from autograde.kit.catalogue import exercise
from autograde.kit.cell_role import KEY
from autograde.kit.exercise import Exercise
from autograde.kit.verdict import Verdict
from autograde.kit.verdict_record import VerdictRecord
from autograde.notebook.report import report
from bilingual import Text
from confined.confine import Layers, tier
from confined.failures import GraderError, PermanentError


class NoCheck(PermanentError):
    """A graded cell is not of the form `check("id", answer)`: nothing here can score it."""


class TooWeak(PermanentError):
    """This machine confines graded code less than was asked for."""


TOO_WEAK = Text(
    en="this machine confines graded code only in tier {tier} ({missing}). To grade all the same: "
    "c.SubmittedNotebook.lowest_tier = {tier} in nbgrader_config.py; docs/security.md says what "
    "that risks",
    zh="本机对学生代码的隔离只到第{tier}级（{missing}）。若仍要评分，请在nbgrader_config.py中设置"
    "c.SubmittedNotebook.lowest_tier = {tier}；风险见docs/security.md",
)


@dataclass(frozen=True)
class GradedCell:
    """What a graded cell checks: an exercise, and the name of the function that answers it."""

    exercise: Exercise
    answer: str


def graded_cell(cell: NotebookNode) -> GradedCell | None:
    """Return what a cell checks; None if it is not graded by running it."""
    nbgrader = cell.metadata.get("nbgrader", {})
    if cell.cell_type != "code" or not nbgrader.get("grade") or nbgrader.get("solution"):
        return None
    match ast.parse(cell.source).body:
        case [ast.Expr(ast.Call(ast.Name("check"), [ast.Constant(str(name)), ast.Name(answer)]))]:
            return GradedCell(replace(exercise(name), points=float(nbgrader["points"])), answer)
    raise NoCheck(
        f'the graded cell {nbgrader["grade_id"]!r} is not of the form check("id", answer)'
    )


class NotebookGrader:
    """Grades notebooks, one after the other; `close` ends all that it has started."""

    def __init__(self, options: GradingOptions) -> None:
        """Start the processes that workers are forked from."""
        self.options = options
        self.scoring = fork_server(HIDDEN_FROM_ANSWERS).zygote(options.limits)
        try:
            self.pictures = Pictures(options.limits) if options.pictures else None
        except GraderError:
            self.scoring.close()
            raise

    def grade(
        self,
        cells: list[NotebookNode],
        files: dict[str, bytes],
        seed: int,
        demonstrations: Mapping[str, Names],
    ) -> None:
        """Run and score the code cells, in place: each gets its outputs.

        seed: of the inputs that checks draw. It is stored with the verdicts.
        demonstrations: the chapter's own; only those that an answer depends on run.
        """
        names = names_of_cells([cell.source for cell in _code(cells)], demonstrations)
        skipped = not_needed(names, demonstrations)
        by_name = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in cells}
        with Session(self.scoring, files) as session:
            strength, budget = self._strength(session.worker.layers), OutputBudget()
            for count, cell in enumerate(_code(cells), start=1):
                cell.execution_count = count
                task = graded_cell(cell)
                if task:
                    own = by_name.get(f"{task.exercise.id}-answer")
                    verdict = session.verdict(task.exercise, task.answer, seed, own)
                    record = VerdictRecord.of(verdict, seed=seed, tier=strength)
                    cell.outputs = verdict_outputs(verdict, count, record)
                elif cell.source not in skipped:
                    outputs = session.run(cell.source)
                    cell.outputs = budget.fit(outputs) if _is_answer(cell) else []
        if self.pictures:
            others = [cell for cell in _code(cells) if graded_cell(cell) is None]
            self.pictures.show(others, files, names, demonstrations)

    def _strength(self, layers: Layers) -> int:
        strength = tier(layers)
        if strength > self.options.lowest_tier:
            missing = "; ".join(f"{name}: {why}" for name, why in layers.items() if why)
            raise TooWeak(str(TOO_WEAK.format(tier=strength, missing=missing)))
        return strength

    def close(self) -> None:
        """End the processes."""
        self.scoring.close()
        if self.pictures:
            self.pictures.close()

    def __enter__(self) -> NotebookGrader:
        """Return itself."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Close."""
        self.close()


def verdict_outputs(verdict: Verdict, count: int, record: VerdictRecord) -> list[NotebookNode]:
    """Return a check cell's outputs: the report, not used for scores, then the bare points."""
    display = {
        "output_type": "display_data",
        "data": {"text/plain": report(verdict)},
        "metadata": {KEY: record.to_json()},
    }
    points = {
        "output_type": "execute_result",
        "data": {"text/plain": repr(verdict.score)},
        "metadata": {},
        "execution_count": count,
    }
    return [from_dict(display), from_dict(points)]  # valid already: new_output would check


def _code(cells: list[NotebookNode]) -> list[NotebookNode]:
    return [cell for cell in cells if cell.cell_type == "code"]


def _is_answer(cell: NotebookNode) -> bool:
    # with stand-ins for hidden packages, only answer cells show what they show elsewhere
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))
