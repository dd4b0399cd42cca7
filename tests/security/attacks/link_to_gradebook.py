"""Puts links beside the notebook: to the gradebook, to a key, to a folder, to itself."""

from pathlib import Path

from tests.security.pieces import everywhere

ANSWER = everywhere("""
for name in os.listdir("."):
    if os.path.isfile(name):
        print(name, open(name).read(200))
open("data.csv", "w").write("mine")
""")


def beside(folder: Path, course: Path) -> None:
    """Put files beside the notebook."""
    (folder / "data.csv").symlink_to(course / "gradebook.db")
    (folder / "key.txt").symlink_to(course / "home/.ssh/id")
    (folder / "all").symlink_to(course)
    (folder / "self").symlink_to("self")
