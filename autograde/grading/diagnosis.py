"""What was wrong with an exercise, read from its outputs: a verdict of the kit, or an error.

A submission can fake its outputs: their text is not to be trusted, and an output counts as a
verdict only in the form that the kit gives it.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import textwrap
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Literal

from autograde.grading.demonstrations import READABLE
from autograde.kit.exercise import Function
from autograde.kit.verdict import CauseKind
from autograde.kit.verdict_record import Cell, verdict_of_cell
from bilingual import Text

Kind = Literal[
    "unsolved", "misconception", "relation", "raised", "slow", "checks", "error", "missing"
]
OF_CAUSE: dict[CauseKind, Kind] = {
    "misconception": "misconception",
    "relation": "relation",
    "error": "raised",  # in a call; the cell itself ran
}
UNSOLVED = "unsolved"
NO_CELL = "missing cell"
OTHER_ERROR = "Exception"
TOO_SLOW = "TooSlow"
CELL_FILE = re.compile(r"<ipython-input-[\w-]+>, ")  # in the message of a SyntaxError
CELL_LINE = re.compile(r"^Cell In\[\d+\], line (\d{1,5})", re.MULTILINE)  # in other tracebacks
QUOTED = 200  # most characters of an error that a sentence quotes
NO_FUNCTION = Text(
    en="there is no function `{name}`: does its cell stop with an error before it is defined?",
    zh="没有函数`{name}`：它的单元格是不是在定义之前就出错停下了？",
)
STOPPED = Text(
    en="there is no function `{name}`, because its cell was stopped: {error}",
    zh="没有函数`{name}`，因为它的单元格中途停下了：{error}",
)
RENAMED = Text(
    en="there is no function `{name}`, only `{other}`: did you rename it?",
    zh="没有函数`{name}`，却有`{other}`：是不是改了名字？",
)
GRADER_ERRORS = {TOO_SLOW, "ProcessEnded", "NotRun"}


@dataclass(frozen=True)
class Diagnosis:
    """What was wrong: its kind, a short name, a sentence, and the names of failed checks.

    name: of the cause, of the failed checks or of the error; or `UNSOLVED` or `NO_CELL`.
    """

    kind: Kind
    name: str
    sentence: Text | None = None
    failed: tuple[str, ...] = ()

    def blind(self) -> Diagnosis:
        """Return it without text from the submission, which can reveal its author."""
        is_standard = hasattr(builtins, self.name) or self.name in GRADER_ERRORS
        hidden = self.kind in ("error", "raised") and not is_standard
        return replace(self, name=OTHER_ERROR if hidden else self.name, sentence=None)


def diagnose_cells(check: Cell | None, answer: Cell | None) -> Diagnosis | None:
    """Return what was wrong with an exercise, given its two cells; None if nothing was."""
    if check is None:
        return Diagnosis("missing", NO_CELL)
    verdict, error = _verdict(check), _error(answer)
    if verdict and verdict.kind == "checks" and error:
        return replace(error, failed=verdict.failed)  # the cell stopped before its function
    return verdict or error or _error(check)


def _verdict(check: Cell) -> Diagnosis | None:
    """Return what was wrong by a check cell's verdict; None if all was right or it has none."""
    record = verdict_of_cell(check)
    if record is None:
        return None
    if record.unsolved:
        return Diagnosis("unsolved", UNSOLVED, record.reason, record.failed)
    if cause := record.cause:
        return Diagnosis(OF_CAUSE[cause.kind], cause.name, cause.sentence, record.failed)
    if record.error:  # in a call, with no known cause
        kind = "slow" if record.error == TOO_SLOW else "raised"
        return Diagnosis(kind, record.error, record.reason, record.failed)
    if record.failed:
        return Diagnosis("checks", ", ".join(record.failed), record.reason, record.failed)
    return None


def _error(cell: Cell | None) -> Diagnosis | None:
    """Return the last error in a cell's outputs, None if there was none."""
    errors = [output for output in _outputs(cell) if output["output_type"] == "error"]
    if not errors:
        return None
    name, message = errors[-1]["ename"], errors[-1]["evalue"]
    if name == TOO_SLOW:  # confined.shell says it in the class's language, or in both
        en, _, zh = (message.strip() or name).partition(" · ")
        return Diagnosis("slow", name, Text(en=en, zh=zh.strip() or en))
    sentence = CELL_FILE.sub("", f"{name}: {message}").rstrip(": ") or "?"
    if line := CELL_LINE.search("\n".join(errors[-1].get("traceback", []))):
        sentence += f" (line {line[1]})"
    return Diagnosis("error", name, Text(en=sentence, zh=sentence))


def no_function(name: str, true_answer: Function | None, cell: Cell | None) -> Text:
    """Return why there is no function `name`. cell: it should define the function, and has run."""
    if other := _renamed(name, true_answer, cell["source"] if cell else ""):
        return RENAMED.format(name=name, other=other[:QUOTED])
    if error := _error(cell):
        texts = (error.sentence.en, error.sentence.zh)
        en, zh = (textwrap.shorten(text, QUOTED, placeholder="…") for text in texts)
        return STOPPED.format(name=name, error=Text(en=en, zh=zh))
    return NO_FUNCTION.format(name=name)


def _renamed(name: str, true_answer: Function | None, source: str) -> str | None:
    """Return the function of a cell that may be `name` renamed: by its own name or parameters."""
    try:
        body = ast.parse(source[:READABLE]).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # a magic, or nonsense
        return None
    functions = {one.name: one.args for one in body if isinstance(one, ast.FunctionDef)}
    if name in functions:
        return None
    bare = {other.lower().replace("_", ""): other for other in functions}
    for near in get_close_matches(name.lower().replace("_", ""), bare, n=1, cutoff=0.8):
        return bare[near]
    parameters = list(inspect.signature(true_answer).parameters) if true_answer else None
    alike = (
        other
        for other, args in functions.items()
        if [one.arg for one in args.args + args.kwonlyargs] == parameters
    )
    return next(alike, None)


def _outputs(cell: Cell | None) -> list[dict[str, Any]]:
    return cell.get("outputs", []) if cell else []  # Markdown cells have no outputs
