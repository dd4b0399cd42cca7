"""`submitted/` holds what the closing table says, and loses nothing."""

import io
import json
import os
from contextlib import closing
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from rich.cells import cell_len
from rich.console import Console

from autograde.collecting.advice import OF_NOBODY
from autograde.collecting.collect import collect
from autograde.collecting.set_aside import set_odd_names_aside
from autograde.collecting.table import LEFT_OUT
from autograde.grading.journal import fingerprint
from autograde.handed_in.escaped import escaped
from autograde.handed_in.limits import NOTEBOOK_BYTES
from autograde.teacher.collected import COPY, RECORD, Collected, marked_late, read_collected
from autograde.teacher.errors import CannotBegin
from tests.autograde.collecting.a_class import CHAPTER, FILE, WHOLE, put, zipped
from tests.full_disk import no_space

MOODLE = "{}_1_assignsubmission_file_" + FILE
ZHANG, ADA, LI = map(MOODLE.format, ("张三", "Ada Lovelace", "李四"))


def hand_in(inbox, student, text):
    put(inbox.root / "submitted" / student / CHAPTER, {FILE: text})


@pytest.fixture
def taught(monkeypatch):
    """The tests' catalogue has other exercises than the course, and so no chapters of it."""
    monkeypatch.setattr("autograde.teacher.settings.chapter_names", lambda: [CHAPTER])


@pytest.mark.usefixtures("taught")
def test_an_extension_for_somebody_else_is_refused_before_anything_is_written(inbox):
    (inbox.root / "course.toml").write_text(f"[extensions.{CHAPTER}]\nadda = 2\n", "utf-8")
    put(inbox.archive, {f"S_ada_attempt_2026-09-14-18-00-00_{FILE}": "{}"})
    before = inbox.files()
    with pytest.raises(CannotBegin, match=r"'adda'.*'ada'"):
        inbox.collect()
    assert inbox.files() == before


@pytest.mark.usefixtures("taught")
def test_the_table_knows_extensions_and_the_zone_of_course_toml(inbox):
    choices = f'timezone = "UTC"\n[extensions.{CHAPTER}]\nada = 0.125\n'  # three hours
    (inbox.root / "course.toml").write_text(choices, encoding="utf-8")
    names = [f"S_{who}_attempt_2026-09-14-18-30-00_{FILE}" for who in ("ada", "jose")]
    put(inbox.archive, dict.fromkeys(names, WHOLE))
    assert inbox.collect()
    ada, jose = (
        next(line for line in inbox.screen.getvalue().split("\n") if line.startswith(who))
        for who in ("ada", "jose")
    )
    assert "late 30 min" in ada
    assert "due 09-14 18:00 by extension" in ada
    assert "late 3.5 h" in jose
    assert "09-14 18:30" in jose


def test_canvas_numbers_come_from_the_class_list_in_the_gradebook(inbox):
    with closing(Gradebook(inbox.course.db_url)) as book:
        for student, number in (("20260007", "501"), ("20260008", "502")):  # both called 王伟
            book.update_or_create_student(student, lms_user_id=number)
    put(inbox.archive, {f"王伟_502_1_{FILE}": "theirs", f"王伟_501_2_{FILE}": "ours"})
    assert inbox.collect()
    assert inbox.submitted() == {"20260007": "ours", "20260008": "theirs"}


def test_a_look_writes_nothing(inbox):
    put(inbox.archive, {"all.zip": zipped({ZHANG: "zhang", ADA: "ada"})})
    hand_in(inbox, "ada", "by hand")
    before = inbox.files()
    assert not inbox.collect(dry_run=True)
    assert inbox.files() == before
    assert "Handed in: 2 of 12" in inbox.screen.getvalue()


def test_names_that_students_chose_are_shown_before_anything_is_written(inbox):
    put(inbox.archive, {f"张三_{FILE}": "zhang"})
    before = inbox.files()
    assert not inbox.collect()
    assert "run this again with --platform files" in inbox.screen.getvalue()
    assert inbox.files() == before
    assert inbox.collect(platform="files")
    assert inbox.submitted() == {"20260001": "zhang"}


def test_a_second_time_changes_nothing(inbox):
    late = "doejane_LATE_12345_1_" + FILE
    put(inbox.archive, {"all.zip": zipped({late: "late", f"lovelaceada_7_2_{FILE}": "ada"})})
    assert inbox.collect()
    before = inbox.files()
    prints = {one: fingerprint(one) for one in (inbox.root / "submitted").glob("*/*")}
    assert inbox.collect()
    assert inbox.files() == before
    assert prints == {one: fingerprint(one) for one in prints}
    stamp = inbox.root / "submitted" / "12345" / CHAPTER / "timestamp.txt"
    assert not stamp.exists()  # nobody knows the time
    assert marked_late(inbox.root, CHAPTER) == {"12345"}


def test_a_time_that_a_teacher_writes_stays_beside_what_canvas_calls_late(inbox):
    """Seen: three days late, and after the next collect the least that there is."""
    late = f"doejane_LATE_12345_1_{FILE}"
    put(inbox.archive, {late: WHOLE})
    assert inbox.collect()
    stamp = inbox.root / "submitted" / "12345" / CHAPTER / "timestamp.txt"
    stamp.write_text("2026-09-17 12:00:00 UTC")
    assert inbox.collect()
    assert stamp.read_text() == "2026-09-17 12:00:00 UTC"
    assert inbox.aside() == {}
    assert "late 2 d 21.0 h" in inbox.screen.getvalue()
    assert "time as in timestamp.txt" in inbox.screen.getvalue()
    put(inbox.archive, {late: '{"cells": [], "again": 1}'})
    assert inbox.collect()
    assert not stamp.exists()


def test_that_canvas_no_longer_calls_it_late_is_noted(inbox):
    for name, late in ((f"doejane_LATE_12345_1_{FILE}", True), (f"doejane_12345_1_{FILE}", False)):
        put(inbox.archive, {name: WHOLE})
        assert inbox.collect()
        assert marked_late(inbox.root, CHAPTER) == ({"12345"} if late else set())
        (inbox.archive / name).unlink()


def test_of_the_same_notebook_the_table_says_that_its_time_alone_is_another(inbox, taught):
    """Seen: "another one takes its place", of the same file."""
    (inbox.root / "course.toml").write_text('timezone = "UTC"', encoding="utf-8")
    put(inbox.archive, {f"S_ada_attempt_2026-09-14-10-00-00_{FILE}": WHOLE})
    hand_in(inbox, "ada", WHOLE)
    assert inbox.collect()
    sentence = "the same notebook; its time goes from none to 2026-09-14 10:00:00"
    assert sentence in inbox.screen.getvalue()


def test_who_was_put_there_by_hand_without_a_time_is_counted(inbox, taught):
    (inbox.root / "course.toml").write_text('late = "zero"', encoding="utf-8")
    put(inbox.archive, {ADA: WHOLE, f"doejane_2026_{FILE}": WHOLE})
    for student in ("20260007", "20260008"):
        hand_in(inbox, student, WHOLE)
    moment = inbox.root / "submitted" / "20260008" / CHAPTER / "timestamp.txt"
    moment.write_text("2026-09-14 12:00:00 UTC")
    assert inbox.collect(platform="moodle")
    text = inbox.screen.getvalue()
    assert "2 from before (1 without a time, so never late)" in text
    (line,) = (one for one in text.splitlines() if one.startswith("20260007"))
    assert line.endswith("without a time, so never late")


@pytest.mark.parametrize("encoding", ["utf-16", "gbk"])
def test_a_time_that_cannot_be_read_is_another_time(inbox, encoding):
    """Notepad saves UTF-16 and GBK too; the teacher's folder is kept aside, as with any change."""
    put(inbox.archive, {f"S_ada_attempt_2026-09-14-10-00-00_{FILE}": "ada"})
    assert inbox.collect()
    stamp = inbox.root / "submitted" / "ada" / CHAPTER / "timestamp.txt"
    before = stamp.read_text(encoding="utf-8")
    stamp.write_text("9月14日 12:15", encoding=encoding)
    by_hand = stamp.read_bytes()
    assert inbox.collect()
    assert stamp.read_text(encoding="utf-8") == before
    (aside,) = (inbox.root / "set_aside").rglob("timestamp.txt")
    assert aside.read_bytes() == by_hand


def test_where_no_platform_says_a_time_one_that_cannot_be_read_stays(inbox):
    put(inbox.archive, {ADA: "ada"})
    hand_in(inbox, "ada", "ada")
    stamp = inbox.root / "submitted" / "ada" / CHAPTER / "timestamp.txt"
    stamp.write_text("2026-09-14 12:15:00 UTC", encoding="utf-16")  # grading takes it for none
    before = stamp.read_bytes()
    assert inbox.collect()
    assert stamp.read_bytes() == before
    assert inbox.aside() == {}


def test_a_renamed_notebook_is_known_by_the_released_cells_and_one_put_by_hand_stays(inbox):
    with closing(Gradebook(inbox.course.db_url)) as book:
        book.add_notebook(CHAPTER, CHAPTER)
        book.add_grade_cell("score", CHAPTER, CHAPTER, max_score=1, cell_type="code")
    cell = {"cell_type": "code", "source": "", "metadata": {"nbgrader": {"grade_id": "score"}}}
    notebook = json.dumps({"cells": [cell]})
    names = [one.replace(FILE, "my homework.ipynb") for one in (ADA, ZHANG)]
    put(inbox.archive, {names[0]: notebook, names[1]: "another"})
    assert inbox.collect()
    assert inbox.submitted() == {"ada": notebook}
    assert inbox.screen.getvalue().count("To count a file that was left out") == 1
    hand_in(inbox, "20260001", "another")
    assert inbox.collect()
    assert inbox.submitted() == {"ada": notebook, "20260001": "another"}
    assert inbox.screen.getvalue().count("To count a file that was left out") == 1


@pytest.mark.parametrize("name", ["score", "score-answer"])
def test_a_notebook_with_one_cell_of_the_chapter_can_be_graded(inbox, name):
    with closing(Gradebook(inbox.course.db_url)) as book:
        book.add_notebook(CHAPTER, CHAPTER)
        for one, kind in (("score", "code"), ("score-answer", "markdown")):
            book.add_source_cell(one, CHAPTER, CHAPTER, cell_type=kind)
    cell = {"cell_type": "code", "source": "", "metadata": {"nbgrader": {"grade_id": name}}}
    put(inbox.archive, {ADA: json.dumps({"cells": [cell]}), ZHANG: WHOLE})
    assert inbox.collect()
    assert "Handed in: 2 of 12, but 1 of these files cannot be graded" in inbox.screen.getvalue()


WANG = ("王伟_1002_assignsubmission_file_", "王伟_1003_assignsubmission_file_")  # of two students


@pytest.mark.parametrize("packed", [False, True])
def test_of_a_left_out_file_put_there_by_hand_the_platforms_name_is_noted(inbox, packed):
    """Seen: namesakes of Moodle, whose pages give-back could never name for Moodle."""
    if packed:
        files = {f"{one}work.zip": zipped({f"hw/{FILE}": one}) for one in WANG}
    else:
        files = {f"{one}{FILE}": one for one in WANG}
    put(inbox.archive, {"all.zip": zipped({**files, ADA: WHOLE})})
    assert inbox.collect()
    assert read_collected(inbox.root, CHAPTER).keys() == {"ada"}
    by_hand = {"20260007": WANG[1], "20260008": WANG[0]}
    for student, text in by_hand.items():
        hand_in(inbox, student, text)
    for download in (inbox.archive / "all.zip", None, None):
        assert inbox.collect()
        record = read_collected(inbox.root, CHAPTER)
        assert {who: record[who] for who in by_hand} == {
            who: Collected("", "moodle", prefix) for who, prefix in by_hand.items()
        }
        assert inbox.aside() == {}
        if download:
            download.unlink()
            put(inbox.archive, {ZHANG: WHOLE})


def test_a_file_that_may_be_several_students_is_noted_for_nobody(inbox):
    """A page with one student's name and points must not reach another one."""
    theirs = f"Ada Lovelace_1_assignsubmission_file_李四 {FILE}"  # left out, and ada's
    put(
        inbox.archive,
        {f"{one}{FILE}": "the same" for one in WANG} | {theirs: "copied", ZHANG: "{}"},
    )
    hand_in(inbox, "20260007", "the same")
    hand_in(inbox, "20260003", "copied")
    assert inbox.collect()
    assert read_collected(inbox.root, CHAPTER).keys() == {"20260001"}
    (inbox.archive / f"{WANG[1]}{FILE}").unlink()
    hand_in(inbox, "20260008", "the same")
    assert inbox.collect()
    assert read_collected(inbox.root, CHAPTER).keys() == {"20260001"}
    hand_in(inbox, "20260008", "another")
    hand_in(inbox, "ada", "copied")
    assert inbox.collect()
    assert read_collected(inbox.root, CHAPTER).keys() == {"20260001", "20260007", "ada"}


def test_late_by_canvas_is_noted_of_what_a_teacher_puts_there(inbox, taught):
    (inbox.root / "course.toml").write_text('late = "zero"', encoding="utf-8")
    put(inbox.archive, {f"王伟_LATE_501_1_{FILE}": "first", f"王伟_501_2_{FILE}": "first"})
    put(inbox.archive, {f"王伟_LATE_502_3_{FILE}": "theirs", f"lovelaceada_7_4_{FILE}": WHOLE})
    hand_in(inbox, "20260007", "first")
    hand_in(inbox, "20260008", "theirs")
    assert inbox.collect()
    assert marked_late(inbox.root, CHAPTER) == {"20260008"}  # the other's latest was in time
    assert "2 from before (1 without a time, so never late)" in inbox.screen.getvalue()


@pytest.mark.parametrize("text", ["2026-09-14 17:00:00.25 UTC", "2026-09-15 01:00:00 +0800"])
def test_a_time_that_is_known_stays_with_the_same_work(inbox, text):
    """Seen: a download of Moodle 4, which says no times, made late work untimed."""
    put(inbox.archive, {ADA: WHOLE, ZHANG: WHOLE})
    hand_in(inbox, "ada", WHOLE)
    stamp = inbox.root / "submitted" / "ada" / CHAPTER / "timestamp.txt"
    stamp.write_text(text)
    assert inbox.collect()
    assert "Handed in: 2 of 12 (1 late, 1 without a time" in inbox.screen.getvalue()
    assert stamp.read_text() == text
    assert inbox.aside() == {}
    put(inbox.archive, {ADA: "ada, again"})  # when that came nobody knows
    assert inbox.collect()
    assert not stamp.exists()


@pytest.mark.parametrize("language", ["en", "both"])
def test_the_table_of_a_class_fits_a_terminal_of_80_columns(inbox, monkeypatch, language):
    """Seen: six to eighteen lines for each student of Moodle, in both languages."""
    monkeypatch.setenv("POSENC_LANGUAGE", language)
    folder = "PHYS-101 Positional encodings, autumn term"
    put(inbox.archive, {f"{folder}/{one}": WHOLE for one in (ADA, ZHANG, LI)})
    put(inbox.archive, {f"{folder}/Nobody_1_assignsubmission_file_{FILE}": "{}"})
    console = Console(file=inbox.screen, width=80, force_terminal=True)
    assert collect(inbox.course, CHAPTER, console)
    lines = inbox.screen.getvalue().splitlines()
    ends = ("12名学生", "Handed in: 3 of 12")
    table = lines[1 : next(place for place, one in enumerate(lines) if one.startswith(ends))]
    assert max(map(cell_len, table)) <= 80
    assert [one.split()[0] for one in table[:3]] == ["20260001", "20260002", "ada"]
    assert len(table) <= len(inbox.submitted()) + 9 + 5  # one each; what is left out: up to five
    assert OF_NOBODY.format(count=1).en in inbox.screen.getvalue()
    piped = io.StringIO()
    collect(inbox.course, CHAPTER, Console(file=piped, width=80), dry_run=True)
    (left_out,) = (one for one in piped.getvalue().splitlines() if "Nobody_1" in one)
    assert left_out.strip().startswith(LEFT_OUT.label())


def test_another_version_takes_the_place_of_one_that_is_kept_aside(inbox):
    hand_in(inbox, "ada", "by hand")
    put(inbox.archive, {ADA: "second"})
    assert inbox.collect()
    assert inbox.submitted() == {"ada": "second"}
    assert inbox.aside() == {"ada-1": "by hand"}
    put(inbox.archive, {ADA: "third"})
    assert inbox.collect()
    assert inbox.aside() == {"ada-1": "by hand", "ada-2": "second"}


@pytest.mark.parametrize(
    ("first", "second", "is_told"),
    [
        ("S_ada_attempt_2026-09-14-10-00-00", "S_ada_attempt_2026-09-17-10-00-00", True),
        ("S_ada_attempt_2026-09-14-18-00-00", "S_ada_attempt_2026-09-17-10-00-00", False),
        ("S_ada_attempt_2026-09-14-10-00-00", "S_ada_attempt_2026-09-14-11-00-00", False),
        ("lovelaceada_7_1", "lovelaceada_LATE_7_2", True),
        ("lovelaceada_LATE_7_1", "lovelaceada_LATE_7_2", False),
    ],
)
def test_a_late_one_says_where_the_one_in_time_is_now(inbox, monkeypatch, first, second, is_told):
    monkeypatch.setattr("autograde.teacher.settings.chapter_names", lambda: [CHAPTER])
    (inbox.root / "course.toml").write_text('timezone = "UTC"', encoding="utf-8")
    texts = ('{"cells": [], "first": 1}', WHOLE)
    put(inbox.archive, {f"{first}_{FILE}": texts[0]})
    assert inbox.collect()
    (inbox.archive / f"{first}_{FILE}").unlink()
    put(inbox.archive, {f"{second}_{FILE}": texts[1]})
    for dry_run in (True, False):  # the same table
        assert inbox.collect(dry_run=dry_run) is not dry_run
    sentence = f"takes the place of one that was in time: set_aside/{CHAPTER}/ada-1"
    assert inbox.screen.getvalue().count(sentence) == 2 * is_told
    assert inbox.aside() == {"ada-1": texts[0]}


def test_who_is_not_in_a_download_stays_and_is_named(inbox):
    put(inbox.archive, {ADA: "ada"})
    assert inbox.collect()
    hand_in(inbox, "20260003", "by hand")
    (inbox.archive / ADA).unlink()
    put(inbox.archive, {ZHANG: "zhang"})
    assert inbox.collect()
    assert inbox.submitted() == {"ada": "ada", "20260001": "zhang", "20260003": "by hand"}
    assert inbox.screen.getvalue().count("from before\n") == 2


@pytest.mark.parametrize("packed", [False, True])
def test_a_ghost_goes_when_the_class_list_is_mended(new_inbox, packed):
    inbox = new_inbox({"1001": ("二", "钱"), "1002": ("一", "钱")})  # the wrong way round
    if packed:
        archive = zipped({f"work/{FILE}": "the work of 1002"})
        put(inbox.archive, {"钱二_1_assignsubmission_file_work.zip": archive})
    else:
        put(inbox.archive, {MOODLE.format("钱二"): "the work of 1002"})
    assert inbox.collect()
    assert inbox.submitted() == {"1001": "the work of 1002"}
    inbox.enrol({"1001": ("一", "钱"), "1002": ("二", "钱")})
    assert inbox.collect()
    assert inbox.submitted() == {"1002": "the work of 1002"}
    assert inbox.aside() == {"1001-1": "the work of 1002"}


@pytest.mark.parametrize("ghost", ["2023012354 钱二", "12346", "*", "a\nb", "=1+1", "..."])
def test_who_is_not_on_the_class_list_is_set_aside(inbox, ghost):
    put(inbox.archive, {ADA: "ada"})
    hand_in(inbox, ghost, "a ghost's")
    assert inbox.collect()
    assert inbox.submitted() == {"ada": "ada"}
    assert list(inbox.aside().values()) == ["a ghost's"]
    assert "not on the class list" in inbox.screen.getvalue()


def test_nothing_is_in_submitted_that_the_table_does_not_name(inbox):
    put(inbox.archive, {ADA: "ada", ZHANG: "zhang", MOODLE.format("Nobody"): "{}"})
    for student in ("20260003", "nobody", "20260002"):
        hand_in(inbox, student, "by hand")
    assert inbox.collect()
    lines = inbox.screen.getvalue().splitlines()
    for student in inbox.submitted():
        assert [line for line in lines if line.startswith(f"{student} ")]
    assert "submitted/nobody: not on the class list" in inbox.screen.getvalue()


def test_a_kill_in_the_middle_leaves_whole_submissions(inbox, monkeypatch):
    """Seen: they were late, and would never have counted as late."""
    names = {"ada": "lovelaceada", "20260001": "张三", "20260002": "李四"}
    files = {f"{name}_LATE_7{n}_{n}_{FILE}": who for n, (who, name) in enumerate(names.items())}
    put(inbox.archive, files)
    rename, count = Path.rename, []

    def dies(path, target):
        count.append(target)
        if len(count) == 2:
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", dies)
    with pytest.raises(KeyboardInterrupt):
        inbox.collect()
    (student,) = inbox.submitted()
    assert student in marked_late(inbox.root, CHAPTER)
    monkeypatch.undo()
    for left_behind in names.keys() - {student}:
        put(inbox.root / "submitted" / left_behind / f".{CHAPTER}.part", {FILE: "ha"})
    assert inbox.collect()
    assert inbox.submitted() == {one: one for one in names}
    assert not list((inbox.root / "submitted").glob("*/.*"))


IN_TIME, LATE = (
    {who: f"S_{who}_attempt_2026-09-14-{hour}-00-00_{FILE}" for who in ("ada", "jose")}
    for hour in (10, 18)
)


def full_disk(archive, patch):
    def write_bytes(path, content, write=Path.write_bytes):
        return no_space() if "jose" in path.parts else write(path, content)

    patch.setattr(Path, "write_bytes", write_bytes)


def other_file(archive, patch):
    put(archive, {LATE["jose"]: "another"})


def large_file(archive, patch):
    os.truncate(archive / LATE["jose"], NOTEBOOK_BYTES + 1)


@pytest.mark.parametrize(
    ("cause", "error", "message"),
    [
        (full_disk, OSError, "No space left"),
        (other_file, CannotBegin, "has changed since it was looked at"),
        (large_file, CannotBegin, "has changed since it was looked at"),
    ],
)
def test_until_all_is_written_nothing_is_moved(inbox, taught, monkeypatch, cause, error, message):
    """Seen: a full disk left half a class without its work, and the next run without a warning."""
    (inbox.root / "course.toml").write_text('timezone = "UTC"', encoding="utf-8")
    put(inbox.archive, dict.fromkeys(IN_TIME.values(), WHOLE))
    assert inbox.collect()
    record = read_collected(inbox.root, CHAPTER)
    put(inbox.archive, dict.fromkeys(LATE.values(), "late"))
    with monkeypatch.context() as patch:
        path = "autograde.collecting.collect.print_table"
        patch.setattr(path, lambda *_: cause(inbox.archive, patch))
        with pytest.raises(error, match=message):
            inbox.collect()
    assert inbox.submitted() == dict.fromkeys(IN_TIME, WHOLE)
    assert inbox.aside() == {}
    assert read_collected(inbox.root, CHAPTER) == record
    assert not list((inbox.root / "submitted").glob("*/.*"))
    assert inbox.collect()
    assert inbox.submitted()["ada"] == "late"
    place = f"set_aside/{CHAPTER}/ada-1"
    assert f"takes the place of one that was in time: {place}" in inbox.screen.getvalue()


def test_a_terminal_is_shown_no_codes(inbox):
    put(inbox.archive, {"all.zip": zipped({ADA: "ada", f"\x1b[2Jx\u202e{ADA}": "[bold]"})})
    assert inbox.collect(platform="moodle")
    assert not set("\x1b\u202e") & set(inbox.screen.getvalue())
    assert "\\x1b[2Jx\\u202e" in inbox.screen.getvalue()


def test_one_student_does_not_fill_the_table(inbox):
    theirs = zipped({f"{number} 李四 {FILE}": "{}" for number in range(900)})
    put(
        inbox.archive, {f"张三_1_assignsubmission_file_{number}.zip": theirs for number in range(3)}
    )
    assert inbox.collect(dry_run=True) is False
    assert "and 2695 more" in inbox.screen.getvalue()
    assert len(inbox.screen.getvalue().splitlines()) < 40


def test_where_nothing_can_be_read_no_platform_is_named(inbox):
    put(inbox.archive, {"all.zip": b"no archive", "notes.pdf": "text"})
    inbox.collect()
    title, *lines = inbox.screen.getvalue().splitlines()
    assert title == CHAPTER
    assert any("all.zip: it cannot be unpacked" in line for line in lines)
    assert any("notes.pdf: neither a notebook nor a .zip" in line for line in lines)


def test_an_empty_folder_is_explained(inbox):
    with pytest.raises(CannotBegin, match="put the platform's download there"):
        inbox.collect()


def test_an_archive_without_a_notebook_is_explained_by_what_it_has(inbox):
    put(inbox.archive, {"all.zip": zipped({"ada.pdf": "text"})})
    with pytest.raises(CannotBegin, match=r"nor in an archive there, only all\.zip/ada\.pdf:"):
        inbox.collect()
    put(inbox.archive, {"作业.rar": b"Rar!"})
    with pytest.raises(CannotBegin, match=r"作业\.rar: .* Unpack \.rar"):
        inbox.collect()


@pytest.mark.parametrize("name", ["5_rope", "rope", "05_ropes", "05_rope/.."])
def test_a_name_that_is_not_a_chapter_collects_nothing(inbox, name):
    put(inbox.root / "downloaded" / name / "archive", {f"ada_{FILE}": "{}"})
    before = inbox.files()
    with pytest.raises(CannotBegin, match="Did you mean '05_rope'"):
        collect(inbox.course, name, Console(file=inbox.screen), platform="files")
    assert inbox.files() == before


def test_without_a_gradebook_none_is_made(inbox):
    (inbox.root / "gradebook.db").unlink()
    with pytest.raises(CannotBegin, match="There is no gradebook"):
        inbox.collect()
    assert not (inbox.root / "gradebook.db").exists()


GOOD = {"source": "all.zip", "platform": "canvas", "prefix": "ada_1_2_", "marked_late": True}


@pytest.mark.parametrize(
    "text",
    [
        *("{", "[]", "3", '{"ada": 3}', '{"ada": "all.zip"}', '{"ada":' * 100_000),
        *(json.dumps({"ada": {**GOOD, name: 3}}) for name in (*GOOD, "of_another_version")),
        json.dumps({"ada": {"prefix": ""}}),
    ],
    ids=range(12),
)
def test_a_record_that_collect_did_not_write_is_named(inbox, text):
    """Seen: "late": "no" was late, and a number for a path a traceback."""
    put(inbox.archive.parent, {RECORD: json.dumps({"ada": GOOD})})
    assert read_collected(inbox.root, CHAPTER) == {"ada": Collected(**GOOD)}
    put(inbox.archive, {"all.zip": zipped({ADA: "ada"})})
    put(inbox.archive.parent, {RECORD: text})
    with pytest.raises(
        CannotBegin, match=r"collected\.json cannot be read, or is not what"
    ) as error:
        inbox.collect()
    assert "__init__" not in str(error.value)


def test_the_copy_of_a_broken_record_keeps_who_was_late(inbox):
    """Seen: "move it away, and collect again", and all whom the new download lacks were in time."""
    late = f"doejane_LATE_12345_1_{FILE}"
    put(inbox.archive, {late: WHOLE})
    assert inbox.collect()
    (inbox.archive / late).unlink()
    put(inbox.archive, {f"lovelaceada_LATE_7_2_{FILE}": WHOLE})
    assert inbox.collect()
    record, copy = (inbox.archive.parent / name for name in (RECORD, COPY))
    record.write_bytes(record.read_bytes()[:50])
    with pytest.raises(CannotBegin, match=f"put {COPY}, its copy, in its place"):
        inbox.collect()
    copy.replace(record)
    assert marked_late(inbox.root, CHAPTER) == {"12345", "ada"}


def test_a_folder_in_the_place_of_the_record_is_named(inbox):
    put(inbox.archive, {ADA: "ada"})
    (inbox.archive.parent / RECORD).mkdir()
    with pytest.raises(CannotBegin, match=r"collected\.json cannot be read"):
        inbox.collect()


@pytest.mark.parametrize("name", ["*", "a\nb", "[ab]*", "a?", "=1+1"])
def test_names_that_nbgrader_would_not_survive_are_moved(tmp_path, name, capsys):
    """S15: one folder called `*` was graded with the whole class's notebooks."""
    for student in (name, "ada", ".hidden"):
        put(tmp_path / "course/submitted" / student / CHAPTER, {FILE: student})
    (tmp_path / "course/submitted/notes.txt").write_text("a file")
    set_odd_names_aside(tmp_path / "course")
    assert set(os.listdir(tmp_path / "course/submitted")) == {"ada", ".hidden", "notes.txt"}
    (moved,) = (tmp_path / "course/set_aside").rglob(FILE)
    assert moved.read_text() == name
    assert f"“{escaped(name)}”" in capsys.readouterr().err
    set_odd_names_aside(tmp_path / "course")
    assert capsys.readouterr().err == ""
