"""The small class of tests/autograde/small_class.py, graded, and what its gradebook holds."""

import pytest

from autograde.register.read_register import read_register
from autograde.teacher.course_folder import open_course
from tests.autograde.small_class import KIT, make_course


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Work in the course's folder; return it."""
    folder = make_course(tmp_path / "a course")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def register(course):
    return read_register(open_course(course, KIT), KIT)
