"""Builds the notebooks: chapters/*.py → solutions/ → notebooks/, and the tables made from them.

    python tools/build.py                  everything
    python tools/build.py 02_sinusoidal    one chapter
    python tools/build.py --language zh --to build/zh   one language, elsewhere
    python tools/build.py --check          says what is stale, changes nothing

solutions/ is nbgrader's source, executed. notebooks/ is what nbgrader's generate_assignment makes
of it, executed as it is, unsolved.
"""

from __future__ import annotations

import argparse
import logging
import os
import shutil
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor, as_completed
from copy import deepcopy
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.apps import NbGraderAPI
from rich.progress import Progress
from traitlets.config import Config, PyFileConfigLoader

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # run as a script, the folder of the packages is not on the path

from bilingual import LANGUAGES, Language  # noqa: E402
from tools.assemble import assemble, assemble_index  # noqa: E402
from tools.contents import Chapter, chapter_table, chapters  # noqa: E402
from tools.execute import execute  # noqa: E402

INDEX = "index"
READMES: dict[str, Language] = {"README.md": "en", "README.zh.md": "zh"}
BEGIN, END = "<!-- chapters:begin -->", "<!-- chapters:end -->"


def build_chapter(
    chapter: Chapter, target: Path, language: Language = "both", run: bool = True
) -> None:
    """Write solutions/NAME/NAME.ipynb and notebooks/NAME/NAME.ipynb below `target`."""
    finished = execute if run else deepcopy
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder)
        source = course / "solutions" / chapter.name / f"{chapter.name}.ipynb"
        write_notebook(source, finished(assemble(chapter)))
        release(chapter.name, course, language)
        released = course / "notebooks" / chapter.name / f"{chapter.name}.ipynb"
        write_notebook(released, finished(nbformat.read(released, as_version=4)))
        for path in (source, released):
            built = target / path.relative_to(course)
            built.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, built)


def release(name: str, course: Path, language: Language) -> None:
    """Run nbgrader's own generate_assignment on `course`, with a gradebook that is thrown away."""
    config = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT)).load_config()
    config.merge(
        Config(
            CourseDirectory={"root": str(course), "db_url": f"sqlite:///{course / 'gradebook.db'}"},
            KeepLanguage={"language": language},
        )
    )
    result = NbGraderAPI(config=config, log_level=logging.WARNING).generate_assignment(name)
    if not result["success"]:
        raise RuntimeError(f"nbgrader generate_assignment failed for {name}:\n{result['log']}")


def build_index(target: Path, run: bool = True) -> None:
    """Write the table of contents, notebooks/index.ipynb."""
    notebook = assemble_index(ROOT / "chapters" / f"{INDEX}.py", chapter_table())
    path = target / "notebooks" / f"{INDEX}.ipynb"
    write_notebook(path, execute(notebook) if run else notebook)


def build_readmes(target: Path) -> None:
    """Renew the chapter tables of the two READMEs."""
    table = chapter_table(prefix="notebooks/")
    for name, language in READMES.items():
        before, rest = (ROOT / name).read_text(encoding="utf-8").split(BEGIN)
        after = rest.split(END)[1]
        text = f"{before}{BEGIN}\n{table.in_language(language)}\n{END}{after}"
        (target / name).write_text(text, encoding="utf-8")


def write_notebook(path: Path, notebook: NotebookNode) -> None:
    """Write a notebook, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    nbformat.write(notebook, unfinished)
    unfinished.replace(path)


def chosen(names: list[str]) -> list[Chapter]:
    """Return the named chapters, all when none is named; SystemExit for one that is not there."""
    known = {chapter.name: chapter for chapter in chapters()}
    unknown = sorted(set(names) - set(known))
    if unknown:
        raise SystemExit(f"no chapter named {', '.join(unknown)}; there are: {', '.join(known)}")
    return [known[name] for name in names] or list(known.values())


def build(names: list[str], target: Path, language: Language = "both", run: bool = True) -> None:
    """Build the named chapters (all, and the index and READMEs, when none is named).

    run: whether the cells are executed; if not, the notebooks have no outputs.
    """
    wanted = chosen(names)
    with Progress() as progress, ProcessPoolExecutor(os.cpu_count()) as pool:
        task = progress.add_task("build", total=len(wanted) + (not names))
        waiting = {pool.submit(build_chapter, c, target, language, run): c.name for c in wanted}
        if not names:
            waiting[pool.submit(build_index, target, run)] = INDEX
            build_readmes(target)
        for done in as_completed(waiting):
            done.result()
            progress.update(task, advance=1, description=waiting[done])


def stale(names: list[str]) -> list[str]:
    """Return the committed files that differ from a fresh build in source, metadata or text."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder)
        build(names, target)
        fresh = sorted(path for path in target.rglob("*") if path.is_file())
        return [
            str(path.relative_to(target))
            for path in fresh
            if readable(path) != readable(ROOT / path.relative_to(target))
        ]


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


def main() -> None:
    """Read the command line and build."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("chapter", nargs="*", help="chapters to build, e.g. 02_sinusoidal")
    parser.add_argument("--check", action="store_true", help="say what is stale, change nothing")
    parser.add_argument("--language", choices=LANGUAGES, default="both")
    parser.add_argument("--to", type=Path, default=ROOT, help="folder to build into")
    options = parser.parse_args()
    if options.check:
        old = stale(options.chapter)
        if old:
            raise SystemExit("stale, run `make build`:\n" + "\n".join(old))
        print("every built file is fresh")
    else:
        options.to.mkdir(parents=True, exist_ok=True)
        build(options.chapter, options.to, options.language)


if __name__ == "__main__":
    main()
