"""Which of a student's files counts, and when it was handed in."""

import json
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from autograde.collecting.advice import advice
from autograde.collecting.submitted import Changes
from autograde.collecting.table import IN_TIME, IN_TIME_NOT_GRADABLE, NOT_GRADABLE, counts, rows
from autograde.handed_in.problem import EMPTY, NOT_JSON, OTHER_CHAPTER
from autograde.teacher.lateness import NOTHING_COUNTS, UNKNOWN_DELAY, LatePolicy
from tests.autograde.collecting.a_class import (
    CHAPTER,
    DUE,
    FILE,
    WHOLE,
    planned,
    put,
    whose,
    zipped,
)

MOODLE = "{}_1_assignsubmission_file_"
ZHANG, ADA = MOODLE.format("张三"), MOODLE.format("Ada Lovelace")
HOUR = timedelta(hours=1)


@pytest.fixture
def archive(tmp_path):
    return tmp_path / "archive"


def local(moment):
    """Return what a packer on this machine writes for a moment."""
    return moment.astimezone().timetuple()[:6]


@pytest.mark.parametrize(
    ("names", "latest"),
    [
        ((f"{ZHANG}{FILE}", f"{ZHANG}{CHAPTER} (1).ipynb", f"{ZHANG}{CHAPTER}(2).ipynb"), 2),
        ((f"{ZHANG}final {CHAPTER} v2.ipynb", f"{ZHANG}{FILE}"), 1),
        ((f"doejane_12345_99_{FILE}", f"doejane_12345_100_{CHAPTER}-1.ipynb"), 1),
        ((f"doejane_12345_100_{CHAPTER}.ipynb", f"doejane_12345_99_{CHAPTER}-5.ipynb"), 0),
        (
            (
                f"S_ada_attempt_2026-09-14-08-00-00_{FILE}",
                f"S_ada_attempt_2026-09-14-07-00-00_{CHAPTER} (3).ipynb",
            ),
            0,
        ),
    ],
)
def test_the_latest_counts(archive, names, latest):
    put(archive, {"all.zip": zipped(dict.fromkeys(names, "{}"))})
    (notebook,) = planned(archive).notebooks.values()
    assert notebook.upload.parts == (names[latest],)
    assert len(notebook.earlier) == len(names) - 1


def test_of_several_the_latest_that_can_be_read_counts(archive):
    put(archive, {f"{ZHANG}{FILE}": "{}", f"{ZHANG}{CHAPTER} (9).ipynb": b"\0" * (51 << 20)})
    plan = planned(archive)
    assert whose(plan) == {"20260001": f"{ZHANG}{FILE}"}
    assert ["larger" in one.why.en for one in plan.left_out] == [True]


def test_times_of_the_platforms_archive_count(archive):
    times = {f"{ZHANG}{FILE}": DUE + HOUR, f"{ADA}{FILE}": DUE - HOUR}
    files = dict.fromkeys(times, "{}")
    put(archive, {"all.zip": zipped(files, {name: local(time) for name, time in times.items()})})
    notebooks = planned(archive).notebooks
    assert (notebooks["20260001"].time, notebooks["20260001"].delay) == (DUE + HOUR, HOUR)
    assert (notebooks["ada"].time, notebooks["ada"].delay) == (DUE - HOUR, timedelta(0))


def test_times_of_the_packing_do_not_count(archive):
    """Canvas and Moodle 4 give each file the time of the teacher's download."""
    names = [f"{ZHANG}{FILE}", f"{ADA}{FILE}"]
    files = dict.fromkeys(names, "{}")
    packed = [local(DUE + 48 * HOUR + timedelta(minutes=place)) for place in range(2)]
    put(archive, {"all.zip": zipped(files, dict(zip(names, packed, strict=True)))})
    assert {one.time for one in planned(archive).notebooks.values()} == {None}


def test_times_that_a_student_packed_do_not_count(archive):
    old = zipped({FILE: "{}", "a.txt": ""}, {FILE: (2020, 1, 1, 0, 0, 0)})
    put(archive, {f"{ZHANG}homework.zip": old, "all.zip": zipped({f"{ADA}homework.zip": old})})
    assert {one.time for one in planned(archive).notebooks.values()} == {None}


def test_a_time_in_the_future_does_not_count(archive):
    put(archive, {f"S_ada_attempt_2099-01-01-00-00-00_{FILE}": "{}"})
    plan = planned(archive)
    (notebook,) = plan.notebooks.values()
    assert (notebook.time, notebook.delay) == (None, None)
    (note,) = advice(plan, Changes([], [], []))
    assert note.en.startswith("Times in the future, which do not count: 1.")


@pytest.mark.parametrize(
    ("minutes", "state", "remark", "count"),
    [
        (10, "handed in", "10 min after the deadline, within the grace period", 0),
        (15, "handed in", "15 min after the deadline, within the grace period", 0),
        (16, "late 16 min", "", 1),
    ],
)
def test_within_the_grace_nobody_is_late(archive, minutes, state, remark, count):
    """Seen: "late 10 min" and "1 late" in the table, no day late in the grades."""
    put(archive, {f"S_ada_attempt_2026-09-14-15-{minutes}-00_{FILE}": WHOLE})
    policy = LatePolicy(per_day=0.1, grace=timedelta(minutes=15))
    plan = planned(archive, zone=UTC, late_policy=policy)
    (row,) = (row for row in rows(plan, Changes([], [], [])) if row[0] == "ada")
    assert row[2].endswith(state)
    assert row[4].endswith(remark)
    assert f"({count} late" in counts(plan, Changes([], [], [])).en


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_cannot_be_read_is_asked_for_again_and_comes_last(archive, monkeypatch, language):
    """Seen: "handed in", until the deadline was past, for a file of 0 bytes and for half of one."""
    monkeypatch.setenv("POSENC_LANGUAGE", language)
    files = {"ada": "", "jose": WHOLE, "12345": WHOLE[:-1], "li_lei": "{}"}
    put(archive, {f"S_{who}_attempt_2026-09-14-10-00-00_{FILE}": files[who] for who in files})
    last = rows(planned(archive), Changes([], [], []))[-3:]
    assert [row[0] for row in last] == ["12345", "ada", "li_lei"]
    for row, why in zip(last, (NOT_JSON, EMPTY, NOT_JSON), strict=True):
        file, remark = row[4].split("; " if language == "en" else "；")
        assert FILE in file
        assert remark == str(NOT_GRADABLE.format(why=why))


@pytest.mark.parametrize(
    ("times", "in_time"),
    [
        (("10-00", "14-59", "15-30"), "14-59"),
        (("10-00", "15-10", "15-30"), "15-10"),  # within the grace period
        (("10-00", "15-20", "15-30"), "10-00"),
        (("15-20", "15-30"), None),
        (("10-00", "14-59"), None),
    ],
)
def test_a_late_one_says_which_in_time_it_takes_the_place_of(archive, times, in_time):
    """Seen: 13.8 points in place of 23, which lay in `set_aside/`."""
    put(archive, {f"S_ada_attempt_2026-09-14-{time}-00_{FILE}": WHOLE for time in times})
    policy = LatePolicy(per_day=0.1, grace=timedelta(minutes=15))
    plan = planned(archive, zone=UTC, late_policy=policy)
    (row,) = (row for row in rows(plan, Changes([], [], [])) if row[0] == "ada")
    name = f"S_ada_attempt_2026-09-14-{in_time}-00_{FILE}"
    assert (IN_TIME.format(path=name).en in row[4]) == bool(in_time)
    assert ("was in time" in row[4]) == bool(in_time)


@pytest.mark.parametrize(
    ("minutes", "cost"), [(15, "within the grace period, and lose nothing"), (0, "as one day late")]
)
def test_what_canvas_calls_late_is_late_whatever_the_grace(archive, minutes, cost):
    """Seen: two late by days lost nothing, and no command said so."""
    put(archive, {f"doejane_LATE_12345_1_{FILE}": "{}"})
    plan = planned(archive, late_policy=LatePolicy(per_day=0.1, grace=timedelta(minutes=minutes)))
    assert "(1 late" in counts(plan, Changes([], [], [])).en
    (note,) = advice(plan, Changes([], [], []))
    assert "Notebooks that Canvas marks late without a time: 1; " in note.en
    assert cost in note.en
    assert f"submitted/STUDENT/{CHAPTER}/timestamp.txt" in note.zh


def test_the_counts_say_how_many_of_those_handed_in_cannot_be_read(archive):
    """Seen: three unreadable files among "10 of 16 students handed in", and nothing beside it."""
    files = {"ada": "", "jose": WHOLE, "12345": "{}"}
    put(archive, {f"S_{who}_attempt_2026-09-14-10-00-00_{FILE}": files[who] for who in files})
    plan = planned(archive)
    texts = counts(plan, Changes([], [], []))
    assert "Handed in: 3 of 12, but 2 of these files cannot be graded" in texts.en
    assert "12名学生中3人已交，其中2人的文件无法评分" in texts.zh
    states = {row[0]: row[2] for row in rows(plan, Changes([], [], []))}
    assert states["ada"].endswith("handed in, cannot be graded")
    assert states["jose"].endswith("handed in")


@pytest.mark.parametrize(("text", "why"), [("", EMPTY), (WHOLE, OTHER_CHAPTER)])
def test_a_late_one_says_that_the_one_in_time_was_broken(archive, text, why):
    """Seen: 8.4 of 21 points for a late notebook, and the one in time had 0 bytes."""
    texts = {"10-00": text, "15-30": cells("a")}
    put(archive, {f"S_ada_attempt_2026-09-14-{one}-00_{FILE}": texts[one] for one in texts})
    plan = planned(archive, grade_ids={"a"})
    (row,) = (row for row in rows(plan, Changes([], [], [])) if row[0] == "ada")
    name = f"S_ada_attempt_2026-09-14-10-00-00_{FILE}"
    assert IN_TIME_NOT_GRADABLE.format(path=name, why=why).en in row[4]


@pytest.mark.parametrize(
    ("due", "policy", "name", "is_told"),
    [
        (DUE, NOTHING_COUNTS, f"{ADA}{FILE}", True),
        (None, NOTHING_COUNTS, f"{ADA}{FILE}", False),
        (DUE, None, f"{ADA}{FILE}", False),
        (DUE, NOTHING_COUNTS, f"S_ada_attempt_2026-09-14-10-00-00_{FILE}", False),
        (DUE, NOTHING_COUNTS, f"lovelaceada_7_2_{FILE}", False),  # Canvas: not LATE
    ],
)
def test_a_download_by_which_nobody_can_be_late_says_so(archive, due, policy, name, is_told):
    """Seen: a class's lateness was gone with Moodle 4, without a word."""
    put(archive, {name: "{}"})
    texts = list(advice(planned(archive, due=due, late_policy=policy), Changes([], [], [])))
    assert ["none of them counts as late" in one.en for one in texts] == [True] * is_told


def cells(*names):
    """Return a notebook with cells of these grade ids."""
    code = {"cell_type": "code", "source": ""}
    return json.dumps(
        {"cells": [{**code, "metadata": {"nbgrader": {"grade_id": name}}} for name in names]}
    )


@pytest.mark.parametrize(
    ("files", "platform", "is_collected"),
    [
        ({f"{ADA}my homework.ipynb": cells("a", "own")}, "moodle", True),
        ({"Ada Lovelace/my homework.ipynb": cells("a")}, "folders", True),
        ({f"{ADA}work.zip": zipped({"homework.ipynb": cells("b")})}, "moodle", True),
        ({"ada homework.ipynb": cells("a")}, "files", False),
        ({f"{ADA}my homework.ipynb": cells("of_another_chapter")}, "moodle", False),
        ({f"{ADA}my homework.ipynb": "[" * 100_000}, "moodle", False),
        ({f"{ADA}one.ipynb": cells("a"), f"{ADA}two.ipynb": cells("a")}, "moodle", False),
    ],
)
def test_a_renamed_notebook_counts_by_its_cells_if_it_is_the_only_one(
    archive, files, platform, is_collected
):
    """Seen: "missing", for a notebook that Moodle itself says whose it is."""
    put(archive, files)
    plan = planned(archive, platform, grade_ids={"a", "b"})
    assert list(plan.notebooks) == ["ada"] * is_collected
    assert ["does not contain" in one.why.en for one in plan.left_out] == [True] * len(files) * (
        not is_collected
    )
    texts = [one.en for one in advice(plan, Changes([], [], []))]
    by_hand = f"put it at submitted/STUDENT/{CHAPTER}/{FILE}" in "".join(texts)
    assert by_hand == (not is_collected)
    remarks = [row[4] for row in rows(plan, Changes([], [], [])) if row[0] == "ada"]
    assert (
        any(one.endswith("renamed, but with the chapter's cells") for one in remarks)
        == is_collected
    )


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["own"], f"its name does not contain {CHAPTER}, and it has none of the chapter's graded"),
        (["own", "sinusoidal_table-answer"], f"the notebook of 02_sinusoidal, not of {CHAPTER}"),
    ],
)
def test_a_notebook_of_another_chapter_is_left_out_for_its_cells(archive, names, reason):
    """Seen: left out "for its name", where another chapter's name would not have mattered."""
    put(archive, {f"{ADA}04_relative.ipynb": cells(*names)})
    (left_out,) = planned(archive, grade_ids={"a"}).left_out
    assert reason in left_out.why.en


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            cells("sinusoidal_table-answer"),
            f"it is the notebook of 02_sinusoidal, not of {CHAPTER}",
        ),
        (WHOLE, OTHER_CHAPTER.en),
        (cells("own"), OTHER_CHAPTER.en),
        (cells("own", "a"), None),
        ('{"cells": [3]}', None),  # grading has a reason of its own
    ],
)
def test_another_chapters_notebook_under_the_right_name_comes_last_with_the_reason(
    archive, text, why
):
    """Seen: "handed in", and after grading, past the deadline, no points."""
    put(archive, {f"{ADA}{FILE}": text, f"{ZHANG}{FILE}": cells("a")})
    plan = planned(archive, grade_ids={"a"})
    table = [row for row in rows(plan, Changes([], [], [])) if row[0] in plan.notebooks]
    ada = next(row for row in table if row[0] == "ada")
    assert ada[2].endswith("handed in, cannot be graded") == bool(why)
    assert (f"cannot be graded ({why}): ask for it again" in ada[4]) == bool(why)
    assert ("1 of these files cannot be graded" in counts(plan, Changes([], [], [])).en) == bool(
        why
    )
    assert [one.problem for one in planned(archive).notebooks.values()] == [
        None,
        None,
    ]  # unreleased


def test_a_notebook_in_gb18030_counts_and_the_table_says_so(archive):
    text = '{"cells": [], "metadata": {"名": "位置"}}'
    names = [f"S_{who}_attempt_2026-09-14-10-00-00_{FILE}" for who in ("ada", "jose")]
    put(archive, dict(zip(names, [text.encode("gb18030"), text], strict=True)))
    plan = planned(archive)
    assert [one.problem for one in plan.notebooks.values()] == [None, None]
    remarks = {row[0]: row[4] for row in rows(plan, Changes([], [], []))}
    assert ("read as GB18030" in remarks["ada"], remarks["jose"]) == (True, "")


def test_a_renamed_notebook_takes_no_place_from_one_with_the_name(archive):
    put(archive, {f"{ADA}{FILE}": cells("a"), f"{ADA}my homework.ipynb": cells("a")})
    plan = planned(archive, grade_ids={"a"})
    assert whose(plan) == {"ada": f"{ADA}{FILE}"}
    assert [one.file for one in plan.left_out] == [f"{ADA}my homework.ipynb"]


@pytest.mark.parametrize("due", [DUE, None])
def test_what_canvas_calls_late_is_late_by_the_least(archive, due):
    put(archive, {f"doejane_LATE_12345_1_{FILE}": "{}", f"lovelaceada_7_2_{FILE}": "{}"})
    notebooks = planned(archive, due=due).notebooks
    assert (notebooks["12345"].time, notebooks["12345"].delay) == (None, UNKNOWN_DELAY)
    assert (notebooks["ada"].time, notebooks["ada"].delay) == (None, None)


def test_a_time_of_blackboards_is_the_time(archive):
    put(archive, {f"S_ada_attempt_2026-09-14-22-00-00_{FILE}": "{}"})
    (notebook,) = planned(archive).notebooks.values()
    assert notebook.time == datetime(2026, 9, 14, 22).astimezone()
    assert notebook.time.astimezone(UTC).utcoffset() == timedelta(0)


def test_times_are_read_and_shown_in_the_zone_of_the_class(archive):
    zone = ZoneInfo("America/New_York")
    names = [
        f"S_ada_attempt_2026-09-14-12-30-00_{FILE}",
        f"S_jose_attempt_2026-09-14-10-00-00_{FILE}",
    ]
    put(archive, dict.fromkeys(names, "{}"))
    plan = planned(archive, zone=zone)  # due at 11:00 in New York
    assert plan.notebooks["ada"].time == datetime(2026, 9, 14, 16, 30, tzinfo=UTC)
    assert plan.notebooks["ada"].delay == 1.5 * HOUR
    shown_times = {row[0]: row[2:4] for row in rows(plan, Changes([], [], []))}
    assert shown_times["ada"][0].endswith("late 1.5 h")
    assert shown_times["ada"][1] == "09-14 12:30"


def test_times_of_an_archive_are_read_in_the_zone_of_the_class(archive):
    times = {f"{ZHANG}{FILE}": (2026, 9, 14, 12, 0, 0), f"{ADA}{FILE}": (2026, 9, 13, 12, 0, 0)}
    put(archive, {"all.zip": zipped(dict.fromkeys(times, "{}"), times)})
    notebooks = planned(archive, zone=ZoneInfo("America/New_York")).notebooks
    assert notebooks["20260001"].time == datetime(2026, 9, 14, 16, tzinfo=UTC)


def test_an_extension_is_a_students_own_deadline(archive):
    names = [f"S_{one}_attempt_2026-09-14-18-00-00_{FILE}" for one in ("ada", "jose")]
    put(archive, dict.fromkeys(names, WHOLE))
    plan = planned(archive, zone=UTC, extensions={"ada": DUE + 2 * HOUR, "jose": DUE + 4 * HOUR})
    assert plan.notebooks["ada"].delay == HOUR
    assert plan.notebooks["jose"].delay == timedelta(0)
    files = {row[0]: row[4] for row in rows(plan, Changes([], [], [])) if row[3]}
    assert files["ada"] == "due 09-14 17:00 by extension"


def test_what_canvas_calls_late_may_be_within_an_extension_that_canvas_does_not_know(archive):
    put(archive, {f"doejane_LATE_12345_1_{FILE}": "{}", f"lovelaceada_LATE_7_2_{FILE}": "{}"})
    notebooks = planned(archive, extensions={"12345": DUE + HOUR}).notebooks
    assert notebooks["12345"].delay == timedelta(0)
    assert notebooks["ada"].delay == UNKNOWN_DELAY


def test_an_account_with_a_comma_is_one_account(archive):
    names = [f"S_Lovelace, Ada_attempt_2026-09-1{day}-18-00-00_{FILE}" for day in (2, 3)]
    put(archive, dict.fromkeys(names, "{}"))
    plan = planned(archive)
    assert whose(plan) == {"ada": names[1]}
    assert plan.left_out == []


@pytest.mark.parametrize(
    ("notebook", "beside"),
    [
        (f"{ADA}{FILE}", "Ada Lovelace_1_assignsubmission_onlinetext_/onlinetext.html"),
        (f"{ADA}{FILE}", f"{ADA}plot.png"),
        (
            f"S_ada_attempt_2026-09-14-22-00-00_{FILE}",
            "S_ada_attempt_2026-09-14-22-00-00.txt",  # Blackboard's own, one for each upload
        ),
    ],
)
def test_what_lies_beside_a_notebook_is_nothing_to_look_at(archive, notebook, beside):
    put(archive, {notebook: "{}", beside: ""})
    plan = planned(archive)
    assert plan.notebooks.keys() == {"ada"}
    assert [row[0] for row in rows(plan, Changes([], [], []))].count("ada") == 1


def test_an_archive_whose_name_is_like_a_students_is_explained(archive):
    put(archive, {"计科2班_2026_1_作业.zip": zipped({f"{ADA}{FILE}": "{}"})})  # like Canvas's
    assert ["give it another name" in one.why.en for one in planned(archive).left_out] == [True]
    assert planned(archive, "moodle").notebooks.keys() == {"ada"}


def test_what_is_of_the_operating_system_is_nobodys(archive):
    names = (
        f"__MACOSX/._{ZHANG}{FILE}",
        f"._{ZHANG}{FILE}",
        ".DS_Store",
        f".ipynb_checkpoints/{FILE}",
    )
    put(archive, {"all.zip": zipped(dict.fromkeys((*names, f"{ADA}{FILE}"), "{}"))})
    plan = planned(archive)
    assert plan.notebooks.keys() == {"ada"}
    assert plan.left_out == []
