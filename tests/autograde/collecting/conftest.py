"""A course folder with a class list, to collect into."""

import io
import shutil
from contextlib import closing

import pytest
from nbgrader.api import Gradebook, Student
from nbgrader.coursedir import CourseDirectory
from rich.console import Console

from autograde.collecting.collect import collect
from tests.autograde.collecting.a_class import CHAPTER, DUE, NAMES


@pytest.fixture(scope="session")
def empty_gradebook(tmp_path_factory):
    """Return a gradebook that knows the chapter; to make one takes nbgrader a second."""
    path = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    with closing(Gradebook(f"sqlite:///{path}")) as book:
        book.add_assignment(CHAPTER, duedate=DUE.replace(tzinfo=None))
    return path


class Inbox:
    """A teacher's course: downloads are put there and collected."""

    def __init__(self, root, gradebook, names):
        self.root, self.screen = root, io.StringIO()
        self.course = CourseDirectory(root=str(root), db_url=f"sqlite:///{root}/gradebook.db")
        self.archive = root / "downloaded" / CHAPTER / "archive"
        self.archive.mkdir(parents=True)
        shutil.copy(gradebook, root / "gradebook.db")
        self.enrol(names)

    def enrol(self, names):
        with closing(Gradebook(self.course.db_url)) as book:
            students = [
                Student(id=one, first_name=first, last_name=last)
                for one, (first, last) in names.items()
            ]
            for student in students:
                book.db.merge(student)
            book.db.commit()

    def collect(self, **options):
        console = Console(file=self.screen, width=200)
        return collect(self.course, CHAPTER, console, **options)

    def submitted(self):
        """Return the texts that lie in `submitted/`, by student."""
        paths = (self.root / "submitted").glob(f"*/{CHAPTER}/{CHAPTER}.ipynb")
        return {path.parts[-3]: path.read_text(encoding="utf-8") for path in paths}

    def aside(self):
        """Return the texts that lie in `set_aside/`, by the name of their folder."""
        paths = (self.root / "set_aside").rglob("*.ipynb")
        return {path.parent.name: path.read_text(encoding="utf-8") for path in paths}

    def files(self):
        """Return all files of the course but the gradebook, with what they hold."""
        paths = (path for path in self.root.rglob("*") if path.is_file())
        return {path: path.read_bytes() for path in paths if "gradebook.db" not in path.name}


@pytest.fixture
def new_inbox(tmp_path, empty_gradebook):
    """Return a function that makes a course for a class."""

    def make(names):
        root = tmp_path / f"course-{len(list(tmp_path.iterdir()))}"
        root.mkdir()
        return Inbox(root, empty_gradebook, names)

    return make


@pytest.fixture
def inbox(new_inbox):
    return new_inbox(NAMES)
