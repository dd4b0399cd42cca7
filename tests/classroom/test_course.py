"""course.toml: what a teacher may choose, and the sentence for what does not exist."""

import re
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from autograde.kit.catalogue import UnknownName
from autograde.teacher.lateness import LatePolicy
from autograde.teacher.setting_table import CourseError
from autograde.teacher.settings import CourseSettings, read_course

SHANGHAI = ZoneInfo("Asia/Shanghai")
DUE = "2026-09-14T23:00:00+08:00"
WHOLE = f"""
language = "zh"
chapters = ["01_permutation", "02_sinusoidal"]
pseudonyms = true
timezone = "Asia/Shanghai"
[late]
per_day = 0.1
grace_minutes = 15
floor = 0.4
[exercises]
first_rise = false
sinusoidal_table = 5
sinusoidal_shift = 0
[deadlines]
02_sinusoidal = {DUE}
01_permutation = 2026-09-07T23:00:00
[extensions.02_sinusoidal]
20260001 = 3
ada = 2026-09-20T12:00:00
[limits]
cell_seconds = 60
restarts = 0
"""


def course(folder, text):
    (folder / "course.toml").write_text(text, encoding="utf-8")
    return read_course(folder)


def test_without_a_file_the_defaults_hold(tmp_path):
    assert read_course(tmp_path) == CourseSettings()


def test_a_file_that_an_editor_of_windows_saved_is_read(tmp_path):
    (tmp_path / "course.toml").write_text('language = "zh"', encoding="utf-8-sig")
    assert read_course(tmp_path).language == "zh"


def test_every_choice_is_read(tmp_path):
    assert course(tmp_path, WHOLE) == CourseSettings(
        language="zh",
        chapters=frozenset({"01_permutation", "02_sinusoidal"}),
        pseudonyms=True,
        timezone=SHANGHAI,
        late=LatePolicy(0.1, "maximum", timedelta(minutes=15), 0.4),
        left_out=frozenset({"first_rise"}),
        points={"sinusoidal_table": 5.0, "sinusoidal_shift": 0.0},
        deadlines={
            "02_sinusoidal": datetime(2026, 9, 14, 23, tzinfo=timezone(timedelta(hours=8))),
            "01_permutation": datetime(2026, 9, 7, 23, tzinfo=SHANGHAI),
        },
        extensions={
            "02_sinusoidal": {"20260001": 3.0, "ada": datetime(2026, 9, 20, 12, tzinfo=SHANGHAI)}
        },
        limits={"cell_seconds": 60, "restarts": 0},
    )


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ('langauge = "zh"', "language"),
        ('chapters = ["02_sinusoid"]', "02_sinusoidal"),
        ("[exercises]\nfirst_rises = false", "first_rise"),
        (f"[deadlines]\n2_sinusoidal = {DUE}", "02_sinusoidal"),
        ("[limits]\ncell_second = 3", "cell_seconds"),
        ('timezone = "Asia/Shangai"', "Asia/Shanghai"),
        ("[late]\nperday = 0.1", "per_day"),
        ("[extensions.2_sinusoidal]\nada = 3", "02_sinusoidal"),
    ],
)
def test_an_unknown_name_suggests_the_nearest(tmp_path, text, nearest):
    with pytest.raises(UnknownName, match=f"'{nearest}'"):
        course(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('language = "de"', "language"),
        ('late = "half"', "late"),
        ("chapters = 2", "chapters"),
        ("pseudonyms = 1", "pseudonyms"),
        ("exercises = 3", "exercises"),
        ("[exercises]\nfirst_rise = true", "exercises.first_rise"),
        ("[exercises]\nfirst_rise = -1", "exercises.first_rise"),
        ("[deadlines]\n02_sinusoidal = 2026-09-14T23:00:00", "deadlines.02_sinusoidal"),
        ("timezone = 8", "timezone"),
        ("[late]\nper_day = -0.1", "late.per_day"),
        ("[late]\nper_day = 10", "late.per_day"),
        ("[late]\nper_day = nan", "late.per_day"),
        ("[late]\nfloor = 0.4", "late.per_day"),
        ('[late]\nper_day = 0.1\nof = "half"', "late.of"),
        ("[late]\nper_day = 0.1\nfloor = 1.5", "late.floor"),
        ("[late]\nper_day = 0.1\ngrace_minutes = -1", "late.grace_minutes"),
        ("[extensions]\n02_sinusoidal = 3", "extensions.02_sinusoidal"),
        ("[extensions.02_sinusoidal]\nada = -1", "extensions.02_sinusoidal.ada"),
        ("[extensions.02_sinusoidal]\nada = true", "extensions.02_sinusoidal.ada"),
        ("[extensions.02_sinusoidal]\nada = 2026-09-20", "extensions.02_sinusoidal.ada"),
        ("[extensions.02_sinusoidal]\nada = 2026-09-20T12:00:00", "extensions.02_sinusoidal.ada"),
        ("[limits]\ncell_seconds = -1", "limits.cell_seconds"),
        ("[limits]\noutput = 2e6", "limits.output"),
        ("[limits]\nmemory = 0", "limits.memory"),
        ("[limits]\nrestarts = -1", "limits.restarts"),
        ("language = zh", "course.toml"),
    ],
)
def test_a_wrong_value_is_reported_with_its_place(tmp_path, text, key, monkeypatch):
    monkeypatch.setenv("POSENC_LANGUAGE", "both")
    with pytest.raises(CourseError, match=key) as error:
        course(tmp_path, text)
    chinese, english = str(error.value).split("\n")[:2]
    assert re.search("[\u4e00-\u9fff]", chinese)
    assert not re.search("[\u4e00-\u9fff]", english)
    assert key in chinese
    assert key in english
    # the rule is what holds, not a second sentence: "must be must not", 应为不是
    assert not re.search(r"must be (must|not)\b", english)
    assert not re.search("应为(?:应|不是|必须|不应)", chinese)


@pytest.mark.parametrize(
    ("value", "policy"), [("none", None), ("zero", LatePolicy(per_day=1, of="points"))]
)
def test_late_in_a_word(tmp_path, value, policy):
    assert course(tmp_path, f'late = "{value}"').late == policy


def test_times_are_shown_in_the_class_zone_or_else_in_utc(tmp_path):
    assert course(tmp_path, "").zone is UTC
    assert course(tmp_path, 'timezone = "Europe/Berlin"').zone == ZoneInfo("Europe/Berlin")
