"""A cell that a reader runs again draws what it drew: it makes the generator that it draws from."""

import ast

import pytest

from tests.all_chapters import PATHS, cells_of


def names_of(tree: ast.AST, context: type[ast.expr_context]) -> set[str]:
    """Return the names that are read (Load) or given a value (Store) in a tree."""
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return {node.id for node in names if isinstance(node.ctx, context)}


def parameters(tree: ast.AST) -> set[str]:
    return {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}


def generators(trees: list[ast.Module]) -> set[str]:
    """Return the names that a chapter gives to generators of random numbers."""
    assigned = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    pairs = [(node.targets[0], node.value) for node in assigned]
    for targets, values in [*pairs]:
        if isinstance(targets, ast.Tuple) and isinstance(values, ast.Tuple):
            pairs += zip(targets.elts, values.elts, strict=True)
    names = [one for one, value in pairs if ast.unparse(value).startswith("torch.Generator()")]
    return set().union(*(names_of(one, ast.Store) for one in names))


@pytest.mark.parametrize("chapter", sorted(PATHS))
def test_a_cell_draws_from_its_own_generator(chapter):
    sources = [cell.source for cell in cells_of(chapter) if cell.cell_type == "code"]
    trees = [ast.parse(source) for source in sources if not source.startswith("%")]
    shared = generators(trees)
    borrowed = [
        ast.unparse(tree).partition("\n")[0]
        for tree in trees
        if shared & names_of(tree, ast.Load) - names_of(tree, ast.Store) - parameters(tree)
    ]
    assert borrowed == []
