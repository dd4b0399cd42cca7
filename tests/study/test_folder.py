"""The study folder over the life of a course: first copy, updates, damage, a full disk, a kill."""

import errno
import json
import os
from datetime import datetime
from pathlib import Path

import pytest
from ipykernel.ipkernel import IPythonKernel
from nbformat.v4 import new_code_cell, new_output

from bilingual.files import write_whole
from tests.study.course import STUB, answer, cell, check, lesson, load, notebook, prose, save
from tools.build.unseen import TAG
from tools.study import files, texts, trust
from tools.study.folder import StudyFolder

CHAPTER = Path("02_rotate/02_rotate.ipynb")
MY_CODE = "def answer():\n    return 42"
NOW = datetime(2026, 11, 21, 2, 0, 0)


class Classroom:
    """A course folder, a study folder, and what a test does to them."""

    def __init__(self, folder):
        self.course, self.study = folder / "note books", folder / "study 学习"
        self.path = self.study / CHAPTER

    def give(self, chapter, name=CHAPTER):
        return save(self.course / name, chapter)

    def renew(self, now=NOW):
        return {o.name: o for o in StudyFolder(self.course, self.study, now).renew()}

    def write_answer(self, code=MY_CODE):
        chapter = load(self.path)
        cell(chapter, "rotate-answer").source = code
        return save(self.path, chapter)

    def copies(self):
        return sorted((self.path.parent / files.COPIES).glob("*"))

    def answer(self):
        return cell(load(self.path), "rotate-answer").source


@pytest.fixture
def room(tmp_path):
    room = Classroom(tmp_path)
    room.given = room.give(lesson())
    room.renew()
    return room


def test_the_first_copy_is_the_course_byte_for_byte(room):
    assert room.path.read_bytes() == room.given
    assert room.copies() == []


def test_a_notebook_looks_as_if_nobody_had_run_it(room):
    chapter = lesson()
    figure = cell(chapter, "figure")
    figure.outputs = [new_output("stream", name="stdout", text="0.1")]
    figure.execution_count, figure.metadata["tags"] = 1, [TAG]
    room.give(chapter)
    room.renew()
    assert cell(load(room.path), "figure").execution_count is None
    assert cell(load(room.path), "figure").outputs == []
    assert room.copies() == []  # the learner had written nothing
    assert room.renew()[CHAPTER].text == texts.UNTOUCHED


def test_what_the_course_did_not_change_is_not_touched(room):
    answer = room.write_answer()
    before = room.path.stat().st_mtime_ns
    assert room.renew()[CHAPTER].text == texts.UNTOUCHED
    assert room.path.read_bytes() == answer
    assert room.path.stat().st_mtime_ns == before


def test_an_update_renews_the_text_and_keeps_the_answer_and_the_old_file(room):
    answer = room.write_answer()
    room.give(lesson("second text"))
    outcome = room.renew()[CHAPTER]
    assert cell(load(room.path), "text").source == "second text"
    assert room.answer() == MY_CODE
    (copy,) = room.copies()
    assert copy.name == "02_rotate.2026-11-21T02-00-00.ipynb"
    assert copy.read_bytes() == answer
    assert copy.relative_to(room.study).as_posix() in outcome.text.en
    assert copy.relative_to(room.study).as_posix() in outcome.text.zh
    assert room.renew()[CHAPTER].text == texts.UNTOUCHED


def test_kept_files_are_never_overwritten(room):
    olds = []
    for text in ("second", "third"):
        olds.append(room.write_answer(f"# before {text}"))
        room.give(lesson(text))
        room.renew()
    assert sorted(copy.read_bytes() for copy in room.copies()) == sorted(olds)


def test_a_file_that_the_learner_never_changed_leaves_no_copy(room):
    new = room.give(lesson("second text"))
    assert room.renew()[CHAPTER].text == texts.RENEWED_UNWRITTEN
    assert room.path.read_bytes() == new
    assert room.copies() == []


def test_a_renamed_notebook_stays_and_the_original_returns(room):
    answer = room.write_answer()
    mine = room.path.rename(room.path.with_name("my rotation.ipynb"))
    room.give(lesson("second text"))
    assert room.renew()[CHAPTER].text == texts.NEW
    assert mine.read_bytes() == answer
    assert room.answer() == STUB


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"\0" * 500,
        b'{"cells": [{"cell_type": "code", "source": "half a',
        b"[]",
        b'"text"',
        b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"source": 3}]}',
        b'{"nbformat": 5, "nbformat_minor": 0, "metadata": {}, "cells": []}',
        b'{"nbformat": "4", "metadata": {}, "cells": []}',
        "课".encode("gbk"),
        b"[" * 200_000,
    ],
)
@pytest.mark.parametrize("updated", [True, False])
def test_a_damaged_notebook_is_kept_and_replaced(room, damaged, updated):
    room.path.write_bytes(damaged)
    new = room.give(lesson("second text")) if updated else room.given
    outcome = room.renew()[CHAPTER]
    (copy,) = room.copies()
    assert copy.read_bytes() == damaged
    assert ".damaged." in copy.name
    assert copy.name in outcome.text.en
    assert room.path.read_bytes() == new


@pytest.mark.parametrize("damaged", [b"", b'{"cells": [', b"[]"])
@pytest.mark.parametrize("text", ["first text", "second text"])
def test_a_damaged_copy_of_the_course_keeps_no_chapter_from_its_update(room, damaged, text):
    room.write_answer()
    (room.study / ".course" / CHAPTER).write_bytes(damaged)
    new = room.give(lesson(text))
    assert not room.renew()[CHAPTER].failed
    assert room.answer() == MY_CODE
    assert cell(load(room.path), "text").source == text
    assert (room.study / ".course" / CHAPTER).read_bytes() == new
    assert room.renew()[CHAPTER].text == texts.UNTOUCHED


@pytest.mark.parametrize(
    "save_name", [".~02_rotate.ipynb", ".ipynb_checkpoints/02_rotate-checkpoint.ipynb"]
)
def test_a_half_saved_notebook_comes_back_from_the_last_save(room, save_name):
    answer = room.write_answer()
    last = room.path.parent / save_name
    last.parent.mkdir(exist_ok=True)
    last.write_bytes(answer)
    room.path.write_bytes(answer[: len(answer) // 2])
    room.give(lesson("second text"))
    assert room.renew()[CHAPTER].text.en.startswith("RESCUED")
    assert room.answer() == MY_CODE
    assert cell(load(room.path), "text").source == "second text"


def test_after_an_update_jupyterlabs_own_save_has_the_new_text_and_the_same_time(room):
    saved = room.path.parent / ".ipynb_checkpoints/02_rotate-checkpoint.ipynb"
    saved.parent.mkdir()
    saved.write_bytes(room.write_answer("# saved"))
    os.utime(saved, (1_000_000_000, 1_000_000_000))
    room.write_answer("# later")
    room.give(lesson("second text"))
    room.renew()
    assert saved.stat().st_mtime == 1_000_000_000
    room.path.write_bytes(b"")
    room.renew(NOW.replace(hour=3))
    assert room.answer() == "# saved"
    assert cell(load(room.path), "text").source == "second text"


def test_another_version_of_python_is_not_an_update_of_the_course(room, monkeypatch):
    answer = room.write_answer()
    language = {**IPythonKernel.language_info, "version": "3.99.0"}
    monkeypatch.setattr(IPythonKernel, "language_info", language)
    assert room.renew()[CHAPTER].text == texts.UNTOUCHED
    assert room.path.read_bytes() == answer


def test_the_newest_readable_save_is_taken(room):
    older, newer = room.path.with_name(".~02_rotate.ipynb"), room.path.parent / ".ipynb_checkpoints"
    newer.mkdir()
    newer /= "02_rotate-checkpoint.ipynb"
    older.write_bytes(room.write_answer("# older"))
    newer.write_bytes(room.write_answer("# newer"))
    os.utime(older, (1_000_000_000, 1_000_000_000))
    room.path.write_bytes(b"")
    room.renew()
    assert room.answer() == "# newer"


def test_an_old_format_without_cell_ids_keeps_its_answers(room):
    old = json.loads(room.write_answer())
    old["nbformat_minor"] = 4
    for each in old["cells"]:
        del each["id"]
    room.path.write_text(json.dumps(old), encoding="utf-8")
    room.give(lesson("second text"))
    room.renew()
    assert room.answer() == MY_CODE
    assert [c.id for c in load(room.path).cells] == [c.id for c in lesson().cells]


def test_doubled_cell_ids_lose_nothing(room):
    mine = json.loads(room.write_answer())
    mine["cells"].append({**mine["cells"][3], "source": "second = 2"})
    room.path.write_text(json.dumps(mine), encoding="utf-8")
    room.give(lesson("second text"))
    room.renew()
    assert room.answer() == MY_CODE
    assert "second = 2" in [c.source for c in load(room.path).cells]


def test_an_answer_follows_its_exercise_into_a_renamed_chapter(room):
    room.write_answer()
    (room.course / CHAPTER).unlink()
    later = Path("03_rotate/03_rotate.ipynb")
    room.give(lesson("second text"), later)
    outcomes = room.renew()
    assert cell(load(room.study / later), "rotate-answer").source == MY_CODE
    assert outcomes[CHAPTER].text == texts.RETIRED
    assert room.answer() == MY_CODE


def test_an_answer_returns_with_its_exercise(room):
    room.write_answer()
    room.give(notebook(prose("title", "# Rotation")))
    room.renew()
    room.give(notebook(prose("title", "# Rotation"), answer("rotate"), check("rotate")))
    room.renew()
    assert room.answer() == MY_CODE


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_disk_that_takes_nothing_leaves_the_old_file(room, monkeypatch, number):
    answer = room.write_answer()
    room.give(lesson("second text"))

    def refuse(self, target):
        raise OSError(number, os.strerror(number), str(target))

    monkeypatch.setattr(Path, "replace", refuse)
    outcome = room.renew()[CHAPTER]
    assert outcome.failed
    assert os.strerror(number) in outcome.text.en
    assert os.strerror(number) in outcome.text.zh
    assert room.path.read_bytes() == answer
    assert not list(room.study.rglob("*.part"))


@pytest.mark.parametrize("survived", range(4))
def test_killed_after_any_write_the_next_run_completes_the_update(room, monkeypatch, survived):
    answer = room.write_answer()
    room.give(lesson("second text", stub="def answer(theta): ..."))
    really, writes = write_whole, []

    def killed(path, data):
        if len(writes) == survived:
            raise KeyboardInterrupt
        writes.append(path)
        really(path, data)

    with monkeypatch.context() as patch:
        patch.setattr("tools.study.files.write_whole", killed)
        patch.setattr("tools.study.folder.write_whole", killed)
        try:
            room.renew()
        except KeyboardInterrupt:
            assert survived < 3
    room.renew(NOW.replace(hour=3))
    chapter = load(room.path)
    assert room.answer() == MY_CODE
    assert cell(chapter, "text").source == "second text"
    assert sum("def answer(theta)" in c.source for c in chapter.cells) == 1
    assert answer in [copy.read_bytes() for copy in room.copies()]
    assert room.renew()[CHAPTER].text == texts.UNTOUCHED


def test_what_fails_after_the_file_was_renewed_says_so(room):
    """Seen: "NOT renewed, the file is as it was", and not where the learner's copy is."""
    room.write_answer()
    saved = room.path.parent / ".ipynb_checkpoints/02_rotate-checkpoint.ipynb"
    saved.mkdir(parents=True)  # cannot be read
    room.give(lesson("second text"))
    outcome = room.renew()[CHAPTER]
    (copy,) = room.copies()
    assert outcome.failed
    assert cell(load(room.path), "text").source == "second text"
    for text in (outcome.text.en, outcome.text.zh):
        assert copy.name in text
        assert os.strerror(errno.EISDIR) in text
    assert "NOT renewed" not in outcome.text.en
    saved.rmdir()
    assert not room.renew()[CHAPTER].failed
    assert room.renew()[CHAPTER].text == texts.UNTOUCHED


def test_a_save_during_the_update_wins(room, monkeypatch):
    room.write_answer("# first")
    room.give(lesson("second text"))

    def keep_while_saving(self, path, data, reason=""):
        room.write_answer("# saved meanwhile")
        return "kept"

    monkeypatch.setattr(StudyFolder, "_keep", keep_while_saving)
    assert room.renew()[CHAPTER].failed
    assert room.answer() == "# saved meanwhile"


def test_other_files_are_renewed_and_a_changed_one_is_kept(room):
    name = Path("02_rotate/data.txt")
    (room.course / name).write_text("1 2 3", encoding="utf-8")
    room.renew()
    (room.study / name).write_text("mine", encoding="utf-8")
    (room.course / name).write_text("4 5 6", encoding="utf-8")
    room.renew()
    assert (room.study / name).read_text(encoding="utf-8") == "4 5 6"
    assert [copy.read_text(encoding="utf-8") for copy in room.copies()] == ["mine"]
    (room.study / name).write_text("mine again", encoding="utf-8")
    (room.course / name).write_text("7 8 9", encoding="utf-8")
    assert room.renew()[name].text.en.startswith("replaced by the course's version; your copy is")


def test_one_failure_does_not_stop_the_others(room):
    (room.course / "01_broken").mkdir()
    (room.course / "01_broken/01_broken.ipynb").write_bytes(b"{")
    room.give(lesson("second text"))
    outcomes = room.renew()
    assert outcomes[Path("01_broken/01_broken.ipynb")].failed
    assert not outcomes[CHAPTER].failed


def test_a_folder_in_place_of_a_notebook_does_not_stop_the_others(room):
    other = Path("03_other/03_other.ipynb")
    room.give(lesson("first text"), other)
    room.renew()
    (room.study / other).unlink()
    (room.study / other).mkdir()
    room.give(lesson("second text"))
    outcomes = room.renew()
    assert outcomes[other].failed
    assert not outcomes[CHAPTER].failed


def test_graded_cells_without_nbgraders_data_are_cells_like_others(room):
    chapter = load(room.path)
    chapter.cells[0].metadata["nbgrader"] = None
    save(room.path, chapter)
    room.write_answer()
    room.give(lesson("second text"))
    assert not room.renew()[CHAPTER].failed
    assert room.answer() == MY_CODE


@pytest.mark.parametrize(
    "mark",
    [
        *({"study": None}, {"study": "x"}, {"study": {"answers": ["rotate"]}}),
        *({"nbgrader": [1]}, {"nbgrader": {"grade_id": ["rotate"]}}),
    ],
)
def test_marks_that_another_program_left_stop_nothing(room, mark):
    chapter = load(room.path)
    chapter.cells += [new_code_cell("mine = 1", id=name, metadata=mark) for name in ("a", "b")]
    save(room.path, chapter)
    room.write_answer()
    for text in ("second text", "third text"):  # the second merges what the first has made
        room.give(lesson(text))
        assert not room.renew()[CHAPTER].failed
    assert room.answer() == MY_CODE
    assert [c.source for c in load(room.path).cells].count("mine = 1") == 2


def test_a_trust_that_cannot_be_recorded_is_a_note(room, monkeypatch, tmp_path):
    """Seen: "NOT renewed, the file is as it was", of a file that was replaced."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "file" / "jupyter"))
    new = room.give(lesson("second text"))
    outcome = room.renew()[CHAPTER]
    assert not outcome.failed
    assert os.strerror(errno.ENOTDIR) in outcome.text.en
    assert os.strerror(errno.ENOTDIR) in outcome.text.zh
    assert room.path.read_bytes() == (room.study / ".course" / CHAPTER).read_bytes() == new


def test_the_courses_notebooks_are_trusted_and_a_strangers_is_not(room):
    assert trust.is_trusted(load(room.path))
    room.write_answer("print('from a stranger')")
    room.give(lesson("second text"))
    room.renew()
    assert not trust.is_trusted(load(room.path))


def test_a_trusted_notebook_stays_trusted(room):
    room.write_answer()
    trust.trust(load(room.path))
    room.give(lesson("second text"))
    room.renew()
    assert trust.is_trusted(load(room.path))
