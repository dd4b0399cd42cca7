"""Every test of the kit keeps its records in a folder of its own, and sees one small exercise."""

import functools
import sys

import nbgrader.api
import pytest
from alembic.script import ScriptDirectory
from jinja2 import Environment, FileSystemBytecodeCache
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import create_engine
from traitlets.log import get_logger

import autograde.exercises
import autograde.quizzes
from autograde.pages import templates
from tests.autograde.late_class import make_late_course
from tests.autograde.small import DOUBLE, QUESTIONS
from tests.autograde.small_class import KIT

FOUND_ANYWAY = ("autograde.exercises.", "autograde.quizzes.")  # modules, wherever their files lie


@pytest.fixture(scope="session", autouse=True)
def made_once(tmp_path_factory):
    """Read the schema's version, and compile SQL and templates, once for all tests.

    Each new gradebook would start alembic for the same word, and compile the same statements.
    """
    compiled = FileSystemBytecodeCache(tmp_path_factory.mktemp("templates"))
    with pytest.MonkeyPatch.context() as patch:
        once = functools.cache(ScriptDirectory(ALEMBIC_DIR).get_current_head)
        patch.setattr(nbgrader.api, "get_alembic_version", once)
        shared = functools.partial(create_engine, execution_options={"compiled_cache": {}})
        patch.setattr(nbgrader.api, "create_engine", shared)
        cached = functools.partial(Environment, bytecode_cache=compiled)
        patch.setattr(templates, "Environment", cached)
        yield


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    """Keep records in a temporary folder, and speak English unless a test says otherwise."""
    folder = tmp_path / "data"
    monkeypatch.setenv("POSENC_DATA_DIR", str(folder))
    monkeypatch.setenv("POSENC_LANGUAGE", "en")
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    return folder


@pytest.fixture(autouse=True)
def catalogue(tmp_path, monkeypatch):
    """Show the kit one exercise, `double`, and one quiz, `kit`; return the folder they lie in."""
    folder = tmp_path / "catalogue"
    folder.mkdir()
    (folder / "double.py").write_text(DOUBLE, encoding="utf-8")
    quizzes = tmp_path / "quizzes"
    quizzes.mkdir()
    (quizzes / "kit.py").write_text(QUESTIONS, encoding="utf-8")
    monkeypatch.setattr(autograde.exercises, "__path__", [str(folder)])
    monkeypatch.setattr(autograde.quizzes, "__path__", [str(quizzes)])
    yield folder
    for name in [name for name in sys.modules if name.startswith(FOUND_ANYWAY)]:
        if str(sys.modules[name].__file__).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def log(caplog, monkeypatch):
    """Catch all that nbgrader logs; an earlier test may have left its logger silent."""
    logger = get_logger()
    monkeypatch.setattr(logger, "disabled", False)
    caplog.set_level("DEBUG", logger=logger.name)
    return caplog


@pytest.fixture
def late_course(tmp_path, monkeypatch):
    """Work in a course with deadlines, extensions and a late penalty; return its folder."""
    monkeypatch.setattr("autograde.teacher.settings.chapter_names", lambda: [KIT])
    folder = make_late_course(tmp_path / "course")
    monkeypatch.chdir(folder)
    return folder
