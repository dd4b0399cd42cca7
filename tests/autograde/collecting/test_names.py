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
    with pytest.raises(CannotBegin, match=r"named as moodle names them.* --platform moodle"):
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


NAMESAKES = {"a1": ("小明", "王"), "a2": ("小明", "王"), "501": ("四", "李"), "ada": ("Ada", "")}


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("王小明_501_1_05_rope.ipynb", "a1"),
        ("王小明_LATE_502_1_05_rope.ipynb", "a2"),
        ("somebody_502_1_05_rope.ipynb", "a2"),  # by another name on the platform
        ("李四_900_1_05_rope.ipynb", "501"),  # whose number is not known
        ("王小明_503_1_05_rope.ipynb", "-give them lms_user_id"),
        ("ada_502_1_05_rope.ipynb", "-names several students: a2, ada"),
        ("nobody_503_1_05_rope.ipynb", "-names nobody"),
    ],
)
def test_canvas_number_decides_where_the_class_list_has_it(name, where, tmp_path):
    """Seen: two of one name with their numbers on the list, and both were left out."""
    students = ClassList(NAMESAKES, {"a1": "501", "a2": "502"})
    put(tmp_path / "archive", {name: "{}"})
    plan = planned(tmp_path / "archive", students=students)
    assert plan.platform == "canvas"
    assert list(plan.notebooks) == [where] * (where[0] != "-")
    assert [where[1:] in one.why.en for one in plan.left_out] == [True] * (where[0] == "-")


def test_the_number_of_another_platform_is_nobodys(tmp_path):
    """Moodle numbers submissions: 501 there says nothing of the account 501 of Canvas."""
    students = ClassList(NAMESAKES, {"a1": "501", "a2": "502"})
    put(tmp_path / "archive", {"王小明_501_assignsubmission_file_05_rope.ipynb": "{}"})
    (left_out,) = planned(tmp_path / "archive", students=students).left_out
    assert left_out.why.en == "several students have this name: a1, a2"


@pytest.mark.parametrize(
    ("whole", "forms"),
    [
        ("Ada Lovelace", ["lovelaceada", "Ada Lovelace", "Lovelace, Ada", "adalovelace"]),
        ("José García Márquez", ["garcíamárquezjosé", "García Márquez, José"]),
        ("Anne-Marie O'Neil", ["oneilannemarie", "O'Neil, Anne-Marie"]),
        ("李\u3000雷", ["李雷", "李 雷"]),
        ("张三", ["张 三_1000", "三 张"]),
        ("欧阳娜娜", ["欧阳 娜娜", "娜娜 欧阳", "欧 阳娜娜"]),
    ],
)
@pytest.mark.parametrize("column", [0, 1])
def test_a_name_in_one_column_is_known_in_either_order(whole, forms, column):
    """Seen: Ada Lovelace from a column 姓名 was missing, her file in Canvas's order left out."""
    name = (whole, "") if column else ("", whole)
    students = ClassList({"1001": name, "1002": ("", "Bo Li"), "1003": ("", "Wang Wei")})
    assert [students.student(one) for one in forms] == ["1001"] * len(forms)


def test_two_names_that_are_each_other_turned_round_name_nobody():
    students = ClassList({"1001": ("", "Li Bo"), "1002": ("", "Bo Li")})
    assert "several students have this name" in students.student("libo").why.en
    students = ClassList({"1001": ("", "张三"), "1002": ("", "三张"), "1003": ("四", "李")})
    assert "several students have this name" in students.student("张 三").why.en
    students = ClassList({"1001": ("", "三张三"), "1002": ("三", "张三")})
    assert students.student("三 张三") == "1002"  # whose name the list itself has in two


def test_without_a_class_list_nothing_is_collected():
    with pytest.raises(CannotBegin, match="autograde students"):
        ClassList({})
