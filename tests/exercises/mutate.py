"""Small faults, one at a time, in a right answer: does a check notice each?

cosmic-ray 8.7 was looked at: it swaps each operator for all eleven others (many near-duplicates),
has no operator for swapped arguments, shifted slices or dropped statements, and brings aiohttp,
SQLAlchemy and GitPython with it. A page of `ast` asks what matters for tensors.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

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
SMALL = 0.01  # what is added to stay away from 0
SIZES = (100, 128, 200)  # what a size is where somebody wrote it down
DROPPED = {"abs", "clamp", "clamp_max", "clamp_min", "clip", "double", "float", "long", "to"}
CHOICES = {"min", "max", "minimum", "maximum"}
# not double(): more digits than asked are right everywhere
OF_RESULT = ("squeeze()", "mT", "flip(-1)", "half()", "float()", "int()")
OF_ITEM = ("squeeze()", "half()")  # of a result that has several
# what an answer may do with an input before it starts
OF_INPUT = (
    "{x} = {x}.half().to({x}.dtype)",
    "{x} = {x}.float()",
    "{x} = {x}.long()",
    "{x} = torch.arange({x}.shape[-1], dtype={x}.dtype).expand({x}.shape)",
    "{x} = {x}[..., :1] + torch.arange({x}.shape[-1], dtype={x}.dtype)",
    "{x} = {x}[:1].expand({x}.shape)",
    "{x} = (lambda own: ({x}.zero_(), own)[1])({x}.clone())",
)
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
    unchanged, by_source = ast.unparse(tree), {}
    for node, holder, key, statement in _nodes(tree):
        before = _head(statement)
        for variant in _variants(node):
            holder[key] = variant
            text, after = ast.unparse(tree), _head(variant if statement is node else statement)
            if text != unchanged:
                by_source[text] = Mutant(before, after, text)
        holder[key] = node
    for mutant in _with_other_inputs(tree):
        by_source.setdefault(mutant.source, mutant)
    return list(by_source.values())


def _nodes(tree: ast.Module) -> Iterator[tuple[ast.AST, Any, Any, ast.stmt]]:
    """Yield each node, `holder[key]`, and its innermost statement; breadth first."""
    parents = deque([(tree, None)])
    while parents:
        parent, outer = parents.popleft()
        for field, value in ast.iter_fields(parent):
            in_list = isinstance(value, list)
            holder, keys = (value, range(len(value))) if in_list else (vars(parent), [field])
            for key in keys:
                node = holder[key]
                if isinstance(node, ast.AST):
                    statement = node if isinstance(node, ast.stmt) else outer
                    parents.append((node, statement))
                    yield node, holder, key, statement


def _with_other_inputs(tree: ast.Module) -> Iterator[Mutant]:
    """Yield the source with one statement more at the start of a function: an input is changed."""
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef):
            continue
        start = 1 if ast.get_docstring(function) is not None else 0
        for argument in function.args.args:
            for change in OF_INPUT:
                statement = change.format(x=argument.arg)
                function.body[start:start] = ast.parse(statement).body
                yield Mutant(_head(function), statement, ast.unparse(tree))
                del function.body[start]


def _variants(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what could stand in place of `node`, each with one fault."""
    match node:
        case ast.BinOp(left, operator, right):
            for other in OPERATORS.get(type(operator), ()):
                yield ast.BinOp(left, other(), right)
            if isinstance(right, ast.Constant) and _is_small(right.value):
                yield left
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
        case ast.Call():
            yield from _of_call(node)
        case ast.Subscript(ast.Attribute(_, "shape"), ast.Constant() | ast.UnaryOp()):
            yield from map(ast.Constant, SIZES)
        case ast.IfExp(test, body, orelse):
            yield from (ast.IfExp(test, orelse, body), body, orelse)
        case ast.Return(ast.Tuple(items)):
            for number, item in enumerate(items):
                for change in OF_ITEM:
                    changed = [*items[:number], _changed(item, change), *items[number + 1 :]]
                    yield ast.Return(ast.Tuple(changed, ast.Load()))
        case ast.Return(ast.expr() as result):
            yield from (ast.Return(_changed(result, change)) for change in OF_RESULT)
        case ast.If(test, body, orelse):
            yield ast.Pass()
            yield ast.If(ast.Constant(True), body, orelse)
            if orelse:
                yield ast.If(test, orelse, body)
        case ast.AugAssign() | ast.Expr(ast.Call()):
            yield ast.Pass()
        case ast.Assign([ast.Subscript()]):
            yield ast.Pass()


def _is_small(value: object) -> bool:
    return isinstance(value, float) and 0 < abs(value) <= SMALL


def _of_call(node: ast.Call) -> Iterator[ast.expr]:
    """Yield a call with its arguments exchanged, left out or chosen between, or no call at all."""
    function, arguments, keywords = node.func, node.args, node.keywords
    name = getattr(function, "attr", getattr(function, "id", None))
    if len(arguments) > 1:
        yield ast.Call(function, [*arguments[1::-1], *arguments[2:]], keywords)
    if name == "where" and len(arguments) == 3:
        test, then, otherwise = arguments
        yield from (ast.Call(function, [test, otherwise, then], keywords), then, otherwise)
    if name in CHOICES and len(arguments) == 2:
        yield from arguments
    if name in DROPPED and isinstance(function, ast.Attribute):
        yield function.value
        if len(keywords) > 1:
            for number in range(len(keywords)):
                yield ast.Call(function, arguments, keywords[:number] + keywords[number + 1 :])
    if name == "len":
        yield from map(ast.Constant, SIZES)


def _changed(result: ast.expr, change: str) -> ast.expr:
    attribute = ast.Attribute(result, change.removesuffix("()").partition("(")[0], ast.Load())
    if not change.endswith(")"):
        return attribute
    return ast.Call(attribute, ast.parse(change, mode="eval").body.args, [])


def _head(statement: ast.AST) -> str:
    return ast.unparse(statement).split("\n")[0]
