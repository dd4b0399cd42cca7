"""The first cells of an edition: links to places that open it, and a cell that installs it."""

from __future__ import annotations

import tomllib

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograde.kit.cell_role import CellRole
from bilingual import Language, Text
from tools.build.contents import ROOT, Repository, public_links, repository

BRANCH = "editions"  # of the public repository: .github/workflows/publish.yml renews it
FOLDER = "editions"  # in that branch
# What a learner's notebooks import. A package that is installed already stays, if new enough.
NEEDED = (
    *("numpy", "safetensors", "matplotlib", "ipywidgets", "anywidget", "mistune", "fsrs"),
    "platformdirs",
)
ANY = ("torch",)  # of any version: Colab has its own

INSTALLS = Text(
    en="Run the next cell first. It installs the course where it is missing, as in Colab; "
    "elsewhere it does nothing.",
    zh="请先运行下一个单元格：没有安装课程的地方（例如Colab），它会安装；已经装好就什么也不做。",
)
LOOKS = Text(
    en="Run the next cell first: it looks whether the course is installed here.",
    zh="请先运行下一个单元格：它会看看这里有没有安装课程。",
)
NOT_HERE = Text(
    en="The course is not installed, and this copy has no public address. ",
    zh="课程没有安装，这一份也没有公开地址。",
)
WHAT_TO_DO = Text(
    en="Run `pip install .` in the folder of the course, then restart the kernel.",
    zh="请在课程目录里运行`pip install .`，然后重启内核。",
)
FROM_REPOSITORY = """\
from importlib.util import find_spec

if find_spec("autograde") is None:
    %pip install --quiet {needed}
    %pip install --quiet --no-deps git+{address}@{branch}"""
FROM_NOWHERE = """\
from importlib.util import find_spec

if find_spec("autograde") is None:
    raise ModuleNotFoundError(
        "{not_here}"
        "{what_to_do}"
    )"""


def header(path: str, language: Language) -> list[NotebookNode]:
    """Return the cells for the edition at `path` below its folder, e.g. "zh/index.ipynb"."""
    links = [f"[{name.in_language(language)}]({url})" for name, url in places(path)]
    instruction = (INSTALLS if links else LOOKS).in_language(language)
    words = f"{' · '.join(links)}\n\n{instruction}" if links else instruction
    prose_role = CellRole("prose", lang=language)
    prose = f'<div lang="{language}">\n\n{words}\n\n</div>'
    return [
        new_markdown_cell(prose, metadata=prose_role.metadata(), id="edition-places"),
        new_code_cell(
            installation(repository(), language),
            metadata=CellRole("code").metadata(),
            id="edition-install",
        ),
    ]


def places(path: str) -> list[tuple[Text, str]]:
    """Return (name, address) of the public places that open an edition; empty if there are none."""
    return public_links(f"{FOLDER}/{path}", branch=BRANCH)


def installation(source: Repository | None, language: Language) -> str:
    """Return code that installs the course if it is missing, or raises an error that says how."""
    if source is None:
        here, do = NOT_HERE.in_language(language), WHAT_TO_DO.in_language(language)
        return FROM_NOWHERE.format(not_here=here, what_to_do=do)
    needed = " ".join([*ANY, *(f'"{one}"' for one in requirements())])
    return FROM_REPOSITORY.format(needed=needed, address=source.address, branch=source.branch)


def requirements() -> list[str]:
    """Return what the course requires of the packages in `NEEDED`, e.g. "numpy>=2.0"."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [one for one in project["dependencies"] if one.startswith(NEEDED)]
