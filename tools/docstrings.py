"""Reads the documentation in posenc_ref: files, public names, signatures, docstrings by section.

A docstring is prose, then `Source:`, `Raises:` and `Example:`. Sources are parsed, not imported.
griffe was tried for the sections: it wants blank lines between them.
"""

from __future__ import annotations

import ast
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "posenc_ref"
SECTION = re.compile(r"^(Source|Raises|Example):\s", re.MULTILINE)

Function = ast.FunctionDef
Definition = ast.FunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Docstring:
    """A docstring cut at its sections; a section that is not there is empty."""

    prose: str
    source: str
    raises: str
    example: str


@dataclass(frozen=True)
class Name:
    """A public function or class, or a method of one."""

    name: str
    signature: str
    parameters: tuple[str, ...]
    docstring: Docstring
    methods: tuple[Name, ...] = ()


@dataclass(frozen=True)
class File:
    """A file with public names: its docstring, the types in their signatures, and the names."""

    stem: str
    docstring: Docstring
    types: tuple[str, ...]
    names: tuple[Name, ...]


def read_package() -> list[File]:
    """Return the files whose names `__init__.py` exports, in the order of its imports."""
    tree = _parsed(PACKAGE / "__init__.py")
    (public,) = (ast.literal_eval(n.value) for n in tree.body if _assigns(n) == "__all__")
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module]
    return [
        _read_file(PACKAGE / f"{node.module.rpartition('.')[2]}.py", names)
        for node in imports
        if (names := {alias.name for alias in node.names} & set(public))
    ]


def unexported(package: Path = PACKAGE) -> list[str]:
    """Return `file.name` of what `__init__.py` ought to export: a public name with a source.

    If its source begins with "none", it may be plumbing, which need not be exported unless its
    example imports it from the package. A file that no other file imports is listed too.
    """
    files = {path.stem: _parsed(path) for path in sorted(package.glob("*.py"))}
    (public,) = (
        ast.literal_eval(n.value) for n in files["__init__"].body if _assigns(n) == "__all__"
    )
    imports = [
        n for tree in files.values() for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)
    ]
    reached = {
        "__init__",
        "__main__",
        *((node.module or "").rpartition(".")[2] for node in imports),
    }
    missing = [f"{stem}.py" for stem in files if stem not in reached]
    for stem, tree in files.items():
        for node in (n for n in tree.body if isinstance(n, Definition) and _is_public(n.name)):
            docstring = read_docstring(node)
            is_plumbing = (docstring.source or "none").startswith("none")
            imported = re.search(rf"from posenc_ref import .*\b{node.name}\b", docstring.example)
            if node.name not in public and (imported or not is_plumbing):
                missing.append(f"{stem}.{node.name}")
    return missing


def read_docstring(node: ast.Module | Definition) -> Docstring:
    """Return the docstring of a file, function or class, cut at its sections."""
    prose, *rest = SECTION.split((ast.get_docstring(node) or "") + "\n")
    titles, texts = rest[::2], rest[1::2]
    by_title = {
        title: textwrap.dedent(text).strip() for title, text in zip(titles, texts, strict=True)
    }
    sections = (by_title.get(title, "") for title in ("Source", "Raises", "Example"))
    return Docstring(prose.strip(), *sections)


def _read_file(path: Path, names: set[str]) -> File:
    tree, lines = _parsed(path), path.read_text(encoding="utf-8").splitlines()
    definitions = tuple(
        _read_name(node, lines)
        for node in tree.body
        if isinstance(node, Definition) and node.name in names
    )
    words = set(re.findall(r"\w+", " ".join(name.signature for name in definitions)))
    types = (text for name, text in _types(path).items() if name in words)
    return File(path.stem, read_docstring(tree), tuple(types), definitions)


def _types(path: Path) -> dict[str, str]:
    """Return name → text of the types that a file defines, or imports within the package."""
    tree, lines = _parsed(path), path.read_text(encoding="utf-8").splitlines()
    types = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE.name):
            names = [alias.name for alias in node.names if alias.name.istitle()]
            there = _types(_file_of(node.module, path)) if names else {}
            types |= {name: there[name] for name in names if name in there}
        elif (_assigns(node) or "_").istitle():
            types[_assigns(node)] = _text(node, lines)
    return types


def _read_name(node: Definition, lines: list[str]) -> Name:
    docstring = read_docstring(node)
    if isinstance(node, Function):
        return Name(node.name, _signature(node, lines), _parameters(node), docstring)
    inner = [n for n in node.body if isinstance(n, Function) and _is_public(n.name)]
    fields = [_text(n, lines) for n in node.body if isinstance(n, ast.AnnAssign)]
    signatures = [_signature(method, lines) for method in inner]
    body = textwrap.indent("\n".join([*fields, *signatures]), "    ")
    methods = tuple(_read_name(method, lines) for method in inner)
    parameters = tuple(p for method in methods for p in method.parameters)
    return Name(node.name, f"{_signature(node, lines)}:\n{body}", parameters, docstring, methods)


def _file_of(module: str, path: Path) -> Path:
    """Return the file of a module of the package that the file at `path` belongs to."""
    root = next(folder for folder in path.parents if folder.name == PACKAGE.name)
    return root.joinpath(*module.split(".")[1:]).with_suffix(".py")


def _signature(node: Definition, lines: list[str]) -> str:
    """Return the lines above the body, as the formatter left them."""
    above = lines[node.lineno - 1 : node.body[0].lineno - 1]
    return textwrap.dedent("\n".join(above)).rstrip().removesuffix(":")


def _parameters(node: Function) -> tuple[str, ...]:
    return tuple(arg.arg for arg in (*node.args.args, *node.args.kwonlyargs))


def _is_public(name: str) -> bool:
    return name == "__init__" or not name.startswith("_")


def _assigns(node: ast.stmt) -> str | None:
    """Return the name of `name = …`, None for any other statement."""
    plain = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    return node.targets[0].id if plain else None


def _text(node: ast.stmt, lines: list[str]) -> str:
    return textwrap.dedent("\n".join(lines[node.lineno - 1 : node.end_lineno]))


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
