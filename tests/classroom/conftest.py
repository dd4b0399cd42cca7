"""A released course that every test of this folder gets a copy of: to make one takes seconds."""

import functools
import shutil

import nbgrader.api
import pytest

from tests.classroom.one_chapter import release


@pytest.fixture(scope="session", autouse=True)
def schema_version():
    """Ask alembic once: each new gradebook would start it, for the same word."""
    with pytest.MonkeyPatch.context() as patch:
        once = functools.cache(nbgrader.api.get_alembic_version)
        patch.setattr(nbgrader.api, "get_alembic_version", once)
        yield


@pytest.fixture(scope="session")
def released(tmp_path_factory):
    course = tmp_path_factory.mktemp("released")
    release(course)
    return course


@pytest.fixture
def course(released, tmp_path):
    """A course in a folder of its own: what is written outside can be seen."""
    return shutil.copytree(released, tmp_path / "course")
