"""One language of the site: its contents page, its words for the search, and Sphinx."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat

from bilingual import Language
from bilingual.setting import speaking
from tools.build.assemble import address_on_page
from tools.build.contents import ROOT, Chapter
from tools.build.tables import two_hours_list, ways_table
from tools.museum.page import site_page
from tools.museum.picture import panels
from tools.museum.rows import rows
from tools.museum.words import TITLE as MUSEUM
from tools.site.drawing import Drawing
from tools.site.figure import still_figure
from tools.site.words import (
    CHAPTERS,
    COLUMNS,
    LOCALES,
    MINUTES,
    QUESTION,
    RESUME,
    TITLE,
    TWO_HOURS,
    WAYS_TITLE,
    WHY,
)

CONFIGURATION = Path(__file__).parent
WORD = re.compile(r"[\u4e00-\u9fff]{2,}")
MOVING = "02_sinusoidal"  # the chapter whose first figure with controls opens the site
RESUMED = '<p class="course-resume" hidden>{} <a></a></p>'
GLOSSARY = ROOT / "docs" / "glossary.md"


def write_contents(
    chapters: list[Chapter], course: list[Chapter], source: Path, language: Language
) -> None:
    """Write `source`/index.md: what the course is, its ways, and a table of the site's chapters."""
    rows = [COLUMNS.in_language(language), "|---" * 6 + "|"]
    for chapter in chapters:
        title, question = (
            chapter.title.in_language(language),
            chapter.question.in_language(language),
        )
        times = [chapter.minutes_on("two_hours"), chapter.minutes_on("weekend"), chapter.minutes]
        minutes = [MINUTES.format(minutes=t).in_language(language) if t else "–" for t in times]
        link = f"[{title}]({chapter.name}.ipynb)"
        rows.append(f"| {int(chapter.name[:2])} | {link} | {question} | {' | '.join(minutes)} |")
    names = [f"{chapter.title.in_language(language)} <{chapter.name}>" for chapter in chapters]
    listed = [
        f"```{{toctree}}\n:hidden:\n:caption: {CHAPTERS.in_language(language)}",
        *names,
        f"{MUSEUM.in_language(language)} <museum>",
        "```",
    ]
    parts = [
        f"# {TITLE.in_language(language)}",
        RESUMED.format(RESUME.in_language(language)),
        QUESTION.in_language(language),
        first_figure(source / f"{MOVING}.ipynb"),
        WHY.format(link=f"page:{MOVING}").in_language(language),
        f"## {WAYS_TITLE.in_language(language)}",
        ways_table(course, address_on_page).in_language(language),
        f"### {TWO_HOURS.in_language(language)}",
        two_hours_list(course, address_on_page).in_language(language),
        f"## {CHAPTERS.in_language(language)}",
        *("\n".join(rows), "\n".join(listed)),
    ]
    (source / "index.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def first_figure(page: Path) -> str:
    """Return the first figure with controls of a chapter's page as Markdown, "" without one."""
    cells = nbformat.read(page, as_version=4).cells if page.exists() else []
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    html = [output.get("data", {}).get("text/html", "") for output in outputs]
    figures = [each for each in html if "data-frames" in each]
    return f"```{{raw}} html\n{figures[0]}\n```" if figures else ""


def write_museum(source: Path, language: Language) -> None:
    """Write `source`/museum.md: every architecture and its encoding."""
    table = rows()
    with speaking(language):
        drawn = panels(table)
        figure = still_figure(Drawing().marks(drawn), drawn)
    (source / "museum.md").write_text(site_page(table, language, figure), encoding="utf-8")


def write_terms(path: Path) -> None:
    """Write the Chinese words of the glossary, so that the search keeps each as one word."""
    terms = set()
    for line in GLOSSARY.read_text(encoding="utf-8").splitlines():
        columns = line.split("|")
        if len(columns) > 2:
            terms |= set(WORD.findall(columns[2]))
    path.write_text("".join(f"{term}\n" for term in sorted(terms)), "utf-8")


def run_sphinx(source: Path, target: Path, language: Language, terms: Path) -> None:
    """Build the pages of one language; a warning is an error."""
    settings = {
        "language": LOCALES[language],
        "html_title": TITLE.in_language(language),
        "html_extra_path": str((source / "files").resolve()),
        "html_search_options.dict": str(terms.resolve()),
    }
    options = [f"-D{name}={value}" for name, value in settings.items()]
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    folders = ["-c", str(CONFIGURATION), "-d", str(source.parent / f"doctrees-{language}")]
    subprocess.run(
        [*command, *folders, *options, str(source), str(target)],
        env={**os.environ, "POSENC_LANGUAGE": language},
        check=True,
    )
