"""A reader takes a way, is led to what is next on it, and comes back to where they left."""

import json
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup

from autograde import progress
from autograde.kit.catalogue import UnknownName, questions
from autograde.kit.chapter import CHAPTERS, Chapter, Section
from autograde.notebook.course_way import furthest, minutes_left, next_step, steps
from autograde.notebook.place import place, record_place
from autograde.notebook.progress import course_lines
from autograde.notebook.records import record_right
from autograde.notebook.section_links import as_html, as_text
from autograde.notebook.store import keep
from bilingual import Text

SECTIONS = (
    Section(Text(en="Opening", zh="开篇"), "two_hours", 10, {}),
    Section(Text(en="Doubling", zh="加倍"), "weekend", 20, {"double": "weekend"}),
    Section(Text(en="Take-away", zh="要点"), "everything", 30, {}, "kit"),
)
KIT = "77_kit"


@pytest.fixture(autouse=True)
def course(monkeypatch):
    """Show one chapter of three sections, each on one way less than the one before."""
    chapter = Chapter(Text(en="The kit", zh="工具"), 65, ("double",), SECTIONS)
    monkeypatch.setitem(CHAPTERS, KIT, chapter)


def text():
    return as_text(course_lines())


@pytest.mark.parametrize(
    ("way", "left", "following"),
    [("two_hours", 10, None), ("weekend", 30, "Opening"), ("everything", 60, "Opening")],
)
def test_a_way_has_its_own_minutes_and_its_own_next_section(capsys, way, left, following):
    progress(way=way)
    assert f"All chapters  about {left} min left" in capsys.readouterr().out
    assert (f"Next: {following}" in text()) == bool(following)  # the choice has been kept


def test_next_is_what_follows_the_last_thing_done():
    keep("exercises", "double", {"best": 2.0})
    assert "Next: Take-away" in text()
    assert "about 30 min left" in text()
    for question in questions("kit"):
        record_right("kit", question)
    assert "Next" not in text()
    assert "The kit  done" in text()


def test_a_quiz_not_yet_answered_is_not_done():
    keep("exercises", "double", {"best": 2.0})
    assert "The kit  done" not in text()


def test_in_both_languages_each_says_the_way_once(monkeypatch):
    monkeypatch.setenv("POSENC_LANGUAGE", "both")
    assert text().split("\n")[0] == "你的路线：全部 · Your way: everything"


def test_an_unknown_way_is_refused():
    with pytest.raises(UnknownName, match="Available: two_hours, weekend, everything"):
        progress(way="fast")


def test_what_a_narrow_page_breaks_goes_on_further_in():
    page = BeautifulSoup(as_html([["██  a"], [""], ["b"]]), "html.parser")
    assert page.get_text() == "██  a\n\nb\n"
    assert {line["style"] for line in page.find_all("div")} == {
        "padding-left: 4ch; text-indent: -4ch"
    }


def run_cell(cell):
    record_place(SimpleNamespace(info=SimpleNamespace(cell_id=cell)))


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    """Make the notebook of the chapter, as Jupyter tells a kernel of it."""
    path = tmp_path / "study" / KIT / f"{KIT}.ipynb"
    path.parent.mkdir(parents=True)
    heads = [{"id": f"head-{n}", "metadata": {"posenc": {"section": n}}} for n in range(3)]
    own = {"id": "my-own", "metadata": {}}
    path.write_text(json.dumps({"cells": [*heads[:2], own, heads[2]]}), encoding="utf-8")
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    return path


def test_the_section_where_one_left_is_shown_with_a_link(notebook):
    run_cell("my-own")
    assert place() == (KIT, 1)
    assert "You left at: Doubling" in text()
    assert f'href="{KIT}/{KIT}.ipynb#cell-id=section-1-en"' in as_html(course_lines())
    assert "about 30 min left" in text()  # 62, less what was read


@pytest.mark.parametrize("cell", ["head-0", "my-own", "head-2"])
def test_next_is_not_what_one_has_read_and_nothing_is_to_be_solved_in(notebook, cell):
    run_cell(cell)
    assert "Next: Doubling" in text()


def test_a_look_into_a_later_chapter_leaves_next_where_it_was(monkeypatch):
    later = Chapter(Text(en="Later", zh="后面"), 40, (), (SECTIONS[0],))
    monkeypatch.setitem(CHAPTERS, "78_later", later)
    monkeypatch.setattr("autograde.notebook.course_way.chapter_names", lambda: [KIT, "78_later"])
    monkeypatch.setattr("autograde.notebook.course_way.chapter", lambda name: (CHAPTERS[name], []))
    assert next_step("everything", ("78_later", 0)) == next_step("everything", None)


def test_the_link_starts_from_the_chapter_that_is_open(notebook, monkeypatch):
    run_cell("my-own")
    monkeypatch.chdir(notebook.parent)
    monkeypatch.setenv("POSENC_LANGUAGE", "zh")
    assert f'href="../{KIT}/{KIT}.ipynb#cell-id=section-1-zh"' in as_html(course_lines())


@pytest.mark.parametrize("damage", ["", "{}", '{"cells": [1]}', '{"cells": [{}]}'])
def test_a_notebook_that_has_gone_bad_leads_nowhere(notebook, damage):
    run_cell("my-own")
    notebook.write_text(damage, encoding="utf-8")
    assert place() is None
    notebook.unlink()
    assert place() is None


def test_cells_of_other_notebooks_are_not_kept(notebook, monkeypatch):
    run_cell("my-own")
    monkeypatch.setenv("JPY_SESSION_NAME", str(notebook.with_name("index.ipynb")))
    run_cell("head-0")
    assert place() == (KIT, 1)


def test_a_chapter_without_exercises_is_read_once_one_has_gone_on(notebook, monkeypatch):
    plain = Chapter(Text(en="Plain", zh="只读"), 40, (), (SECTIONS[0],))
    monkeypatch.setitem(CHAPTERS, "76_plain", plain)
    monkeypatch.setattr("autograde.notebook.course_way.chapter_names", lambda: ["76_plain", KIT])
    monkeypatch.setattr("autograde.notebook.course_way.chapter", lambda name: (CHAPTERS[name], []))
    course = steps("two_hours")
    assert minutes_left(course["76_plain"], None, passed=furthest(course, None) > "76_plain") == 10
    run_cell("my-own")
    passed = furthest(course, place()) > "76_plain"
    assert minutes_left(course["76_plain"], place(), passed=passed) == 0
