"""The source of a misconception, as a learner would have written it in one cell."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

from autograde.kit.exercise import Exercise, Function, Misconception


def written_alone(exercise: Exercise) -> list[Misconception]:
    """Return the misconceptions that are functions written out in the exercise's file.

    Misconceptions that exercises share are made by a function, and cannot be copied into a cell.
    """
    return [one for one in exercise.misconceptions if "<locals>" not in one.answer.__qualname__]


def answer_source(function: Function, name: str) -> str:
    """Return source that defines `function` as `name`, with all it uses from its own module.

    Decorators are left out: they belong to the exercise file, not to the answer.
    """
    text = Path(inspect.getfile(function)).read_text(encoding="utf-8")
    statements = ast.parse(text).body
    definitions = {bound: statement for statement in statements for bound in _binds(statement)}
    needed = [definitions[function.__name__]]
    for statement in needed:  # grows while it is read: what the helpers use comes too
        helpers = [definitions[name] for name in _uses(statement) if name in definitions]
        needed += [other for other in helpers if other not in needed]
    lines = text.split("\n")  # get_source_segment reads the whole file for each statement
    sources = ["\n".join(lines[s.lineno - 1 : s.end_lineno]) for s in statements if s in needed]
    own = f"def {function.__name__}("
    return "\n\n".join(sources).replace(own, f"def {name}(", 1)


def _binds(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [(alias.asname or alias.name).split(".")[0] for alias in statement.names]
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    return [node.id for node in ast.walk(statement) if _is_stored(node)]


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _uses(statement: ast.stmt) -> list[str]:
    decorators = {
        id(node)
        for decorator in getattr(statement, "decorator_list", [])
        for node in ast.walk(decorator)
    }
    names = [n for n in ast.walk(statement) if isinstance(n, ast.Name) and id(n) not in decorators]
    return list(dict.fromkeys(node.id for node in names))
