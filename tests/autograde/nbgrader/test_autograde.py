"""nbgrader's autograde reads a graded notebook where it would read the submitted one."""

from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograde.handed_in import prepare
from autograde.handed_in.files import NotGradable
from autograde.nbgrader.autograde import STEPS, GradedNotebook, keep_what_counts

# SQLAlchemy, of nbgrader's own order of things
pytestmark = [
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
    pytest.mark.filterwarnings("ignore:Object of type"),
]


class Recorder(Executor):
    """Takes what is submitted and answers in its place; dies over the first `deaths`."""

    def __init__(self, deaths=0, result="the graded notebook"):
        self.calls, self.deaths, self.result = [], deaths, result

    def submit(self, fn, /, *args):
        future = Future()
        self.calls.append(args)
        if len(self.calls) <= self.deaths:
            future.set_exception(BrokenProcessPool("died"))
        else:
            future.set_result(self.result)
        return future


@pytest.fixture
def course(tmp_path):
    course = CourseDirectory(root=str(tmp_path), db_url=f"sqlite:///{tmp_path}/gradebook.db")
    with Gradebook(course.db_url) as gradebook:
        gradebook.add_assignment("start")
        gradebook.add_notebook("start", "start")
        gradebook.add_student("ada")
        gradebook.add_submission("start", "ada")  # nbgrader does it before it reads a notebook
    return course


def hand_in(course, step="submitted", student="ada"):
    folder = Path(course.format_path(step, student, "start"))
    folder.mkdir(parents=True)
    path = folder / "start.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("'a student s words'")]), path)
    (folder / "notes.txt").write_text("beside")
    return str(path)


def resources(course):
    return {
        "nbgrader": {
            "student": "ada", "assignment": "start", "notebook": "start", "db_url": course.db_url,
        }
    }  # fmt: skip


def exporter(course, executor, **settings):
    exporter = GradedNotebook(executor=executor, **settings)
    exporter.parent = Autograde(coursedir=course)
    return exporter


def test_a_submitted_file_comes_back_graded(course):
    executor = Recorder()
    text, facts = exporter(course, executor, seed=7).from_filename(
        hand_in(course), resources(course)
    )
    assert text == "the graded notebook"
    assert facts["output_extension"] == ".ipynb"
    ((submission, record, seed, _),) = executor.calls
    assert b"a student" in submission.notebook
    assert submission.files == {"notes.txt": b"beside"}
    assert (record.cells, seed) == ((), 7)


def test_each_submission_gets_inputs_of_its_own_unless_a_seed_is_set(course):
    executor, path = Recorder(), hand_in(course)
    for _ in range(3):
        exporter(course, executor).from_filename(path, resources(course))
    assert len({seed for _, _, seed, _ in executor.calls}) == 3


def test_a_process_that_died_is_tried_once_more(course):
    path = hand_in(course)
    once = exporter(course, Recorder(deaths=1))
    assert once.from_filename(path, resources(course))[0] == "the graded notebook"
    with pytest.raises(BrokenProcessPool):
        exporter(course, Recorder(deaths=2)).from_filename(path, resources(course))


def test_a_graded_file_is_read_as_it_is(course):
    executor = Recorder()
    text, _ = exporter(course, executor).from_filename(
        hand_in(course, "autograded"), resources(course)
    )
    assert "a student" in text
    assert executor.calls == []


def test_a_file_that_is_not_a_notebook_is_refused(course):
    path = hand_in(course)
    with open(path, "wb") as file:
        file.truncate(60 << 20)
    with pytest.raises(NotGradable, match="bytes"):
        exporter(course, Recorder()).from_filename(path, resources(course))


def graded_by_nbgrader():
    """Return the settings with which nbgrader's own steps run on what `Recorder` gives."""
    config = Config(Autograde={"exporter_class": GradedNotebook, "create_student": True})
    config.Autograde.update(sanitize_preprocessors=[], autograde_preprocessors=list(STEPS))
    config.Autograde.pre_convert_hook = keep_what_counts
    config.GradedNotebook.executor = Recorder(result=nbformat.writes(new_notebook()))
    return config


def test_names_that_a_terminal_obeys_are_set_aside_and_reach_no_log(course, log):
    folder = Path(hand_in(course)).parent
    names = [
        "\x1b]0;owned\x07\x1b[2Jx.txt", "d\x1b[31m/e.csv", "\u202egpj.exe",
        "a\nb\r[INFO] all fine.txt", "\x1b[2J.ipynb",
    ]  # fmt: skip
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("{}")
    course.assignment_id = "start"
    Autograde(coursedir=course, config=graded_by_nbgrader()).start()
    assert "notes.txt" in log.text
    assert [one for one in log.records if not one.getMessage().isprintable()] == []
    aside = folder.with_name("start.left_out-1")
    assert all((aside / name).is_file() for name in names)
    assert {path.name for path in folder.iterdir()} == {"start.ipynb", "notes.txt"}


def test_a_folder_that_may_not_be_changed_stops_no_other(course, monkeypatch):
    def refuse(folder):
        if "ada" in folder.parts:
            raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(prepare, "remove_links", refuse)
    for student in ("ada", "bo"):
        hand_in(course, student=student)
    course.assignment_id = "start"
    config = graded_by_nbgrader()
    with pytest.raises(NbGraderException):
        Autograde(coursedir=course, config=config).start()
    graded = {path.parts[-3] for path in Path(course.root, "autograded").rglob("*.ipynb")}
    assert graded == {"bo"}


def test_a_submission_that_says_no_moment_does_not_keep_an_earlier_ones(course):
    course.assignment_id = "start"
    config = graded_by_nbgrader()
    path = Path(hand_in(course)).with_name("timestamp.txt")
    for moment, fraction in (("2026-09-15 12:00:00", ".000001"), ("", "")):
        path.write_text(moment + fraction, encoding="utf-8")
        Autograde(coursedir=course, config=config, force=True).start()
        with Gradebook(course.db_url) as gradebook:
            timestamp = gradebook.find_submission("start", "ada").timestamp
        assert str(timestamp or "") == moment


def test_an_odd_time_beside_work_that_is_graded_does_not_end_the_grading(course):
    """nbgrader reads it before its hook, to see whether the work is newer than what is graded."""
    course.assignment_id = "start"
    path = Path(hand_in(course)).with_name("timestamp.txt")
    for time in ("2026-09-15 12:00:00", "no time"):
        path.write_text(time, encoding="utf-8")
        Autograde(coursedir=course, config=graded_by_nbgrader()).start()
    assert not path.exists()


def test_a_record_of_collect_that_cannot_be_read_costs_no_graded_notebook(course, log):
    """Seen: `--force` removed what was graded, then failed over each student."""
    hand_in(course)
    graded = Path(hand_in(course, "autograded"))
    broken = Path(course.root, "downloaded", "start", "collected.json")
    broken.parent.mkdir(parents=True)
    broken.write_text("{")
    course.assignment_id = "start"
    with pytest.raises(NbGraderException, match=r"collected\.json cannot be read"):
        Autograde(coursedir=course, config=graded_by_nbgrader(), force=True).start()
    assert graded.is_file()
    assert "collected.json cannot be read" in log.text
