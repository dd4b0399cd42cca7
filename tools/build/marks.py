"""Adds lines about ways to a chapter: below each heading, and at an exercise that ways leave out.

The line below a section's heading lists the section's ways and minutes. Where ways leave out the
next sections, the first section left out names the section at which these ways go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby

from nbformat import NotebookNode

from autograde.kit.chapter import Section
from autograde.kit.way import NAMES, WAYS, Way, goes_through
from bilingual import Language, Text
from bilingual.setting import ONE_LANGUAGE
from tools.build.chapter_text import read_chapter
from tools.build.contents import Chapter, section_minutes
from tools.build.sections import begins_section
from tools.build.unseen import tag_answers

MINUTES = "{minutes}"  # a placeholder in the opening of a chapter

TIME = Text(en="{ways} · {minutes} min", zh="{ways} · {minutes}分钟")
COMMA = Text(en=", ", zh="、")
SEMICOLON = Text(en="; ", zh="；")
STOP = Text(en=". ", zh="。")
GO_ON = Text(
    en="{ways}: on to [{title}]({link}).", zh="走“{ways}”路线的，接着读[{title}]({link})。"
)
ENDS = Text(en="{ways}: nothing more from here on.", zh="走“{ways}”路线的，读到这里为止。")
SKIP_TO = Text(
    en="{ways}: skip this chapter, on to [{title}]({link}).",
    zh="走“{ways}”路线的，跳过本章，接着读[{title}]({link})。",
)
SKIP = Text(en="{ways}: skip this chapter.", zh="走“{ways}”路线的，跳过本章。")
BETWEEN_WAYS = Text(en=", ", zh="”“")
LEAVE_OUT = Text(en="*{ways}: leave this exercise out.*", zh="*走“{ways}”路线的，跳过这道练习。*")
Address = Callable[[Chapter, int, Language], str]  # of section `number` of a chapter


def marked_cells(chapter: Chapter, address: Address) -> list[NotebookNode]:
    """Return the cells of a chapter as written, with these lines and its minutes filled in.

    Both cells of a heading carry `way` and `section`, its number; an answer's cell carries
    `leaving`, the ways of its section that leave the exercise out.
    """
    cells, number = read_chapter(chapter.path), -1
    tag_answers(cells)
    heads = [begins_section(cell) for cell in cells]
    for cell, head, twin in zip(cells, heads, [False, *heads], strict=False):
        number += head
        if head or twin:
            section, lang = chapter.sections[number], cell.metadata["lang"]
            line = way_line(chapter, number, address).in_language(lang)
            first, _, rest = cell.source.replace(MINUTES, str(chapter.minutes)).partition("\n")
            cell.source = f"{first}\n\n{line}\n{rest}"
            cell.metadata.update(way=section.way, section=number)
        elif "exercise" in cell.metadata and "way" in cell.metadata:
            here = (way for way in WAYS if goes_through(way, chapter.sections[number].way))
            leaving = [way for way in here if not goes_through(way, cell.metadata["way"])]
            cell.metadata["leaving"] = leaving
    return cells


def with_ways_leaving(task: Text, ways: Iterable[Way]) -> Text:
    """Return a task that says below its heading which ways leave it out."""
    parts: dict[Language, str] = {}
    for language in ONE_LANGUAGE:
        names = BETWEEN_WAYS.in_language(language).join(_name(way, language) for way in ways)
        line = LEAVE_OUT.in_language(language).format(ways=_capital(names))
        parts[language] = task.in_language(language).replace("\n\n", f"\n\n{line}\n\n", 1)
    return Text(**parts)


def way_line(chapter: Chapter, number: int, address: Address) -> Text:
    """Return the line below the heading of section `number`, in Markdown."""
    section = chapter.sections[number]
    # readers on any way may open a chapter: its opening names all ways
    before = chapter.sections[number - 1].way if number else WAYS[0]
    through = [way for way in WAYS if goes_through(way, section.way)]
    leaving = [way for way in WAYS if goes_through(way, before) and way not in through]
    parts: dict[Language, str] = {}
    for language in ONE_LANGUAGE:
        times = (
            TIME.in_language(language).format(ways=_names(ways, language), minutes=minutes)
            for minutes, ways in groupby(through, partial(section_minutes, section))
        )
        line = f"*{_capital(SEMICOLON.in_language(language).join(times))}*"
        sentences = [
            _goes_on(list(ways), target, chapter, language, address)
            for target, ways in groupby(leaving, lambda way: _target(way, chapter, number))
        ]
        blank = "" if language == "zh" else " "  # between sentences
        stop = STOP.in_language(language) if sentences else ""
        parts[language] = f"{line}{stop}{blank.join(sentences)}"
    return Text(**parts)


def on_way(course: list[Chapter], way: Way) -> Iterator[tuple[Chapter, int, Section]]:
    """Yield the sections that `way` goes through, in order, with chapter and number."""
    for chapter in course:
        for number, section in enumerate(chapter.sections):
            if goes_through(way, section.way):
                yield chapter, number, section


def _target(way: Way, chapter: Chapter, number: int) -> tuple[Chapter, int, Section] | None:
    here, course = (chapter.name, number), [chapter, *chapter.later]
    after = (target for target in on_way(course, way) if (target[0].name, target[1]) > here)
    return next(after, None)


def _goes_on(
    ways: list[Way],
    target: tuple[Chapter, int, Section] | None,
    chapter: Chapter,
    language: Language,
    address: Address,
) -> str:
    names = BETWEEN_WAYS.in_language(language).join(_name(way, language) for way in ways)
    left_out = not any(goes_through(ways[0], section.way) for section in chapter.sections)
    if target is None:
        return (SKIP if left_out else ENDS).in_language(language).format(ways=_capital(names))
    there, number, section = target
    link, title = address(there, number, language), section.title.in_language(language)
    sentence = (SKIP_TO if left_out else GO_ON).in_language(language)
    return sentence.format(ways=_capital(names), title=title, link=link)


def _names(ways: Iterable[Way], language: Language) -> str:
    return COMMA.in_language(language).join(_name(way, language) for way in ways)


def _name(way: Way, language: Language) -> str:
    return NAMES[way].in_language(language)


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]
