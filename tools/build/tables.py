"""The tables of the course's ways and chapters, and the list of the sections of two hours."""

from __future__ import annotations

from itertools import groupby

from autograde.kit.catalogue import exercise
from autograde.kit.chapter import section_link
from autograde.kit.way import NAMES, WAYS, Way
from bilingual import Language, Text
from bilingual.setting import ONE_LANGUAGE
from tools.build.contents import Chapter
from tools.build.marks import Address, on_way

ABOUT: dict[Way, Text] = {
    "two_hours": Text(
        en="why order is lost, waves, RoPE, ALiBi, decoding",
        zh="顺序怎样丢掉，正弦波，RoPE，ALiBi，解码",
    ),
    "weekend": Text(
        en="the core: also proofs, learned tables, T5, longer texts, the KV cache, measured curves",
        zh="核心内容，加上证明、可学习的表、T5、长文本、KV缓存和实测曲线",
    ),
    "everything": Text(
        en="also more methods, real models, images, and a clinic of bugs",
        zh="再加上更多方法、真实模型、图像和Bug诊所",
    ),
}
WAYS_HEAD = Text(en="| Way | What it has | Time | Exercises |", zh="| 路线 | 内容 | 用时 | 练习 |")
CHAPTERS_HEAD = Text(
    en="| | Chapter | Question | Two hours | A weekend | Everything | Exercises | Points |",
    zh="| | 章 | 问题 | 两小时 | 一个周末 | 全部 | 练习 | 分值 |",
)
MINUTES = Text(en="{minutes}&nbsp;min", zh="{minutes}分钟")
HOURS = Text(en="{hours} h", zh="{hours}小时")
NOTHING = "–"


def ways_table(course: list[Chapter], address: Address) -> Text:
    """Return the table of the three ways as Markdown, each linked to its first section."""
    minutes = {way: sum(chapter.minutes_on(way) for chapter in course) for way in WAYS}
    tables: dict[Language, str] = {}
    for language in ONE_LANGUAGE:
        rows = [WAYS_HEAD.in_language(language), "|---|---|---|---|"]
        for way in WAYS:
            chapter, number, _ = next(on_way(course, way))
            name = f"[{NAMES[way].in_language(language)}]({address(chapter, number, language)})"
            count = sum(len(section.exercises_on(way)) for _, _, section in on_way(course, way))
            about, time = ABOUT[way].in_language(language), _time(minutes[way], language)
            rows.append(f"| {name} | {about} | {time} | {count} |")
        tables[language] = "\n".join(rows)
    return Text(**tables)


def chapter_table(course: list[Chapter], prefix: str = "") -> Text:
    """Return the table of chapters as Markdown; links start with `prefix`, e.g. "notebooks/"."""
    tables: dict[Language, str] = {}
    for language in ONE_LANGUAGE:
        rows = [CHAPTERS_HEAD.in_language(language), "|---" * 8 + "|"]
        for chapter in course:
            link = f"{prefix}{chapter.name}/{chapter.name}.ipynb"
            points = sum(exercise(name).points for name in chapter.exercises)
            columns = [
                str(int(chapter.name[:2])),
                f"[{chapter.title.in_language(language)}]({link})",
                chapter.question.in_language(language),
                *(_minutes(chapter.minutes_on(way), language) for way in WAYS[:-1]),
                _minutes(chapter.minutes, language),
                str(len(chapter.exercises)),
                f"{points:g}",
            ]
            rows.append(f"| {' | '.join(columns)} |")
        tables[language] = "\n".join(rows)
    return Text(**tables)


def two_hours_list(course: list[Chapter], address: Address) -> Text:
    """Return the sections of the shortest way as a Markdown list, a line for each chapter."""
    lists: dict[Language, str] = {}
    for language in ONE_LANGUAGE:
        lines = []
        for chapter, targets in groupby(on_way(course, "two_hours"), key=lambda target: target[0]):
            links = [
                f"[{section.title.in_language(language)}]({address(chapter, number, language)})"
                for _, number, section in targets
            ]
            time = _minutes(chapter.minutes_on("two_hours"), language)
            lines.append(f"- {time}&nbsp;· {' → '.join(links)}")
        lists[language] = "\n".join(lines)
    return Text(**lists)


def index_parts(course: list[Chapter]) -> dict[str, Text]:
    """Return the generated parts of the table-of-contents notebook, by their placeholders."""
    return {
        "ways": ways_table(course, address_from_index),
        "two hours": two_hours_list(course, address_from_index),
        "chapters": chapter_table(course),
    }


def address_in_readme(chapter: Chapter, number: int, language: Language) -> str:
    """Return the link from a README to a section's chapter: only JupyterLab can link to a cell."""
    return f"notebooks/{chapter.name}/{chapter.name}.ipynb"


def address_from_index(chapter: Chapter, number: int, language: Language) -> str:
    """Return the link from the table of contents, a notebook, to a section."""
    return section_link(chapter.name, number, language)


def _time(minutes: int, language: Language) -> str:
    if minutes < 200:
        return _minutes(minutes, language)
    return HOURS.format(hours=round(minutes / 60)).in_language(language)


def _minutes(minutes: int, language: Language) -> str:
    return MINUTES.format(minutes=minutes).in_language(language) if minutes else NOTHING
