"""Where a file goes by its name; the names stand in names.toml."""

import tomllib
from pathlib import Path

import pytest

from autograde.collecting.class_list import ClassList, is_plain_id
from autograde.collecting.platforms import recognised
from autograde.teacher.errors import CannotBegin
from tests.autograde.collecting.a_class import CHAPTER, STUDENTS, planned, put

TABLE = tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))
NAMES = [(platform, name, where) for platform in TABLE for name, where in TABLE[platform].items()]


def test_the_table_has_sixty_names():
    assert len(NAMES) >= 60


@pytest.mark.parametrize(("platform", "name", "where"), NAMES)
def test_a_name_goes_where_the_table_says(platform, name, where, tmp_path):
    put(tmp_path / "archive", {name: "{}"})
    plan = planned(tmp_path / "archive", platform)
    if where.startswith("-"):
        assert plan.notebooks == {}
        assert [where[1:] in one.why.en for one in plan.left_out] == [True]
    else:
        assert {student: one.upload.name for student, one in plan.notebooks.items()} == {
            where: name
        }
        assert plan.left_out == []


@pytest.mark.parametrize("platform", TABLE)
def test_a_download_is_recognised_by_the_shape_of_all_its_names(platform):
    odd = ("-names several students", "-not a name")
    names = [name for name, where in TABLE[platform].items() if not where.startswith(odd)]
    assert recognised([tuple(name.split("/")) for name in names], CHAPTER, STUDENTS) == platform


def test_numbers_of_groups_and_attempts_are_not_canvas_numbers():
    """Seen: the whole class of group 2 was collected as a student called 2."""
    for shape in ("{id}_2_05_rope.ipynb", "{name}_{id}_1_05_rope.ipynb", "{id}_2_1_05_rope.ipynb"):
        class_ = (("20260001", "张三"), ("20260002", "李四"), ("20260003", "王小明"))
        paths = [(shape.format(id=number, name=name),) for number, name in class_]
        assert recognised(paths, CHAPTER, STUDENTS) == "files"


def test_a_strangers_folder_among_students_folders_says_nothing_of_the_platform():
    """Seen: one who had left the class, and the folders of all others were taken for files."""
    ours = [("20260001_张三", "05_rope.ipynb"), ("20260002_李四", "05_rope.ipynb")]
    assert recognised([*ours, ("777_外来人", "05_rope.ipynb")], CHAPTER, STUDENTS) == "folders"
    assert recognised([*ours, ("李雷_05_rope.ipynb",)], CHAPTER, STUDENTS) == "files"
    assert recognised([("777_外来人", "05_rope.ipynb")], CHAPTER, STUDENTS) == "files"


def test_files_of_two_platforms_are_refused():
    names = ["Ada Lovelace_1_assignsubmission_file_05_rope.ipynb", "张三_05_rope.ipynb"]
    with pytest.raises(CannotBegin, match="--platform moodle"):
        recognised([(name,) for name in names], CHAPTER, STUDENTS)


@pytest.mark.parametrize(
    "name",
    [
        *("..", ".", "", " ada", "ada ", "*", "a*", "[ab]", "a\nb", "a/b", "a\\b", "a,b", '"a"'),
        *("=1+1", "+1", "-1", "@x", "＝1", "$(x)", "a;b", "~", "a" * 65),
        *("a\u202eb", "a\u200bb", "e\u0301"),
    ],
)  # fmt: skip
def test_an_id_is_nothing_but_text(name):
    assert not is_plain_id(name)
    with pytest.raises(CannotBegin):
        ClassList({name: ("", "")})


@pytest.mark.parametrize(
    "name", ["2", "20260001", "ada", "li_lei", "a.b@c.cn", "张三", "Ada Lovelace_1", "cs-2026-01"]
)
def test_what_schools_use_is_an_id(name):
    assert is_plain_id(name)


def test_without_a_class_list_nothing_is_collected():
    with pytest.raises(CannotBegin, match="autograde students"):
        ClassList({})
