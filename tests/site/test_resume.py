"""A site that was stopped half-way goes on from what is finished, and from nothing else."""

from dataclasses import replace

import pytest

from bilingual import Text
from tests.all_chapters import CHAPTERS
from tools.build.assemble import assemble_page
from tools.build.contents import chapters
from tools.site import chapter as pages


@pytest.fixture
def writes(monkeypatch):
    """Note each chapter that is written, in place of running it; a chapter may fail."""
    names = []

    def write(chapter, page, folder, frames):
        folder.mkdir(parents=True)
        (folder / "half").touch()
        names.append(chapter.name)
        if len(names) == 1:
            raise TimeoutError

    monkeypatch.setattr(pages, "_write", write)
    return names


def test_finished_pages_are_kept_and_the_others_are_made_again(tmp_path, writes):
    first = CHAPTERS[0]
    folder = tmp_path / first.name
    with pytest.raises(TimeoutError):
        pages.write_chapter(first, folder, 8)
    pages.write_chapter(first, folder, 8)
    pages.write_chapter(first, folder, 8)
    assert len(writes) == 2
    pages.write_chapter(first, folder, 9)  # another site
    assert len(writes) == 3


@pytest.fixture
def text(tmp_path, monkeypatch):
    """Return the text of the one chapter of another course."""
    text = tmp_path / "chapters" / "00_start.py"
    text.parent.mkdir()
    text.write_bytes(CHAPTERS[0].path.read_bytes())
    for name in ("constraints.txt", "pyproject.toml", "nbgrader_config.py"):
        (tmp_path / name).touch()
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    return text


def digest(chapter):
    return pages.made_from(chapter, assemble_page(chapter), 8)


@pytest.mark.parametrize("name", ["chapters/00_start.py", "nbgrader_config.py", "course.toml"])
def test_a_changed_source_makes_other_pages(tmp_path, text, name):
    (here,) = chapters(text.parent)
    before = digest(here)
    assert before == digest(here)
    with (tmp_path / name).open("a", encoding="utf-8") as source:
        source.write("# more\n")
    assert digest(here) != before


def test_another_title_of_a_section_makes_other_pages_where_a_link_says_it():
    here = next(one for one in CHAPTERS if one.name == "01_permutation")
    title = Text(en="Another", zh="另一个")
    later = tuple(
        replace(one, sections=tuple(replace(section, title=title) for section in one.sections))
        for one in here.later
    )
    assert digest(replace(here, later=later)) != digest(here)
