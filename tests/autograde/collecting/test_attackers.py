"""Whatever a student calls a file, it is never taken for another student's."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograde.collecting.downloads import Download, Upload
from autograde.collecting.plan import make_plan
from tests.autograde.collecting.a_class import CHAPTER, FILE, NOW, STUDENTS, planned, put, zipped

MALLORY = "20260666"
PREFIXES = {  # what a platform writes in front of the names of two honest students, and of Mallory
    "moodle": ("张三_1_assignsubmission_file_", "Ada Lovelace_2_assignsubmission_file_",
               "Mallory Brown_3_assignsubmission_file_"),
    "canvas": ("张三_111_70001_", "lovelaceada_222_70003_", "brownmallory_333_70005_"),
    "blackboard": ("Start_20260001_attempt_2026-09-14-10-00-00_",
                   "Start_ada_attempt_2026-09-14-10-00-00_",
                   "Start_20260666_attempt_2026-09-14-10-00-00_"),
    "folders": ("20260001_张三/", "Ada Lovelace/", "20260666 Mallory Brown/"),
}  # fmt: skip
PIECES = (
    *("20260001", "张三", "ada", "Ada Lovelace", "lovelaceada", "２０２６０００１", "ADA", "Àda"),
    *("2026\u200b0001", "\u202e20260001", "张\u2060三", "a\u0301da", "111", "222", "333"),
    *("_assignsubmission_file_", "_attempt_2099-01-01-00-00-00_", "_LATE_", "_9999999_", "_70001_"),
    *("_", "-", " ", "(1)", "+", "（", "x", "1", "2", "rope", "05", "..", ".zip", CHAPTER, FILE),
)
NAMES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join)
FOLDERS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)


def upload(name, content, time=None):
    return Upload(tuple(name.split("/")), "", time, lambda room: content)


def plan_for(platform, theirs, *, is_known=True):
    """Return the plan of a class in which Mallory chose what stands behind her prefix."""
    zhang, ada, mallory = PREFIXES[platform]
    uploads = [upload(zhang + FILE, b"zhang"), upload(ada + FILE, b"ada")]
    uploads += [upload(mallory + name, content, future) for name, content, future in theirs]
    download = Download(uploads, [])
    name = platform if is_known else None
    return make_plan(download, CHAPTER, STUDENTS, platform=name, due=None, now=NOW)


def assert_nobody_is_robbed(plan):
    for student, content in (("20260001", b"zhang"), ("ada", b"ada")):
        assert plan.notebooks[student].upload.content(None) == content
    assert plan.notebooks.keys() <= {"20260001", "ada", MALLORY}


@pytest.mark.parametrize("platform", PREFIXES)
@given(
    names=st.lists(NAMES, min_size=1, max_size=3),
    suffix=st.sampled_from((f"_{FILE}", ".ipynb", "")),
    is_known=st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_a_name_behind_the_prefix_moves_nothing(platform, names, suffix, is_known):
    future = datetime(2099, 1, 1, tzinfo=UTC)
    theirs = [(name + suffix, b"mallory", future) for name in names]
    assert_nobody_is_robbed(plan_for(platform, theirs, is_known=is_known))


@pytest.mark.parametrize("platform", PREFIXES)
@given(folder=FOLDERS, archive=NAMES)
@settings(max_examples=100, deadline=None)
def test_a_name_in_a_students_archive_moves_nothing(platform, folder, archive):
    packed = zipped({f"{folder}/{FILE}": "mallory", f"{folder}_{FILE}": "mallory"})
    theirs = [(f"{archive.replace('/', '_')}.zip", packed, None)]
    assert_nobody_is_robbed(plan_for(platform, theirs))


@pytest.mark.parametrize("platform", PREFIXES)
def test_a_victim_who_handed_in_nothing_stays_missing(platform, tmp_path):
    *_, mallory = PREFIXES[platform]
    names = [
        f"{piece}_{FILE}" for piece in ("李四", "20260002", "李四_7_assignsubmission_file", "a")
    ]
    put(tmp_path / "archive", {mallory + name: "mallory" for name in names})
    plan = planned(tmp_path / "archive", platform)
    assert plan.notebooks.keys() == {MALLORY}
    assert [one.why.en for one in plan.left_out] == [
        "it is 20260666's, and its name names another student: 20260002"
    ] * 3


@pytest.mark.parametrize(
    "names",
    [
        ("张三_1_assignsubmission_file_", "张三_2_assignsubmission_file_"),  # a name can be changed
        ("张三_111_70001_", "张三_222_70002_"),
    ],
)
def test_of_two_accounts_with_one_name_neither_counts(names, tmp_path):
    put(tmp_path / "archive", {name + FILE: "{}" for name in names})
    plan = planned(tmp_path / "archive")
    assert plan.notebooks == {}
    assert all("several accounts" in one.why.en for one in plan.left_out)


def test_the_seen_thefts_take_nothing(tmp_path):
    """S1: Mallory (666) was graded as 111, in Canvas and in names with a number in front."""
    victim = "x_111_attempt_2099-01-01-00-00-00_05_rope.ipynb"
    archive = {
        "timvic_111_70001_05_rope.ipynb": "tim",
        f"lorymal_666_70002_{victim}": "mallory",
    }
    put(tmp_path / "archive", {"submissions.zip": zipped(archive)})
    class_ = type(STUDENTS)({"111": ("", ""), "666": ("", "")})
    plan = planned(tmp_path / "archive", students=class_)
    assert plan.platform == "canvas"
    assert plan.notebooks["111"].upload.parts == ("timvic_111_70001_05_rope.ipynb",)
    assert plan.missing == ["666"]
