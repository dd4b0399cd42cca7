"""Which of a chapter's demonstrations the answers depend on, and which depend on no answer.

Between its exercises a chapter draws, measures and trains. Scoring needs only those of these cells
that define a name that an answer uses: an import, a function, a table. The other demonstrations
are skipped when answers are scored; every cell that a student wrote or changed runs. A
demonstration that uses no name from a student's cell shows every student the same.
"""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat

READABLE = 100_000  # most characters of a student's code that are searched for names
# code that contains one of these may get names from anywhere
DYNAMIC = re.compile(
    r"(?<!\.)\b(eval|exec|compile)\b|import +\*"
    r"|\b(globals|locals|vars|modules|inspect|get_ipython|_getframe|builtins"
    r"|__\w*(globals|builtins|import|main|dict)\w*__)\b"
)
OUTPUTS = re.compile(r"In|Out|_+\d*")  # IPython's names for earlier inputs and outputs


@dataclass(frozen=True)
class Names:
    """The global names of a cell, including those used in its functions."""

    reads: frozenset[str]
    binds: frozenset[str]
    imports: frozenset[str]  # a subset of `binds`
    changes: frozenset[str]  # by `x.a = …`, `x[0] = …`, or `x.update(…)` as a statement


def demonstrations(notebook: Path) -> dict[str, Names]:
    """Return the names of each demonstration of a chapter, by source; `{}` without a notebook.

    A cell is left out, as if a student wrote it, if it is not plain Python or may get names from
    anywhere.
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
    """Return the global names of a cell; None if they cannot be determined."""
    if DYNAMIC.search(source):
        return None
    try:
        tree, table = ast.parse(source), symtable.symtable(source, "cell", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # a magic, or not Python
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
    changes = _changed(tree) & reads  # without local names
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
    """Return the names of each cell; None if those of a student's cell cannot be determined.

    chapter: the names of the chapter's demonstrations.
    """
    own = [source for source in sources if source not in chapter]
    if sum(map(len, own)) > READABLE:
        return None
    names = {source: chapter.get(source) or names_of(source) for source in sources}
    return None if None in names.values() else names


def not_needed(cells: Mapping[str, Names] | None, sources: Iterable[str]) -> frozenset[str]:
    """Return those of the cells `sources` with no name that another cell that runs uses."""
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
    """Return those of the cells `sources` that depend, even indirectly, on no cell outside them."""
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
    # `torch.manual_seed(0)` changes nothing that another cell uses of torch
    return names.binds | (names.changes - modules)
