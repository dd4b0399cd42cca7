"""Where the groups of workers are made, of version 2: a machine that has it is not at hand."""

import pytest

from confined import control_group
from confined.control_group import HANDED_DOWN, new_group
from confined.limits import Limits

GRADER = "app.slice/run-1.scope"


@pytest.fixture
def slices(monkeypatch, tmp_path):
    """A grader's own group, which the kernel lets have no groups with limits, in a slice."""
    own = tmp_path / GRADER
    own.mkdir(parents=True)
    (tmp_path / "cgroup.controllers").write_text("cpu memory pids")
    for group in (own, own.parent, tmp_path):
        (group / HANDED_DOWN).write_text("")
    (own / HANDED_DOWN).unlink()
    (own / HANDED_DOWN).symlink_to("/dev/full")
    monkeypatch.setattr(control_group, "ROOT", tmp_path)
    monkeypatch.setattr(control_group, "_own_groups", lambda: [("", f"/{GRADER}")])
    return own


@pytest.mark.parametrize("level", [0, 1])
def test_a_group_is_made_in_the_nearest_slice_that_hands_limits_down(slices, level):
    parent = slices.parents[level]
    (parent / HANDED_DOWN).write_text("cpu memory pids")
    (folder,) = new_group(Limits(memory=100, processes=3)).folders
    assert folder.parent == parent
    assert (folder / "memory.max").read_text() == str(100 << 20)
    assert (folder / "pids.max").read_text() == "5"


def test_where_nothing_hands_limits_down_the_error_is_that_of_the_own_group(slices):
    (slices.parent / HANDED_DOWN).write_text("pids")
    with pytest.raises(OSError, match="No space"):
        new_group(Limits())
