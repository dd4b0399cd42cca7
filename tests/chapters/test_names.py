"""What a chapter imports stays what it is: no cell gives the name to something else."""

import ast

import pytest

from tests.all_chapters import CHAPTERS, cells_of
from tools.build.contents import Chapter


def outside_functions(tree: ast.Module):
    """Yield the nodes of a cell that run in the notebook's own names."""
    nodes = list(tree.body)
    while nodes:
        node = nodes.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ListComp | ast.DictComp):
            nodes += ast.iter_child_nodes(node)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_no_cell_takes_a_name_that_the_chapter_imports(chapter: Chapter):
    cells = [cell for cell in cells_of(chapter.name) if cell.cell_type == "code"]
    nodes = [node for cell in cells for node in outside_functions(ast.parse(cell.source))]
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    imported = {alias.asname or alias.name for node in imports for alias in node.names}
    names = [node for node in nodes if isinstance(node, ast.Name)]
    assert imported & {name.id for name in names if isinstance(name.ctx, ast.Store)} == set()
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    assert imported & defined == set()
