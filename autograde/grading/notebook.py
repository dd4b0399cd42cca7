"""Judges a rebuilt notebook: runs its cells in a worker, judges its answers, writes the outputs."""

from __future__ import annotations

import ast
import secrets
from dataclasses import dataclass, replace
from types import TracebackType

from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_output

from autograde.grading.options import JudgeOptions
from autograde.grading.session import Session
from autograde.kit.catalogue import exercise
from autograde.kit.exercise import Exercise
from autograde.kit.verdict import Verdict
from autograde.kit.verdict_output import KEY, payload
from autograde.notebook.report import report
from bilingual import Text
from confined.confine import Layers, tier
from confined.launch import GraderError, Zygote

JUDGED_WITHOUT = ("posenc_ref", "posenc_viz", "autograde", "bilingual")
SHOWN_WITHOUT = ("autograde",)


class NoCheck(GraderError):
    """A graded cell is not of the form `check("id", answer)`: nothing here can judge it."""


class TooWeak(GraderError):
    """This machine confines graded code less than was asked for."""


TOO_WEAK = Text(
    en="this machine confines graded code only in tier {found} ({missing}). To grade all the same: "
    "c.SubmittedNotebook.lowest_tier = {found} in nbgrader_config.py; docs/security.md says what "
    "that risks",
    zh="本机对学生代码的隔离只到第{found}级（{missing}）。若仍要评分，请在nbgrader_config.py中设置"
    "c.SubmittedNotebook.lowest_tier = {found}；风险见docs/security.md",
)


@dataclass(frozen=True)
class Graded:
    """What a graded cell asks for: this exercise, answered by the function of that name."""

    exercise: Exercise
    answer: str


def graded(cell: NotebookNode) -> Graded | None:
    """Return what a cell asks the judge for; None if it is not graded by running it."""
    nbgrader = cell.metadata.get("nbgrader", {})
    if cell.cell_type != "code" or not nbgrader.get("grade") or nbgrader.get("solution"):
        return None
    match ast.parse(cell.source).body:
        case [ast.Expr(ast.Call(ast.Name("check"), [ast.Constant(str(name)), ast.Name(answer)]))]:
            return Graded(replace(exercise(name), points=float(nbgrader["points"])), answer)
    raise NoCheck(
        f'the graded cell {nbgrader["grade_id"]!r} is not of the form check("id", answer)'
    )


class NotebookJudge:
    """Judges notebooks, one after the other; `close` ends all that it has started."""

    def __init__(self, options: JudgeOptions) -> None:
        """Start the processes that workers are forked from."""
        self.options = options
        self.judging = Zygote(options.limits, JUDGED_WITHOUT)
        self.showing = Zygote(options.limits, SHOWN_WITHOUT) if options.shown else None

    def judge(
        self, cells: list[NotebookNode], files: dict[str, bytes], seed: int | None = None
    ) -> None:
        """Run and judge the code cells, in place: each gets its outputs.

        seed: of the inputs; None draws a new one. It is stored with the verdicts.
        """
        seed = secrets.randbits(31) if seed is None else seed
        with Session(self.judging, files) as session:
            strength = self._strength(session.worker.layers)
            for count, cell in enumerate(_code(cells), start=1):
                cell.execution_count = count
                asked = graded(cell)
                if asked:
                    verdict = session.verdict(asked.exercise, asked.answer, seed)
                    cell.outputs = verdict_outputs(verdict, count, {"seed": seed, "tier": strength})
                else:
                    said = session.run(cell.source)
                    cell.outputs = [new_output(**output) for output in said] if _kept(cell) else []
        if self.showing:
            self._show(cells, files)

    def _strength(self, layers: Layers) -> int:
        found = tier(layers)
        if found > self.options.lowest_tier:
            missing = "; ".join(f"{name}: {why}" for name, why in layers.items() if why)
            raise TooWeak(str(TOO_WEAK.format(found=found, missing=missing)))
        return found

    def _show(self, cells: list[NotebookNode], files: dict[str, bytes]) -> None:
        with Session(self.showing, files) as session:
            for cell in _code(cells):
                if graded(cell) is None:
                    cell.outputs = [new_output(**output) for output in session.run(cell.source)]

    def close(self) -> None:
        """End the processes."""
        self.judging.close()
        if self.showing:
            self.showing.close()

    def __enter__(self) -> NotebookJudge:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()


def verdict_outputs(verdict: Verdict, count: int, facts: dict[str, int]) -> list[NotebookNode]:
    """Return what a check cell shows: the report, which no scorer reads, then the bare points."""
    said = {
        "output_type": "display_data",
        "data": {"text/plain": report(verdict)},
        "metadata": {KEY: {**payload(verdict), **facts}},
    }
    points = {
        "output_type": "execute_result",
        "data": {"text/plain": repr(verdict.score)},
        "metadata": {},
        "execution_count": count,
    }
    return [from_dict(said), from_dict(points)]  # valid as it is: new_output would make sure


def _code(cells: list[NotebookNode]) -> list[NotebookNode]:
    return [cell for cell in cells if cell.cell_type == "code"]


def _kept(cell: NotebookNode) -> bool:
    # beside stand-ins only what an answer cell says is what it would say elsewhere
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))
