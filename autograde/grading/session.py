"""One submission's worker, and its replacement when a student's code ends it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from autograde.grading.diagnosis import no_function
from autograde.grading.remote_answer import RemoteAnswer
from autograde.kit.exercise import Exercise
from autograde.kit.scoring import evaluate, evaluate_answer
from autograde.kit.verdict import Outcome, Verdict
from autograde.kit.verdict_record import Cell
from bilingual import Text
from confined.failures import GraderError, WorkerLost
from confined.outputs import Output
from confined.values import empty
from confined.worker_handle import Worker
from confined.zygote_handle import Zygote

ORDER_SECONDS = 10.0  # at least, for an order that runs no cell and no call
ENDED = Text(
    en="this cell ended its process, or did not finish: it is left out from here on",
    zh="该单元格使进程终止，或自身无法结束：此后不再运行它",
)
OVER = Text(
    en="not run: the submission ended its process too often, or has used up its time",
    zh="未运行：该提交多次使进程终止，或已用完时间",
)


@dataclass
class Session:
    """Runs the cells of one notebook in order and scores answers between them.

    A cell that ends the worker is left out; a new worker runs the cells before it again. After
    `limits.restarts` new workers, or `limits.submission_seconds`, nothing more is run.
    """

    zygote: Zygote
    files: dict[str, bytes]
    worker: Worker | None = None
    ran: list[str] = field(default_factory=list)
    restarts: int = 0
    over: bool = False
    until: float = 0.0

    def __enter__(self) -> Session:
        """Start the first worker; `GraderError` if this machine cannot."""
        try:
            self._start()
        except GraderError:
            self._end()
            raise
        # counted from here: a busy machine takes a while to start the worker
        self.until = time.monotonic() + self.zygote.limits.submission_seconds
        return self

    def __exit__(self, *raised: object) -> None:
        """End the worker."""
        self._end()

    def run(self, source: str) -> list[Output]:
        """Return the outputs of a cell."""
        if self._is_over():
            return [_error("NotRun", OVER)]
        try:
            outputs = self.worker.run(source)
        except WorkerLost:
            self._restart()
            return [_error("ProcessEnded", ENDED)]
        self.ran.append(source)
        return outputs

    def verdict(
        self, exercise: Exercise, name: str, seed: int, cell: Cell | None = None
    ) -> Verdict:
        """Return the verdict on the function that the notebook calls `name`.

        cell: the one that should define it; it has run.
        """
        if self._is_over():
            return _failed(exercise, OVER)
        try:
            opened = self._ask({"do": "open", "answer": name})
            if opened.get("kind") == "function":
                return self._verdict(exercise, seed)
            self._ask({"do": "close"})
        except WorkerLost:
            self._restart()
            return _failed(exercise, ENDED)
        if opened.get("kind") == "value":
            return evaluate(exercise, empty(opened.get("type")), seed)
        return _failed(exercise, no_function(name, exercise.true_answer, cell))

    def _verdict(self, exercise: Exercise, seed: int) -> Verdict:
        answer = RemoteAnswer(
            function=_somewhere_else, seconds=exercise.seconds, worker=self.worker
        )
        verdict = evaluate_answer(exercise, answer, seed)
        try:
            if answer.lost:
                raise answer.lost
            self._ask({"do": "close"})
        except WorkerLost:  # the verdict stands
            self._restart()
        return verdict

    def _ask(self, order: dict[str, Any]) -> dict[str, Any]:
        # wait for as long as is left: a busy machine is not the student's fault, and cells that
        # have stopped the worker use up only their own submission's time
        reply, _ = self.worker.ask(order, max(self.until - time.monotonic(), ORDER_SECONDS))
        return reply

    def _start(self) -> None:
        self.worker = self.zygote.worker()
        try:
            self.worker.write(self.files)
        except WorkerLost:  # the files beside the notebook are larger than it may write
            self.over = True

    def _restart(self) -> None:
        self._end()
        self.restarts += 1
        if self._is_over():
            return
        self._start()
        try:
            for source in self.ran:
                if self._is_over():
                    return
                self.worker.run(source)
        except WorkerLost:  # a cell that ran before now ends the worker
            self.over = True

    def _is_over(self) -> bool:
        many = self.restarts > self.zygote.limits.restarts
        self.over = self.over or many or time.monotonic() > self.until
        return self.over

    def _end(self) -> None:
        worker, self.worker = self.worker, None  # closed only once, even if closing raises
        if worker:
            worker.close()


def _somewhere_else() -> None:
    """Stand in for a function that runs in a worker."""


def _failed(exercise: Exercise, reason: Text) -> Verdict:
    outcomes = tuple(Outcome(check, reason, ()) for check in exercise.checks)
    return Verdict(exercise, outcomes, False, None, "")


def _error(name: str, message: Text) -> Output:
    text = str(message)
    return {"output_type": "error", "ename": name, "evalue": text, "traceback": text.split("\n")}
