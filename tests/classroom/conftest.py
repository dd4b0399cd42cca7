"""A released course that every test of this folder gets a copy of: to make one takes seconds."""

import shutil

import pytest

from tests.autograde.conftest import made_once as made_once
from tests.classroom.one_chapter import release


@pytest.fixture(scope="session")
def released(tmp_path_factory):
    course = tmp_path_factory.mktemp("released")
    release(course)
    return course


@pytest.fixture
def course(released, tmp_path):
    """A course in a folder of its own: what is written outside can be seen."""
    return shutil.copytree(released, tmp_path / "course")
