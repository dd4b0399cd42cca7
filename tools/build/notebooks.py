"""The committed notebooks: chapters/*.py → solutions/ → notebooks/, and the tables made from them.

solutions/ is nbgrader's source, executed. notebooks/ is what nbgrader's generate_assignment makes
of it, unsolved. One kernel runs both.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import nbformat

from bilingual import Language
from bilingual.files import write_whole
from tools.build.assemble import assemble, assemble_index
from tools.build.contents import ROOT, Chapter, chapter_list, chapters
from tools.build.execute import Run, execute
from tools.build.pool import run_all
from tools.build.release import release, write_notebook
from tools.build.tables import address_in_readme, chapter_table, index_parts, ways_table
from tools.build.unseen import fold

INDEX = "index"
CHAPTER_LIST = Path("autograde") / "kit" / "chapters.json"
READMES: dict[str, Language] = {"README.md": "en", "README.zh.md": "zh"}
BEGIN, END = "<!-- chapters:begin -->", "<!-- chapters:end -->"


def build_chapter(chapter: Chapter, target: Path, run: bool = True) -> None:
    """Write solutions/NAME/NAME.ipynb and notebooks/NAME/NAME.ipynb below `target`."""
    solved = assemble(chapter)
    unsolved = release(chapter.name, solved, "both")
    if run:
        execute(Run(solved), Run(unsolved, data="unsolved"))
    fold(unsolved)
    for folder, notebook in (("solutions", solved), ("notebooks", unsolved)):
        write_notebook(target / folder / chapter.name / f"{chapter.name}.ipynb", notebook)


def build_index(course: list[Chapter], target: Path, run: bool = True) -> None:
    """Write the table of contents, notebooks/index.ipynb."""
    notebook = assemble_index(ROOT / "chapters" / f"{INDEX}.py", index_parts(course))
    if run:
        execute(Run(notebook))
    write_notebook(target / "notebooks" / f"{INDEX}.ipynb", notebook)


def build_lists(course: list[Chapter], target: Path) -> None:
    """Update the chapter tables of the two READMEs, and the kit's list of chapters."""
    write_whole(target / CHAPTER_LIST, chapter_list(course).encode("utf-8"))
    ways, table = ways_table(course, address_in_readme), chapter_table(course, "notebooks/")
    for name, language in READMES.items():
        before, rest = (ROOT / name).read_text(encoding="utf-8").split(BEGIN)
        after = rest.split(END)[1]
        tables = "\n\n".join(part.in_language(language) for part in (ways, table))
        text = f"{before}{BEGIN}\n{tables}\n{END}{after}"
        write_whole(target / name, text.encode("utf-8"))


def named_chapters(names: list[str]) -> list[Chapter]:
    """Return the named chapters, all when none is named; SystemExit if a name is unknown."""
    by_name = {chapter.name: chapter for chapter in chapters()}
    unknown = sorted(set(names) - set(by_name))
    if unknown:
        raise SystemExit(f"no chapter named {', '.join(unknown)}; there are: {', '.join(by_name)}")
    return [by_name[name] for name in names] or list(by_name.values())


def build(names: list[str], target: Path, run: bool = True) -> None:
    """Build the named chapters (all, and the index and the lists, when none is named).

    run: whether the cells are executed; if not, the notebooks have no outputs.
    """
    course = named_chapters(names)
    jobs = {chapter.name: (build_chapter, chapter, target, run) for chapter in course}
    if not names:
        jobs[INDEX] = (build_index, course, target, run)
        build_lists(course, target)
    run_all("build", jobs)


def stale_files(names: list[str]) -> list[str]:
    """Return the committed files that differ from a fresh build in source, metadata or text.

    If all chapters are built, a notebook that belongs to none of them is stale too.
    """
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder)
        build(names, target)
        paths = {path.relative_to(target) for path in target.rglob("*") if path.is_file()}
        paths |= set() if names else committed_notebooks()
        return [
            str(path) for path in sorted(paths) if readable(target / path) != readable(ROOT / path)
        ]


def committed_notebooks() -> set[Path]:
    """Return the notebooks in notebooks/ and solutions/, relative to the repository."""
    patterns = ("notebooks/*.ipynb", "notebooks/[0-9]*/*.ipynb", "solutions/[0-9]*/*.ipynb")
    return {path.relative_to(ROOT) for pattern in patterns for path in ROOT.glob(pattern)}


def readable(path: Path) -> str:
    """Return a file without the bytes of its pictures, which differ between machines."""
    if not path.exists():
        return ""
    if path.suffix != ".ipynb":
        return path.read_text(encoding="utf-8")
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if "nbval-ignore-output" in cell.metadata.get("tags", []):
            cell.outputs = []
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("image/png", None)
    return nbformat.writes(notebook)
