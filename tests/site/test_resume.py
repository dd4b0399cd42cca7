"""A site that was stopped half-way goes on from what is finished, and from nothing else."""

import pytest

from tests.all_chapters import CHAPTERS
from tools.build.contents import chapters
from tools.site import chapter as pages


@pytest.fixture
def writes(monkeypatch):
    """Note each chapter that is written, in place of running it; a chapter may fail."""
    names = []

    def write(chapter, folder, frames):
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


def test_a_changed_source_makes_other_pages(tmp_path, monkeypatch):
    text = tmp_path / "chapters" / "00_start.py"
    text.parent.mkdir()
    text.write_bytes(CHAPTERS[0].path.read_bytes())
    for name in ("constraints.txt", "pyproject.toml"):
        (tmp_path / name).touch()
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    (here,) = chapters(text.parent)
    before = pages.made_from(here, 8)
    assert before == pages.made_from(here, 8)
    text.write_text(text.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    assert pages.made_from(here, 8) != before
