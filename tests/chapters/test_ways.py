"""The three ways: every section is marked, minutes follow one rule, two hours are two hours."""

import re

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograde.kit.catalogue import exercise
from autograde.kit.cell_role import cell_role
from autograde.kit.chapter import FILE, section_id
from autograde.kit.way import WAYS
from tests.all_chapters import CHAPTERS as COURSE
from tests.all_chapters import cells_of
from tools.build.assemble import address_in_jupyter, assemble
from tools.build.chapter_text import heading
from tools.build.contents import chapter_list
from tools.build.marks import on_way, way_line
from tools.build.minutes import reading_minutes, words
from tools.build.sections import begins_section

EVERY = pytest.mark.parametrize("chapter", COURSE, ids=lambda chapter: chapter.name)


@EVERY
def test_every_heading_of_a_section_carries_a_mark(chapter):
    cells = cells_of(chapter.name)
    unmarked = [
        cell.source.split("\n")[0]
        for cell in cells
        if cell.metadata.get("lang") == "en" and heading(cell) and not cell.source.startswith("###")
        if not begins_section(cell)
    ]
    assert unmarked == []
    assert begins_section(cells[0])


def test_two_hours_are_two_hours_with_their_exercises():
    sections = [section for _, _, section in on_way(COURSE, "two_hours")]
    exercises = [name for section in sections for name in section.exercises_on("two_hours")]
    assert sum(chapter.minutes_on("two_hours") for chapter in COURSE) <= 120
    assert 6 <= len(exercises) <= 8


def test_a_longer_way_has_all_of_a_shorter_one():
    counts = [{(c.name, n) for c, n, _ in on_way(COURSE, way)} for way in WAYS]
    assert counts[0] < counts[1] < counts[2]
    assert len(counts[2]) == sum(len(chapter.sections) for chapter in COURSE)


def test_the_kit_knows_these_sections_and_minutes():
    assert FILE.read_text(encoding="utf-8") == chapter_list(COURSE), "run `make build`"


@EVERY
def test_each_section_begins_with_a_cell_that_links_lead_to(chapter):
    ids = [cell.id for cell in assemble(chapter).cells]
    assert len(ids) == len(set(ids))
    for number in range(len(chapter.sections)):
        assert section_id(number, "zh") == ids[ids.index(section_id(number, "en")) + 1]


def test_whoever_takes_a_way_is_led_past_what_it_leaves_out():
    """Following the lines alone, from the first section on, a reader meets each of the way's."""
    for way in WAYS:
        expected = [(chapter.name, number) for chapter, number, _ in on_way(COURSE, way)]
        everything = [(c.name, n) for c, n, _ in on_way(COURSE, "everything")]
        here, met = expected[0], []
        while here is not None:
            met.append(here)
            after = everything[everything.index(here) + 1 :]
            here = _next(way, after[0]) if after else None
        assert met == expected


def _next(way, place):
    """Return where a reader of `way` goes who comes to the heading at `place`."""
    chapter = next(chapter for chapter in COURSE if chapter.name == place[0])
    if place in [(c.name, n) for c, n, _ in on_way(COURSE, way)]:
        return place
    line = way_line(chapter, place[1], address_in_jupyter).en
    name = {"two_hours": "two hours", "weekend": "a weekend"}[way]
    where = rf"(?i){name}[^:]*: (?:nothing more|skip this chapter\.|.*?\]\(\.\./(\S+?)\))"
    link = re.search(where, line).group(1)
    if link is None:
        return None
    folder, number = link.partition("/")[0], link.rpartition("section-")[2].partition("-")[0]
    return folder, int(number)


def test_words_are_runs_of_letters_and_single_hanzi():
    counts = {"two words": 2, "两个word": 3, "RoPE，就这样。": 4, "— , 。": 0, "": 0}
    assert {text: words(text) for text in counts} == counts


def prose(language, text):
    return new_markdown_cell(text, metadata={"lang": language})


def test_minutes_follow_the_rule():
    for cells, minutes in (
        ([prose("en", "word " * 1300)], 10),
        ([prose("zh", "字" * 2000)], 10),
        ([prose("en", "word " * 1300), prose("zh", "字" * 200)], 10),  # the slower of the two
        ([prose("en", "$$x$$ " * 10)], 5),
        ([prose("en", "$x$ " * 100)], 5),
        ([new_code_cell("x = 1\n" * 50)], 5),
        ([new_code_cell("y = 2\n" * 50 + "explore(show)")], 3),
        ([new_code_cell("import torch\n" * 50 + "language_switch()")], 1),
        ([new_code_cell('quiz("start")')], 5),
        ([new_code_cell('quiz("start")'), new_code_cell('quiz("start", draw(1))')], 5),
        ([new_code_cell('quiz("start")'), new_code_cell("", metadata={"exercise": "x"})], 1),
        ([new_markdown_cell("", metadata={"thinking": "x"})], 8),
        ([], 1),
    ):
        assert reading_minutes(cells) == minutes, cells


def test_a_task_left_out_of_a_way_says_so():
    chapter = next(chapter for chapter in COURSE if chapter.name == "02_sinusoidal")
    tasks = {
        role.exercise: cell.source
        for cell in assemble(chapter).cells
        if (role := cell_role(cell)).role == "task" and role.lang == "en"
    }
    assert "*Two hours: leave this exercise out.*\n" in tasks["sinusoidal_frequencies"]
    assert "*A weekend: leave this exercise out.*\n" in tasks["first_rise"]  # not on two hours
    assert "leave this exercise out" not in tasks["sinusoidal_table"]
    assert exercise("sinusoidal_table").minutes <= chapter.minutes_on("two_hours")
