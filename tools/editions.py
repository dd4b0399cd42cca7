"""Builds the notebooks in one language: `make editions`, into build/editions/zh and …/en.

    python tools/editions.py                    both languages, every chapter
    python tools/editions.py 05_rope            one chapter
    python tools/editions.py --language zh --to FOLDER

They are for places where the language buttons cannot work (Colab, VS Code, the page of a repository
host), and for a teacher who hands out one language. They come from the same text, by nbgrader's own
generate_assignment; their grade cells are the same, and so are the grades. They are not committed,
since they would triple the notebooks: .github/workflows/editions.yml publishes them, in a branch.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from rich.progress import Progress

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # run as a script, the folder of the packages is not on the path

from autograde.nbgrader.release_language import KeepLanguage  # noqa: E402
from bilingual import Language  # noqa: E402
from tools.assemble import assemble, assemble_index  # noqa: E402
from tools.build import INDEX, chosen, release, write_notebook  # noqa: E402
from tools.contents import Chapter, chapter_table, public_links  # noqa: E402
from tools.edition_header import header, places  # noqa: E402
from tools.execute import execute  # noqa: E402

EDITIONS: tuple[Language, ...] = ("zh", "en")
TARGET = ROOT / "build" / "editions"


def edition(chapter: Chapter, language: Language) -> NotebookNode:
    """Return a chapter in one language as learners get it, not yet executed."""
    name = f"{chapter.name}/{chapter.name}.ipynb"
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder)
        write_notebook(course / "solutions" / name, assemble(chapter))
        release(chapter.name, course, language)
        notebook = nbformat.read(course / "notebooks" / name, as_version=4)
    return headed(notebook, name, language)


def edition_index(language: Language) -> NotebookNode:
    """Return the table of contents in one language, not yet executed."""
    notebook = assemble_index(ROOT / "chapters" / f"{INDEX}.py", chapter_table())
    KeepLanguage(language=language).preprocess(notebook, {})
    return headed(notebook, f"{INDEX}.ipynb", language)


def headed(notebook: NotebookNode, name: str, language: Language) -> NotebookNode:
    """Add the header below the title; lead links to the notebook to its edition."""
    path = f"{language}/{name}"
    moved = zip(public_links(f"notebooks/{name}"), places(path), strict=True)
    for (_, old), (_, new) in moved:
        for cell in notebook.cells:
            cell.source = cell.source.replace(f"({old})", f"({new})")
    notebook.cells[1:1] = header(path, language)
    return notebook


def build_edition(chapter: Chapter, language: Language, target: Path) -> None:
    """Write target/LANGUAGE/NAME/NAME.ipynb, executed."""
    path = target / language / chapter.name / f"{chapter.name}.ipynb"
    write_notebook(path, execute(edition(chapter, language)))


def build_edition_index(language: Language, target: Path) -> None:
    """Write target/LANGUAGE/index.ipynb, executed."""
    write_notebook(target / language / f"{INDEX}.ipynb", execute(edition_index(language)))


def build(names: list[str], languages: tuple[Language, ...], target: Path) -> None:
    """Build the named chapters in these languages; all, and the contents, when none is named."""
    wanted = chosen(names)
    with Progress() as progress, ProcessPoolExecutor(os.cpu_count()) as pool:
        waiting = {
            pool.submit(build_edition, chapter, language, target): f"{language} {chapter.name}"
            for language in languages
            for chapter in wanted
        }
        if not names:
            for language in languages:
                waiting[pool.submit(build_edition_index, language, target)] = f"{language} {INDEX}"
        task = progress.add_task("editions", total=len(waiting))
        for done in as_completed(waiting):
            done.result()
            progress.update(task, advance=1, description=waiting[done])


def main() -> None:
    """Read the command line and build."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("chapter", nargs="*", help="chapters to build, e.g. 02_sinusoidal")
    parser.add_argument("--language", choices=EDITIONS, action="append", help="only this one")
    parser.add_argument("--to", type=Path, default=TARGET, help="folder to build into")
    options = parser.parse_args()
    build(options.chapter, tuple(options.language or EDITIONS), options.to)
    print(options.to)


if __name__ == "__main__":
    main()
