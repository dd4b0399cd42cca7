"""Detects a checked function that is older than its cell, and why a function is missing."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass

from IPython import get_ipython
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell

from bilingual import Text

OLD = Text(
    en="The last time you ran the cell of {name} it was not Python (line {line}: {why}), so what "
    "is checked here is {name} as it was before.",
    zh="你上次运行{name}所在的单元格时，里面的代码不合Python语法（第{line}行：{why}），"
    "所以这里检查的还是之前的{name}。",
)

ANOTHER = Text(
    en="What is checked here is not the {name} defined in the cell you ran last: did that cell end "
    "in an error before the def? Fix that and run it again.",
    zh="这里检查的{name}，不是你上次运行的那个单元格里写的{name}：那个单元格是不是还没到def就报错了？"
    "改好后请再运行一次。",
)
GONE = Text(
    en="The cell of {name} has run since and no longer defines it, so what is checked here is "
    "{name} as it was before. Is the name in the `def` line right?",
    zh="{name}所在的单元格后来又运行过，里面却不再定义{name}，所以这里检查的还是之前的{name}。"
    "`def`那一行的函数名写对了吗？",
)
NOT_PYTHON = Text(
    en="There is no {name}: its cell is not Python (line {line}: {why}).",
    zh="没有{name}：它的单元格里的代码不合Python语法（第{line}行：{why}）。",
)
STOPPED = Text(
    en="There is no {name}: its cell was stopped before the def. Does a loop in it never end?",
    zh="没有{name}：它的单元格还没运行到def就被中断了。里面是不是有循环停不下来？",
)
ENDED = Text(
    en="There is no {name}: its cell ended in {error} before the def. Fix that and run it again.",
    zh="没有{name}：它的单元格还没运行到def就报错了（{error}）。改好后请再运行一次。",
)


@dataclass(frozen=True)
class Run:
    """How a cell ran: its id, None if the page does not send it, and the error that ended it."""

    cell: str | None
    error: str | None


def record_run(result: ExecutionResult) -> None:
    """Record in the shell how a cell ran, by the number that the notebook shows beside it."""
    if (shell := get_ipython()) is not None and result.execution_count is not None:
        error = result.error_in_exec and type(result.error_in_exec).__name__
        runs = shell.meta.setdefault("posenc_runs", {})
        runs[result.execution_count] = Run(getattr(result.info, "cell_id", None), error)


def stale_warnings(answer: Callable) -> list[Text]:
    """Return a sentence if the newest cell with a `def` of `answer` ended before it, else [].

    Also if that cell has run again since, and no longer defines it.
    """
    shell, name = get_ipython(), getattr(answer, "__name__", "")
    if shell is None or not name:
        return []
    number, cell = _newest(shell, name)
    if error := _syntax_error(shell, cell):
        return [_located(OLD, name, error)]
    if _is_another(answer, name, shell.transform_cell(cell)):
        return [ANOTHER.format(name=name)]
    return [GONE.format(name=name)] if _has_run_since(shell, number) else []


def missing(name: str) -> Text | None:
    """Return why there is no function `name` though a cell that defines it has run, else None."""
    if (shell := get_ipython()) is None:
        return None
    number, cell = _newest(shell, name)
    if error := _syntax_error(shell, cell):
        return _located(NOT_PYTHON, name, error)
    run = _runs(shell).get(number)
    if run is None or run.error is None:
        return None
    return (STOPPED if run.error == "KeyboardInterrupt" else ENDED).format(
        name=name, error=run.error
    )


def _newest(shell: InteractiveShell, name: str) -> tuple[int, str]:
    """Return number and source of the last cell that ran with a `def` of it, else 0 and ""."""
    cells = [*enumerate(shell.user_ns.get("In", []))]
    return next((numbered for numbered in reversed(cells) if _has_def(numbered[1], name)), (0, ""))


def _has_def(cell: str, name: str) -> bool:
    lines = (line for line in cell.splitlines() if not line.lstrip().startswith("#"))
    return any(f"def {name}(" in line for line in lines)


def _syntax_error(shell: InteractiveShell, cell: str) -> SyntaxError | ValueError | None:
    try:
        source = shell.transform_cell(cell)
        compile(source, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return error
    return None


def _located(sentence: Text, name: str, error: SyntaxError | ValueError) -> Text:
    line, why = getattr(error, "lineno", None) or 1, getattr(error, "msg", None) or str(error)
    return sentence.format(name=name, line=line, why=why)


def _runs(shell: InteractiveShell) -> dict[int, Run]:
    return shell.meta.get("posenc_runs", {})


def _has_run_since(shell: InteractiveShell, number: int) -> bool:
    """Return whether the cell that ran with this number has run again, with a higher number."""
    runs = _runs(shell)
    cell = runs[number].cell if number in runs else None
    return cell is not None and any(runs[n].cell == cell for n in runs if n > number)


def _is_another(answer: Callable, name: str, cell: str) -> bool:
    """Return whether `cell` defines a function of this name, but not with the code of `answer`."""
    functions = [node for node in ast.parse(cell).body if isinstance(node, ast.FunctionDef)]
    codes = [ast.dump(one) for one in functions if one.name == name]
    try:
        own = ast.parse(inspect.getsource(answer)).body[0]
    except (OSError, TypeError, SyntaxError):  # no def with a source: nothing to compare
        return False
    return bool(codes) and ast.dump(own) not in codes
