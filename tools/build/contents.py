"""All chapters, and what is generated from them: lists, tables, navigation, links."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from nbformat import NotebookNode

from autograde.kit.catalogue import exercise
from autograde.kit.cell_role import KEY
from autograde.kit.chapter import Section
from autograde.kit.exercise import Exercise
from autograde.kit.way import Way, goes_through
from bilingual import Text
from tools.build.chapter_text import ChapterError, read_text
from tools.build.sections import sections

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Chapter:
    """A chapter's text file, what its header says, its sections, and the chapters that follow."""

    path: Path
    title: Text
    question: Text
    sections: tuple[Section, ...]
    later: tuple[Chapter, ...] = field(default=(), repr=False, compare=False)

    @property
    def name(self) -> str:
        """Return the name of its folder and notebook, e.g. "02_sinusoidal"."""
        return self.path.stem

    @property
    def exercises(self) -> tuple[str, ...]:
        """Return the ids of its exercises, in order."""
        return tuple(name for section in self.sections for name in section.exercises)

    @property
    def minutes(self) -> int:
        """Return the minutes for the whole chapter: the sum of those in its headings."""
        return self.minutes_on("everything")

    def minutes_on(self, way: Way) -> int:
        """Return the minutes for the parts of the chapter that are on `way`."""
        on_way = [section for section in self.sections if goes_through(way, section.way)]
        return sum(section_minutes(section, way) for section in on_way)


def section_minutes(section: Section, way: Way) -> int:
    """Return the minutes for a section and its exercises on `way`."""
    return section.minutes + sum(exercise(name).minutes for name in section.exercises_on(way))


def chapters(
    folder: Path = ROOT / "chapters", read: Callable[[Path], NotebookNode] = read_text
) -> list[Chapter]:
    """Return all chapters in order. `read` reads the text of each."""
    course: list[Chapter] = []
    for path in sorted(folder.glob("[0-9][0-9]_*.py"), reverse=True):
        course.insert(0, replace(_chapter(path, read(path)), later=tuple(course)))
    return course


def _chapter(path: Path, text: NotebookNode) -> Chapter:
    header = text.metadata.get(KEY, {})
    try:
        title, question = Text(**header["title"]), Text(**header["question"])
    except (KeyError, TypeError) as reason:
        problem = "its header needs posenc: a title and a question, each in en and zh"
        raise ChapterError(f"{path.name}: {problem}") from reason
    return Chapter(path, title, question, sections(text.cells))


def chapter_list(course: list[Chapter]) -> str:
    """Return `autograde/kit/chapters.json`: titles, minutes, exercises, sections, for the kit."""
    listed = {
        chapter.name: {
            "title": {"en": chapter.title.en, "zh": chapter.title.zh},
            "minutes": chapter.minutes,
            "exercises": {name: _effort(exercise(name)) for name in chapter.exercises},
            "sections": [asdict(section) for section in chapter.sections],
        }
        for chapter in course
    }
    return json.dumps(listed, ensure_ascii=False, indent=1) + "\n"


def _effort(exercise: Exercise) -> dict[str, float]:
    return {"points": exercise.points, "minutes": exercise.minutes}


def navigation(chapter: Chapter) -> Text:
    """Return the links that close a chapter: contents, next chapter, public places if any."""
    en, zh = ["[Contents](../index.ipynb)"], ["[目录](../index.ipynb)"]
    for following in chapter.later[:1]:
        link = f"../{following.name}/{following.name}.ipynb"
        en.append(f"[Next: {following.title.en}]({link})")
        zh.append(f"[下一章：{following.title.zh}]({link})")
    public = public_links(f"notebooks/{chapter.name}/{chapter.name}.ipynb")
    return Text(
        en="---\n" + " · ".join([*en, *(f"[{name.en}]({url})" for name, url in public)]),
        zh="---\n" + " · ".join([*zh, *(f"[{name.zh}]({url})" for name, url in public)]),
    )


@dataclass(frozen=True)
class Repository:
    """Where the course is public: an address of the form scheme://host/owner/name, and a branch."""

    address: str
    branch: str


def repository() -> Repository | None:
    """Return the repository in `[tool.posenc]` of pyproject.toml; None while it has no address."""
    setting = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["posenc"]
    address = setting["repository"].rstrip("/")
    return Repository(address, setting["branch"]) if address else None


def public_links(path: str, branch: str | None = None) -> list[tuple[Text, str]]:
    """Return (name, address) of the places that open `path`; empty while no repository is set.

    branch: default, the course's own. The addresses for Binder and Colab are right for GitHub only.
    """
    public = repository()
    if public is None:
        return []
    branch = branch or public.branch
    owner_name = "/".join(public.address.split("/")[-2:])
    return [
        (Text(en="Source", zh="源文件"), f"{public.address}/blob/{branch}/{path}"),
        (
            Text(en="Open in Binder", zh="在Binder中打开"),
            f"https://mybinder.org/v2/gh/{owner_name}/{branch}?urlpath=lab/tree/{path}",
        ),
        (
            Text(en="Open in Colab", zh="在Colab中打开"),
            f"https://colab.research.google.com/github/{owner_name}/blob/{branch}/{path}",
        ),
    ]
