"""Modes that a student chose, and folders that are another user's."""

import os
from datetime import datetime

import pytest
from nbgrader.coursedir import CourseDirectory

from autograde.handed_in import files
from autograde.handed_in.access import give_access
from autograde.handed_in.files import NotGradable
from autograde.handed_in.paths import open_plain
from autograde.handed_in.timestamp import handed_in_at, set_odd_timestamp_aside
from autograde.nbgrader.autograde import keep_what_counts
from autograde.teacher.lateness import is_stand_in


def test_what_is_closed_is_opened_and_no_link_is_followed(tmp_path):
    elsewhere, folder = tmp_path / "teachers.db", tmp_path / "handed in"
    (folder / "data").mkdir(parents=True)
    closed = [folder / "start.ipynb", folder / "data" / "table.csv"]
    for path in (elsewhere, *closed):
        path.write_text("x")
        path.chmod(0)
    (folder / "link").symlink_to(elsewhere)
    (folder / "data").chmod(0)
    folder.chmod(0o500)
    give_access(folder)
    assert [path.stat().st_mode & 0o777 for path in closed] == [0o400] * 2
    assert [path.stat().st_mode & 0o777 for path in (folder, folder / "data")] == [0o700] * 2
    assert elsewhere.stat().st_mode & 0o777 == 0


def test_a_timestamp_that_is_not_a_moment_does_not_count(tmp_path):
    assert handed_in_at(tmp_path) is None
    for words, year in [("2026-11-01 10:00:00 UTC", 2026), ("no moment", None), ("", None)]:
        (tmp_path / "timestamp.txt").write_text(words)
        assert getattr(handed_in_at(tmp_path), "year", None) == year


def test_no_students_time_is_taken_for_an_unknown_one(tmp_path):
    for fraction, microsecond in ((".000001", 0), (".5", 500_000), ("", 0)):
        (tmp_path / "timestamp.txt").write_text(f"2026-09-16 17:30:00{fraction} UTC")
        handed_in = handed_in_at(tmp_path)
        assert handed_in == datetime(2026, 9, 16, 17, 30, 0, microsecond)
        assert not is_stand_in(handed_in)


@pytest.mark.parametrize("end", ["no moment", "/dev/zero"])
def test_nothing_behind_many_blanks_of_a_timestamp_stops_nbgrader(tmp_path, end):
    """Ours read 100 bytes, and took blanks for an empty file; nbgrader reads all of it."""
    for begin in ("", "2026-11-01 10:00:00 UTC"):
        (tmp_path / "timestamp.txt").write_text(f"{begin}{' ' * 200}{end}")
        assert handed_in_at(tmp_path) is None
        set_odd_timestamp_aside(tmp_path)
        assert CourseDirectory().get_existing_timestamp(str(tmp_path)) is None


def test_a_link_in_place_of_a_folder_is_not_gradable_and_nothing_in_it_changes(tmp_path):
    teachers = tmp_path / "course" / "start"
    teachers.mkdir(parents=True)
    (teachers / "own").symlink_to("elsewhere")
    submitted = tmp_path / "submitted"
    (submitted / "ada").mkdir(parents=True)
    (submitted / "ada" / "start").symlink_to(teachers)
    (submitted / "eve").symlink_to(teachers.parent)
    for student in ("ada", "eve"):
        with pytest.raises(NotADirectoryError):
            give_access(submitted / student / "start")
        with pytest.raises(NotGradable):
            keep_what_counts("start", student, [str(submitted / student / "start" / "a.ipynb")])
    assert (teachers / "own").is_symlink()


def test_what_was_swapped_after_the_look_is_neither_followed_nor_waited_for(tmp_path):
    secret, folder = tmp_path / "secret", tmp_path / "handed in"
    for place in (secret, folder / "data"):
        place.mkdir(parents=True)
        (place / "table.csv").write_text("x")
    looked_at = folder / "data" / "table.csv"
    with open_plain(folder, looked_at) as file:
        assert file.read() == b"x"
    looked_at.rename(folder / "table.csv")
    for swap in (lambda: looked_at.symlink_to(secret / "table.csv"), lambda: os.mkfifo(looked_at)):
        swap()
        with pytest.raises(OSError, match=r"table\.csv"):
            open_plain(folder, looked_at)
        looked_at.unlink()
    (folder / "data").rmdir()
    (folder / "data").symlink_to(secret)
    with pytest.raises(OSError, match="data"):
        open_plain(folder, looked_at)


def test_a_file_that_grows_while_it_is_read_is_cut(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "BESIDE_BYTES", 10)
    (tmp_path / "log.txt").write_bytes(b"x" * 10)
    monkeypatch.setattr(files, "open_plain", grown(files.open_plain))
    assert files.files_beside(tmp_path) == {"log.txt": b"x" * 10}


def grown(opened):
    def open_grown(folder, path):
        with path.open("ab") as file:
            file.write(b"more")
        return opened(folder, path)

    return open_grown


def test_a_note_is_never_written_through_a_link(tmp_path, monkeypatch):
    teachers, path = tmp_path / "teachers.db", tmp_path / "handed in" / "link"
    path.parent.mkdir()
    teachers.write_text("points")
    path.symlink_to(teachers)
    monkeypatch.setattr(type(path), "unlink", lambda self: None)  # a student puts it there again
    with pytest.raises(FileExistsError):
        files.remove_links(path.parent)
    assert teachers.read_text() == "points"
