"""An answer as the forms of its statements: what remains without names, numbers and layout.

In a function of `x` and `c`, `a = x[0::2] * c  # even` has the same form as `even = q[1::2] * cos`
in a function of `q` and `cos`. Parsing what a student wrote can end a process, so a pool's process
with limits calls `read_forms`.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import re
import warnings
from collections.abc import Mapping
from concurrent.futures import BrokenExecutor, Executor
from contextlib import suppress
from dataclasses import dataclass

from autograde.grading.grader_limits import time_limit

LONGEST_ANSWER = 20_000  # characters without comments; the course's longest solution has 1500
SECONDS = 10.0  # of CPU, for the answers of one student
UNCOUNTED = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
BLOCKS = (ast.stmt, ast.excepthandler, ast.match_case)
COMMENT = re.compile("#.*")
CELL_MAGIC = re.compile(r"\A(\s*)%%.*")  # `%%time`: the cell below may be Python


@dataclass(frozen=True)
class Form:
    """A statement without its block; two statements of the same form have the same `name`.

    size: how many parts of the syntax it has. first, last: its lines, counted from 1.
    """

    name: str
    size: int
    first: int
    last: int


Forms = tuple[Form, ...]


def forms_in(executor: Executor, sources: Mapping[str, str]) -> dict[str, Forms]:
    """Return the forms of one student's answers, read in `executor`.

    Answers that are not Python are left out; {} if reading them ends the process.
    """
    try:
        return executor.submit(read_forms, dict(sources)).result()
    except BrokenExecutor:
        return {}


def read_forms(sources: Mapping[str, str]) -> dict[str, Forms]:
    """Return the forms of the answers that can be parsed, within a time limit."""
    forms_by_name = {}
    with time_limit(SECONDS), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's, about the answers' code
        for name, source in sources.items():
            with suppress(Exception):  # IPython's parsing of magics raises IndexError as well
                forms_by_name[name] = forms(source)
    return forms_by_name


def forms(source: str) -> Forms:
    """Return the forms of the statements of an answer.

    Raises ValueError if it is longer than any answer, and what `ast.parse` and IPython raise.
    """
    if len(COMMENT.sub("", source)) > LONGEST_ANSWER:
        raise ValueError(f"an answer has at most {LONGEST_ANSWER} characters")
    tree = _parse(source)
    local = _local_names(tree)
    statements = [node for node in ast.walk(tree) if _does_something(node)]
    return tuple(_form(one, local) for one in statements)


def _parse(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError:  # `%matplotlib inline`: IPython, which runs it for the grader, accepts more
        from IPython.core.inputtransformer2 import TransformerManager  # slow to import

        cell = CELL_MAGIC.sub(r"\1", source)
        above = cell[: len(cell) - len(cell.lstrip())].count("\n")  # lines that IPython drops
        return ast.parse("\n" * above + TransformerManager().transform_cell(cell))


def _does_something(node: ast.AST) -> bool:
    says_only = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return isinstance(node, ast.stmt) and not isinstance(node, ast.Pass) and not says_only


def _form(statement: ast.stmt, local: set[str]) -> Form:
    """Return the form of a statement; its parts, which no other form reads, are changed in place.

    A deep copy of them can be huge: all trees of a process share one `ast.Load()`, and IPython's
    tracebacks attach the tree of a whole file to it.
    """
    head = copy.copy(statement)
    below = []
    for name, value in ast.iter_fields(statement):
        if isinstance(value, list) and value and isinstance(value[0], BLOCKS):
            below.append(value[0])
            setattr(head, name, [])
    anonymous = _Anonymous(local).visit(head)
    size = sum(not isinstance(node, UNCOUNTED) for node in ast.walk(anonymous))
    digest = hashlib.blake2b(ast.dump(anonymous).encode(), digest_size=16).hexdigest()
    last = statement.end_lineno if not below else max(statement.lineno, _first(below[0]) - 1)
    return Form(digest, size, statement.lineno, last)


def _first(block: ast.AST) -> int:
    return getattr(block, "lineno", None) or block.body[0].lineno  # a case of match has no line


class _Anonymous(ast.NodeTransformer):
    """Numbers local names by first use in one statement; removes numbers and annotations."""

    def __init__(self, local: set[str]) -> None:
        self.local = local
        self.numbers: dict[str, int] = {}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._name(node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg, node.annotation = self._name(node.arg), None
        return node

    def visit_alias(self, node: ast.alias) -> ast.alias:
        node.asname = None  # what is imported counts, not what it is called
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        if type(node.value) in (int, float, complex):
            node.value = 0
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.name, node.returns = self._name(node.name), None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        value = node.value or ast.Constant(None)
        return self.generic_visit(ast.Assign([node.target], value))

    def _name(self, name: str) -> str:
        if name not in self.local:
            return name
        return f"local{self.numbers.setdefault(name, len(self.numbers))}"


def _local_names(tree: ast.AST) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.alias(name=name, asname=other):
                names.add((other or name).partition(".")[0])
    return names
