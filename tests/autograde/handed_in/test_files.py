"""What lies beside a notebook: the student's files, and over them the course's own."""

import os

import pytest

from autograde.handed_in.files import NotGradable, read_submission


def test_of_what_is_handed_in_nothing_lies_across_the_courses_own_files(tmp_path):
    handed_in, own = tmp_path / "handed in", tmp_path / "own"
    for folder, names in (
        (own, ["data/table.csv", "pictures"]),
        (handed_in, ["data", "pictures/mine.png", "notes/mine.txt", "start.ipynb"]),
    ):
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(folder.name)
    files = read_submission(handed_in / "start.ipynb", own).files
    assert files == {
        "notes/mine.txt": b"handed in", "data/table.csv": b"own", "pictures": b"own",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("names", "why"),
    [
        ([], "there is no start.ipynb"),
        (["notes.txt"], "there is no start.ipynb"),
        (["zoe\x1b_start.ipynb"], "there is no start.ipynb, only zoe\\x1b_start.ipynb: rename it"),
    ],
)
def test_a_notebook_of_another_name_is_named(tmp_path, names, why):
    for name in names:
        (tmp_path / name).write_text("{}")
    with pytest.raises(NotGradable) as error:
        read_submission(tmp_path / "start.ipynb", tmp_path / "no source")
    assert str(error.value).startswith(why)
    assert ("rename" in str(error.value)) == ("rename" in why)


def test_nothing_is_read_through_a_link_that_is_still_there(tmp_path):
    teachers, handed_in = tmp_path / "teachers", tmp_path / "handed in"
    for folder in (teachers, handed_in / "notes"):
        folder.mkdir(parents=True)
        (folder / "table.csv").write_text(folder.name)
        (folder / "start.ipynb").write_text("{}")
    (handed_in / "table.csv").symlink_to(teachers / "table.csv")
    (handed_in / "folder").symlink_to(teachers)
    (handed_in / "start.ipynb").symlink_to(teachers / "start.ipynb")
    os.mkfifo(handed_in / "pipe")
    with pytest.raises(NotGradable):
        read_submission(handed_in / "start.ipynb", tmp_path / "no source")
    (handed_in / "start.ipynb").unlink()
    (handed_in / "start.ipynb").write_text("{}")
    files = read_submission(handed_in / "start.ipynb", tmp_path / "no source").files
    assert files == {"notes/table.csv": b"notes"}
