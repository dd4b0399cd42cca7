"""A graded notebook is read again once another has taken its place."""

import os

from autograde.by_hand.notebooks import GradedNotebooks
from autograde.teacher.course_folder import course_api
from tests.autograde.by_hand.desk import QUESTION, make_class
from tests.autograde.small_class import KIT


def test_a_notebook_as_long_and_as_old_as_the_one_it_replaces_is_read(tmp_path):
    folder = make_class(tmp_path / "course", {"ada": "Order is lost."})
    notebooks = GradedNotebooks(course_api(folder).coursedir, KIT)
    assert notebooks.cells("ada")[QUESTION]["source"] == ["Order is lost."]
    path, other = folder / "autograded" / "ada" / KIT / f"{KIT}.ipynb", folder / "other"
    other.write_bytes(path.read_bytes().replace(b"Order", b"Chaos"))
    status = path.stat()
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(path)
    assert notebooks.cells("ada")[QUESTION]["source"] == ["Chaos is lost."]
