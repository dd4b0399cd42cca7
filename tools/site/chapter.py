"""Runs a chapter once for its pages in both languages, its figures sampled, and writes them.

The folder of a chapter holds a folder for each language: NAME.ipynb, which Sphinx reads, and the
figures in files/figures/NAME. A digest of the sources is written last, so that a build that was
interrupted keeps the finished chapters.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from bilingual.files import write_whole
from bilingual.setting import ONE_LANGUAGE
from tools.build.assemble import assemble_page
from tools.build.contents import ROOT, Chapter
from tools.build.execute import Run, execute
from tools.build.release import release, write_notebook
from tools.site.cells import to_show

PREPARE = """\
from pathlib import Path
from tools.site.recorder import Recorder
_recorder = Recorder({address!r}, {stops})
_recorder.install()"""
ROOMS = (
    *("autograde", "bilingual", "confined", "posenc_glass", "posenc_ref", "posenc_viz"),
    *("tools/build", "tools/site"),
)
# generate_assignment reads the last two; course.toml may be missing
FILES = ("constraints.txt", "pyproject.toml", "nbgrader_config.py", "course.toml")
# kinds of files that a page is made from
READ = {".py", ".json", ".toml", ".otf", ".safetensors", ".xz"}
MADE_FROM = "made-from"


def write_chapter(chapter: Chapter, folder: Path, stops: int) -> None:
    """Write the pages of a chapter into `folder`, unless they are there and up to date."""
    page = assemble_page(chapter)
    source = made_from(chapter, page, stops)
    if not is_made_from(folder, source):
        shutil.rmtree(folder, ignore_errors=True)
        _write(chapter, page, folder, stops)
        write_whole(folder / MADE_FROM, source.encode())


def is_made_from(folder: Path, source: str) -> bool:
    """Return whether the pages in `folder` were finished, and made from this source."""
    stamp = folder / MADE_FROM
    return stamp.exists() and stamp.read_text(encoding="utf-8") == source


def made_from(chapter: Chapter, page: NotebookNode, stops: int) -> str:
    """Return a digest of all that the pages of a chapter depend on.

    page: as it was assembled; its links name sections of other chapters.
    """
    files = [file for room in ROOMS for file in (ROOT / room).rglob("*") if file.suffix in READ]
    files += [file for file in (ROOT / name for name in FILES) if file.exists()]
    digest = hashlib.sha256(f"{chapter.name} {stops}".encode())
    digest.update(nbformat.writes(page).encode())
    for file in sorted([chapter.path, *files]):
        digest.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def _write(chapter: Chapter, page: NotebookNode, folder: Path, stops: int) -> None:
    address = f"figures/{chapter.name}"
    notebooks = {language: release(chapter.name, page, language) for language in ONE_LANGUAGE}
    runs = []
    for language, notebook in notebooks.items():
        figures = (folder / language / "files" / address).resolve()
        before = f"_recorder.record(Path({str(figures)!r}))"
        runs.append(Run(notebook, language, before, data=language))
    execute(*runs, prepare=PREPARE.format(address=address, stops=stops))
    for language, notebook in notebooks.items():
        notebook.cells = list(to_show(notebook, chapter, language))
        write_notebook(folder / language / f"{chapter.name}.ipynb", notebook)
