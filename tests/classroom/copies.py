"""What students do to an answer that is not theirs, and how one is told from one's own."""

import ast
import contextlib
import json
from pathlib import Path
from random import Random

from autograde.likeness.forms import Forms, forms

ROOT = Path(__file__).resolve().parents[2]


def renamed(source: str, rng: Random) -> str:
    """Return the answer with other names for all that is its own."""
    tree = ast.parse(source)
    fixed = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    fixed |= {keyword.arg for keyword in _nodes(tree, ast.keyword)}
    fixed |= {(one.asname or one.name).split(".")[0] for one in _nodes(tree, ast.alias)}
    own = {node.id for node in _nodes(tree, ast.Name) if isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in _nodes(tree, ast.arg)}
    names = {
        name: f"{rng.choice('abcdef')}{number}" for number, name in enumerate(sorted(own - fixed))
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = names.get(node.arg, node.arg)
    return ast.unparse(tree)


def reordered(source: str, rng: Random) -> str:
    """Return the answer with neighbouring assignments exchanged that do not need each other."""
    tree = ast.parse(source)
    for block in _nodes(tree, ast.FunctionDef, ast.For):
        for place in range(len(block.body) - 1):
            one, other = block.body[place : place + 2]
            if _is_free(one, other):
                block.body[place : place + 2] = [other, one]
    return ast.unparse(tree)


def reformatted(source: str, rng: Random) -> str:
    """Return the answer with another layout, without comments, with blank lines and a docstring."""
    tree = ast.parse(source)
    for function in _nodes(tree, ast.FunctionDef):
        function.body.insert(0, ast.Expr(ast.Constant("My own work.")))
    return ast.unparse(ast.fix_missing_locations(tree)).replace("\n", "\n\n")


def commented(source: str, rng: Random) -> str:
    """Return the answer with a comment before each line."""
    tree = ast.unparse(ast.parse(source)).split("\n")
    return "\n".join(f"# now this: {rng.random()}\n{line}" for line in tree)


def other_number(source: str, rng: Random) -> str:
    """Return the answer with one number changed, if it has any."""
    tree = ast.parse(source)
    numbers = [one for one in _nodes(tree, ast.Constant) if type(one.value) in (int, float)]
    for number in rng.sample(numbers, min(1, len(numbers))):
        number.value += 1
    return ast.unparse(tree)


def all_of_it(source: str, rng: Random) -> str:
    """Return the answer after all of these."""
    for disguise in (renamed, reordered, other_number, reformatted, commented):
        source = disguise(source, rng)
    return source


def forms_of(sources: list[str]) -> list[Forms]:
    """Return the forms of those sources that are Python, without a limit that ends the process."""
    result = []
    for source in sources:
        with contextlib.suppress(SyntaxError, ValueError):
            result.append(forms(source))
    return result


def handouts(chapter: str) -> dict[str, list[Forms]]:
    """Return the forms of stub and solution by exercise of a chapter."""
    by_name: dict[str, list[str]] = {}
    for step in ("notebooks", "solutions"):
        text = (ROOT / step / chapter / f"{chapter}.ipynb").read_text(encoding="utf-8")
        for cell in json.loads(text)["cells"]:
            grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
            if grade_id.endswith("-answer"):
                name = grade_id.removesuffix("-answer")
                by_name.setdefault(name, []).append("".join(cell["source"]))
    return {name: forms_of(sources) for name, sources in by_name.items()}


def _nodes(tree: ast.AST, *kinds: type) -> list:
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def _is_free(one: ast.stmt, other: ast.stmt) -> bool:
    if not isinstance(one, ast.Assign) or not isinstance(other, ast.Assign):
        return False
    names = [{node.id for node in _nodes(each, ast.Name)} for each in (one, other)]
    return not _stores(one) & names[1] and not _stores(other) & names[0]


def _stores(assignment: ast.Assign) -> set[str]:
    return {node.id for target in assignment.targets for node in _nodes(target, ast.Name)}
