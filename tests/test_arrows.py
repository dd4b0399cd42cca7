"""Arrows point down: who may import whom, read in the source and in fresh interpreters.

And nothing of ours needs a private name of torch, which the next version may not have.
"""

import ast
import os
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "bilingual": set(),
    "posenc_ref": set(),
    "posenc_glass": {"posenc_ref"},
    "posenc_viz": {"bilingual"},
    "confined": set(),
    "autograde": {"bilingual", "confined", "posenc_ref"},
    "experiments": {"autograde", "bilingual", "posenc_glass", "posenc_ref"},
    "chapters": {"autograde", "bilingual", "posenc_glass", "posenc_ref", "posenc_viz"},
}
COMMAND = ROOT / "posenc_ref" / "command"  # `python -m posenc_ref` speaks the reader's language
ROOMS = {*MAY_IMPORT, "tools", "tests"}


def modules_imported_by(file: Path) -> set[str]:
    """Return what a file imports, inside functions too: modules, and names from them."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:  # else it stays in its package
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def imported_by(file: Path) -> set[str]:
    """Return the top-level names that a file imports, inside functions too."""
    return {name.partition(".")[0] for name in modules_imported_by(file)}


def files_of(room: str) -> list[Path]:
    """Return the files of a room; those of posenc_ref's command, which may import more, not."""
    files = sorted((ROOT / room).rglob("*.py"))
    return [file for file in files if not file.is_relative_to(COMMAND)]


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_rooms_import_only_rooms_below(room):
    for file in files_of(room):
        others = imported_by(file) & ROOMS - {room}
        assert others <= MAY_IMPORT[room], f"{file.relative_to(ROOT)} imports {sorted(others)}"


def test_no_rooms_of_the_grading_kit_import_each_other():
    """Exercises and quizzes left out: the catalogue finds them by name."""
    graph = {}
    for room in {file.parent.name for file in (ROOT / "autograde").glob("*/__init__.py")}:
        names = set().union(*map(modules_imported_by, files_of(f"autograde/{room}")))
        rooms = {name.split(".")[1] for name in names if name.startswith("autograde.")}
        graph[room] = rooms - {room, "exercises", "quizzes"}
    TopologicalSorter(graph).prepare()  # a CycleError names the rooms of a circle


def test_source_of_posenc_ref_imports_torch_and_the_standard_library():
    for file in files_of("posenc_ref"):
        foreign = imported_by(file) - sys.stdlib_module_names - {"posenc_ref", "torch"}
        assert not foreign, f"{file.relative_to(ROOT)} imports {sorted(foreign)}"


def test_the_command_of_posenc_ref_imports_bilingual_besides_and_chapter_13_alone_imports_it():
    for file in sorted(COMMAND.rglob("*.py")):
        others = imported_by(file) - sys.stdlib_module_names
        assert others <= {"bilingual", "posenc_ref"}, file.relative_to(ROOT)
    files = {file for room in MAY_IMPORT for file in files_of(room)}
    users = {file for file in files if "posenc_ref.command" in file.read_text(encoding="utf-8")}
    main, chapter = ROOT / "posenc_ref" / "__main__.py", ROOT / "chapters" / "13_real_models.py"
    assert users == {main, chapter}


def test_nothing_imports_a_chapter():
    stems = {file.stem for file in files_of("chapters")}
    for room in MAY_IMPORT.keys() | {"tools"}:
        for file in files_of(room):
            assert not imported_by(file) & {"chapters", *stems}, file.relative_to(ROOT)


def test_only_one_file_of_the_course_names_a_backend():
    for room in MAY_IMPORT:
        for file in files_of(room):
            if file == ROOT / "posenc_ref" / "device.py":
                continue
            text = file.read_text(encoding="utf-8")
            files = [
                name for name in ("cuda", "mps", "xpu") if f'"{name}' in text or f".{name}" in text
            ]
            assert not files, f"{file.relative_to(ROOT)} names {files}; ask posenc_ref.device()"


def printed_by(code: str, tmp_path: Path) -> set[str]:
    """Return the words that a program prints, run where the installed packages are meant."""
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,  # away from the repository
        env={
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "MPLCONFIGDIR": str(tmp_path),
            "POSENC_DATA_DIR": str(tmp_path),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return set(run.stdout.split())


LOADED = """import sys, torch
before = set(sys.modules)
import posenc_ref
print(*{name.partition(".")[0] for name in set(sys.modules) - before})
"""


def test_posenc_ref_loads_nothing_but_torch(tmp_path):
    added = printed_by(LOADED, tmp_path)
    assert added - sys.stdlib_module_names - {"torch"} == {"posenc_ref"}


def private_names_of_torch(source: str) -> list[str]:
    """Return what begins with one underscore below torch, imported or read, also by getattr."""
    tree, names, imported = ast.parse(source), [], {"torch": "torch"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == "torch":
                    names.append(alias.name)
                    imported[alias.asname or "torch"] = alias.name if alias.asname else "torch"
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "torch":
            for alias in node.names:
                names.append(f"{node.module}.{alias.name}")
                imported[alias.asname or alias.name] = names[-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            names.append(dotted(node, imported))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names += [node.value] if re.fullmatch(r"torch(\.\w+)+", node.value) else []
    return sorted({name for name in names if re.search(r"^torch\b.*\._(?!_)", name)})


def dotted(node: ast.expr, imported: dict[str, str]) -> str:
    """Return `torch.a.b` for an attribute of torch or of what is imported from it, else ""."""
    if isinstance(node, ast.Name):
        return imported.get(node.id, "")
    if not isinstance(node, ast.Attribute):
        return ""
    below = dotted(node.value, imported)
    return below and f"{below}.{node.attr}"


@pytest.mark.parametrize("room", sorted({*MAY_IMPORT, "tools"}))
def test_source_uses_public_names_of_torch(room):
    for file in files_of(room):
        names = private_names_of_torch(file.read_text(encoding="utf-8"))
        assert not names, f"{file.relative_to(ROOT)} needs {names}"


def test_private_names_of_torch_are_seen():
    for source in (
        "import torch._C",
        "import torch._dynamo as dynamo",
        "from torch._C import _are_functorch_transforms_active",
        "from torch import _C",
        "import torch\ntorch._C._set_mkldnn_enabled(True)",
        "from torch.autograd import forward_ad\nforward_ad._current_level",
        "import torch as t\nt.nn._reduction",
        "importlib.import_module('torch._functorch')",
    ):
        assert private_names_of_torch(source), source
    for source in (
        "import torch\ntorch.__version__",
        "self._C._x",
        "from torch import nn\nnn.Module",
    ):
        assert private_names_of_torch(source) == [], source


CHECK = """import contextlib, io, sys
from autograde import check
with contextlib.redirect_stdout(io.StringIO()):
    assert check("sinusoidal_table", lambda positions, dim: None) == 0.0  # it is called
print(*(name for name in sys.modules if name.partition(".")[0] == "confined"))
"""


def test_a_check_loads_only_the_deadline_of_confined(tmp_path):
    assert printed_by(CHECK, tmp_path) == {"confined", "confined.deadline"}
