"""Which of a chapter's demonstrations a submission's answers need, and which need no answer.

Between its exercises a chapter draws, measures and trains. A score needs of all that only the cells
from which an answer takes a name: an import, a function, a table. The other demonstrations are
skipped when answers are scored; whatever a student wrote or changed runs. And what takes no name
from a student's cell shows every student the same.
"""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat

READABLE = 100_000  # characters of a student's code in which names are looked for
# names may come from anywhere in code that says one of these
DYNAMIC = re.compile(
    r"(?<!\.)\b(eval|exec|compile)\b|import +\*"
    r"|\b(globals|locals|vars|modules|inspect|get_ipython|_getframe|builtins"
    r"|__\w*(globals|builtins|import|main|dict)\w*__)\b"
)
OUTPUTS = re.compile(r"In|Out|_+\d*")  # what IPython keeps of cells that ran


@dataclass(frozen=True)
class Names:
    """The global names of a cell, those in its functions included."""

    reads: frozenset[str]
    binds: frozenset[str]
    imports: frozenset[str]  # some of those that it binds
    changes: frozenset[str]  # by `x.a = …`, `x[0] = …`, or `x.update(…)` as a statement


def demonstrations(notebook: Path) -> dict[str, Names]:
    """Return the names of each demonstration of a chapter, by source; `{}` without a notebook.

    What is not plain Python, or reaches names otherwise, is left out, as if a student wrote it.
    """
    if not notebook.exists():
        return {}
    cells = nbformat.read(notebook, as_version=4).cells
    sources = [
        cell.source
        for cell in cells
        if cell.cell_type == "code" and "nbgrader" not in cell.metadata
    ]
    return {source: names for source in sources if (names := names_of(source))}


def names_of(source: str) -> Names | None:
    """Return the global names of a cell; None where they cannot be told."""
    if DYNAMIC.search(source):
        return None
    try:
        tree, table = ast.parse(source), symtable.symtable(source, "cell", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # a magic, or nonsense
        return None
    reads, binds, imports = set(), set(), set()
    tables = [table]
    while tables:
        scope = tables.pop()
        tables += scope.get_children()
        for symbol in scope.get_symbols():
            if scope is table or symbol.is_global():
                if symbol.is_referenced():
                    reads.add(symbol.get_name())
                if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
                    binds.add(symbol.get_name())
                if symbol.is_imported():
                    imports.add(symbol.get_name())
    if any(map(OUTPUTS.fullmatch, reads - binds)):
        return None
    changes = _changed(tree) & reads  # a local name is nobody else's
    return Names(frozenset(reads), frozenset(binds), frozenset(imports), changes)


def _changed(tree: ast.Module) -> frozenset[str]:
    targets = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load)
    ]
    calls = [
        node.value.func
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ]
    owners = (_owner(target) for target in [*targets, *calls] if not isinstance(target, ast.Name))
    return frozenset(owner.id for owner in owners if isinstance(owner, ast.Name))


def _owner(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node


def names_of_cells(sources: Sequence[str], chapter: Mapping[str, Names]) -> dict[str, Names] | None:
    """Return the names of each cell; None where those of a student's cell cannot be told.

    chapter: the names of the chapter's demonstrations.
    """
    own = [source for source in sources if source not in chapter]
    if sum(map(len, own)) > READABLE:
        return None
    names = {source: chapter.get(source) or names_of(source) for source in sources}
    return None if None in names.values() else names


def not_needed(cells: Mapping[str, Names] | None, sources: Iterable[str]) -> frozenset[str]:
    """Return those of the cells `sources` from which no other cell that runs takes a name."""
    if cells is None:
        return frozenset()
    left = {source: cells[source] for source in sources if source in cells}
    modules = {name for names in left.values() for name in names.imports}
    reads = {name for source, names in cells.items() if source not in left for name in names.reads}
    while needed := [one for one, names in left.items() if _gives(names, modules) & reads]:
        for source in needed:
            reads |= left.pop(source).reads
    return frozenset(left)


def same_for_all(cells: Mapping[str, Names] | None, sources: Iterable[str]) -> frozenset[str]:
    """Return those of the cells `sources` that take no name from another cell, or one another's."""
    if cells is None:
        return frozenset()
    left = {source: cells[source] for source in sources if source in cells}
    modules = {name for names in cells.values() for name in names.imports}
    bindings = {
        name
        for source, names in cells.items()
        if source not in left
        for name in _gives(names, modules) - names.imports
    }
    while touched := [one for one, names in left.items() if names.reads & bindings]:
        for source in touched:
            names = left.pop(source)
            bindings |= _gives(names, modules) - names.imports
    return frozenset(left)


def _gives(names: Names, modules: set[str]) -> frozenset[str]:
    # `torch.manual_seed(0)` changes nothing that a cell takes from torch
    return names.binds | (names.changes - modules)
