"""Builds the notebooks in one language: `make editions`, into build/editions/zh and …/en.

    python -m tools.build.editions                    both languages, every chapter
    python -m tools.build.editions 05_rope            one chapter
    python -m tools.build.editions --language zh --to FOLDER

They are for places where the language buttons cannot work (Colab, VS Code, the page of a repository
host), and for a teacher who hands out one language. They come from the same text, by nbgrader's own
generate_assignment; their grade cells are the same, and so are the grades. They are not committed,
since they would triple the notebooks: .github/workflows/publish.yml publishes them, in a branch.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from nbformat import NotebookNode

from autograde.nbgrader.release_language import KeepLanguage
from bilingual import Language
from bilingual.setting import ONE_LANGUAGE
from tools.build.assemble import assemble, assemble_index
from tools.build.contents import ROOT, Chapter, public_links
from tools.build.edition_header import header, places
from tools.build.execute import Run, execute
from tools.build.notebooks import INDEX, named_chapters
from tools.build.pool import run_all
from tools.build.release import release, write_notebook
from tools.build.tables import index_parts
from tools.build.unseen import as_new

TARGET = ROOT / "build" / "editions"


def edition(chapter: Chapter, language: Language) -> NotebookNode:
    """Return a chapter in one language as learners get it, not yet executed."""
    notebook = release(chapter.name, assemble(chapter), language)
    return headed(notebook, f"{chapter.name}/{chapter.name}.ipynb", language)


def edition_index(course: list[Chapter], language: Language) -> NotebookNode:
    """Return the table of contents in one language, not yet executed."""
    notebook = assemble_index(ROOT / "chapters" / f"{INDEX}.py", index_parts(course))
    KeepLanguage(language=language).preprocess(notebook, {})
    return headed(notebook, f"{INDEX}.ipynb", language)


def headed(notebook: NotebookNode, name: str, language: Language) -> NotebookNode:
    """Add the header below the title; redirect links from the notebook to its edition."""
    path = f"{language}/{name}"
    moved = zip(public_links(f"notebooks/{name}"), places(path), strict=True)
    for (_, old), (_, new) in moved:
        for cell in notebook.cells:
            cell.source = cell.source.replace(f"({old})", f"({new})")
    notebook.cells[1:1] = header(path, language)
    return notebook


def build_editions(name: str, notebooks: dict[Language, NotebookNode], target: Path) -> None:
    """Write target/LANGUAGE/`name` for each language, executed in one kernel, then as new."""
    execute(*(Run(notebook, language, data=language) for language, notebook in notebooks.items()))
    for language, notebook in notebooks.items():
        as_new(notebook)
        write_notebook(target / language / name, notebook)


def build_chapter(chapter: Chapter, languages: tuple[Language, ...], target: Path) -> None:
    """Write target/LANGUAGE/NAME/NAME.ipynb for each language."""
    notebooks = {language: edition(chapter, language) for language in languages}
    build_editions(f"{chapter.name}/{chapter.name}.ipynb", notebooks, target)


def build_index(course: list[Chapter], languages: tuple[Language, ...], target: Path) -> None:
    """Write target/LANGUAGE/index.ipynb for each language."""
    notebooks = {language: edition_index(course, language) for language in languages}
    build_editions(f"{INDEX}.ipynb", notebooks, target)


def build(names: list[str], languages: tuple[Language, ...], target: Path) -> None:
    """Build the named chapters in these languages; all, and the contents, when none is named."""
    course = named_chapters(names)
    jobs = {chapter.name: (build_chapter, chapter, languages, target) for chapter in course}
    if not names:
        jobs[INDEX] = (build_index, course, languages, target)
    run_all("editions", jobs)


def main() -> None:
    """Read the command line and build."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("chapter", nargs="*", help="chapters to build, e.g. 02_sinusoidal")
    parser.add_argument("--language", choices=ONE_LANGUAGE, action="append", help="only this one")
    parser.add_argument("--to", type=Path, default=TARGET, help="folder to build into")
    options = parser.parse_args()
    build(options.chapter, tuple(options.language or ONE_LANGUAGE), options.to)
    print(options.to)


if __name__ == "__main__":
    main()
