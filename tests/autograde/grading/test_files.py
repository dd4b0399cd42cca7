"""What lies beside a notebook: the student's files, and over them the course's own."""

from autograde.grading.files import read_submission


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
