"""Small faults, one at a time, in a right answer: does a check notice each?

cosmic-ray 8.7 was looked at: it swaps each operator for all eleven others (many near-duplicates),
has no operator for swapped arguments, shifted slices or dropped statements, and brings aiohttp,
SQLAlchemy and GitPython with it. A page of `ast` asks what matters for tensors.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

OPERATORS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult, ast.Mod),  # not Div: the same where it divides
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
}
COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
}
LARGE = 100  # one more or less of such a number is within the checks' tolerance
SWAPPED = {"sin": "cos", "cos": "sin", "tril": "triu", "triu": "tril", "min": "max", "max": "min"}


@dataclass(frozen=True)
class Mutant:
    """One fault: the statement as it was and as it is now, and the whole source with it."""

    before: str
    after: str
    source: str

    @property
    def name(self) -> str:
        return f"{self.before}  →  {self.after}"


def mutants(source: str) -> list[Mutant]:
    """Return every mutant of `source` that reads differently, docstrings left alone."""
    tree = ast.parse(source)
    found = {}
    for number, node in enumerate(ast.walk(tree)):
        for variant in _variants(node):
            mutated = _with(tree, number, variant)
            text = ast.unparse(mutated)
            statement = _statement(tree, node)
            if statement is not None and text != ast.unparse(tree):
                after = _head(_nth(mutated, _number(tree, statement)))
                found[text] = Mutant(_head(statement), after, text)
    return list(found.values())


def _variants(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what could stand in place of `node`, each with one fault."""
    match node:
        case ast.BinOp(left, operator, right):
            for other in OPERATORS.get(type(operator), ()):
                yield ast.BinOp(left, other(), right)
            if isinstance(operator, ast.Sub | ast.Div | ast.Pow | ast.MatMult):
                yield ast.BinOp(right, operator, left)
        case ast.UnaryOp(ast.USub() | ast.Not(), operand):
            yield operand
        case ast.Compare(left, [operator], rights):
            for other in COMPARISONS.get(type(operator), ()):
                yield ast.Compare(left, [other()], rights)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.And() if isinstance(operator, ast.Or) else ast.Or(), values)
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value) | float(value)):
            steps = (value + 1, value - 1, value * 2) if abs(value) < LARGE else (value * 2,)
            yield from map(ast.Constant, steps)
        case ast.Slice(None, upper, step):
            yield ast.Slice(ast.Constant(1), upper, step)
        case ast.Attribute(value, name, context) if name in SWAPPED:
            yield ast.Attribute(value, SWAPPED[name], context)
        case ast.Call(function, [first, second, *rest], keywords):
            yield ast.Call(function, [second, first, *rest], keywords)
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.AugAssign() | ast.Expr(ast.Call()) | ast.If():
            yield ast.Pass()
        case ast.Assign([ast.Subscript()]):
            yield ast.Pass()


def _with(tree: ast.Module, number: int, variant: ast.AST) -> ast.Module:
    class Put(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return copy.deepcopy(variant) if node is target else self.generic_visit(node)

    mutated = copy.deepcopy(tree)
    target = _nth(mutated, number)
    return ast.fix_missing_locations(Put().visit(mutated))


def _nth(tree: ast.AST, number: int) -> ast.AST:
    return list(ast.walk(tree))[number]


def _number(tree: ast.AST, node: ast.AST) -> int:
    return next(number for number, found in enumerate(ast.walk(tree)) if found is node)


def _statement(tree: ast.Module, node: ast.AST) -> ast.stmt | None:
    holders = [s for s in ast.walk(tree) if isinstance(s, ast.stmt) and node in list(ast.walk(s))]
    # breadth first: the last is the innermost
    return holders[-1] if holders else None


def _head(statement: ast.AST) -> str:
    return ast.unparse(statement).split("\n")[0]
