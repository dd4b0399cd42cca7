"""Deadlines, extensions and penalties of course.toml are nbgrader's own, the same everywhere."""

from datetime import datetime, timedelta

import pytest
from nbformat.v4 import new_notebook
from nbgrader.apps import NbGraderAPI
from nbgrader.preprocessors import AssignLatePenalties
from traitlets.config import PyFileConfigLoader

from autograde.giving_back.command import give_back
from autograde.nbgrader.autograde import STEPS
from autograde.nbgrader.export import Spreadsheet
from autograde.nbgrader.late import KeepTimes
from autograde.pages.class_report.command import report
from autograde.teacher.collected import Collected, write_collected
from autograde.teacher.course_folder import open_course
from autograde.teacher.errors import CannotBegin
from autograde.teacher.penalties import renew, renew_and_print
from tests.autograde.late_class import CHOICES, CONFIG, choose
from tests.autograde.page_reader import Reader
from tests.autograde.small_class import KIT, gradebook
from tests.autograde.table_reader import read_table

pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")  # nbgrader's


def api_of(folder):
    return open_course(folder, KIT)


def penalties(folder):
    with gradebook(folder) as book:
        submissions = book.assignment_submissions(KIT)
        return {one.student.id: one.late_submission_penalty for one in submissions}


def feedback(folder):
    """Return the words of each student's feedback page."""
    config = PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()
    config.FeedbackPage.language = "en"
    result = NbGraderAPI(config=config).generate_feedback(KIT, force=True)
    assert result["success"], result["log"]
    pages = folder.glob(f"feedback/*/{KIT}/{KIT}.html")
    return {
        path.parts[-3]: " ".join(Reader(path.read_text("utf-8")).text.split()) for path in pages
    }


def exported(folder):
    api = api_of(folder)
    with api.gradebook as book:
        Spreadsheet(to=str(folder / "grades.csv"), parent=api).export(book)
    return {row["student_id"]: row for row in read_table(folder / "grades.csv")}


def reported(folder):
    page, csv_path = report(folder, KIT, folder / "reports", "en")
    rows = {row["student_id"]: row for row in read_table(csv_path)}
    return rows, " ".join(Reader(page.read_text(encoding="utf-8")).text.split())


def test_the_tables_of_before_are_replaced_and_never_written_into(late_course):
    """On a full disk, half a table would stand in the place of a whole one."""
    names = ("grades.csv", f"reports/{KIT}.html", f"reports/{KIT}.csv")
    (late_course / "reports").mkdir()
    for name in names:
        (late_course / name).write_text("the file of before")
        (late_course / f"{name}.other").hardlink_to(late_course / name)
    exported(late_course)
    report(late_course, KIT, late_course / "reports", "en")
    for name in names:
        assert (late_course / name).read_text(encoding="utf-8-sig") != "the file of before"
        assert (late_course / f"{name}.other").read_text() == "the file of before"


def test_the_gradebook_the_pages_and_the_tables_have_the_same_numbers(late_course):
    rows, page = reported(late_course)
    in_gradebook = penalties(late_course)
    # due 12 September 23:00 in Shanghai, handed in on the 14th at 20:00: 2 days begun, of 5 points
    assert in_gradebook["ada"] == pytest.approx(2 * 0.05 * 5)
    assert in_gradebook["ben"] == pytest.approx(1 * 0.05 * 5)  # one day more to do it
    # until 20:30 on the 14th, handed in at 1:30 on the 15th
    assert in_gradebook["cai"] == pytest.approx(1 * 0.05 * 5)
    assert in_gradebook["dot"] == 0  # no points, so none to lose
    exports, pages = exported(late_course), feedback(late_course)
    assert penalties(late_course) == in_gradebook
    assert give_back(late_course, KIT, late_course / "out.zip").pages.old == []
    for student in ("ada", "ben", "cai", "dot", "eve", "fay"):
        for row in (rows[student], exports[student]):
            assert float(row["late_submission_penalty"]) == in_gradebook[student]
            total = float(row["raw_score"]) - in_gradebook[student]
            assert float(row["score"]) == pytest.approx(total)
            assert row["timezone"] == "Asia/Shanghai"
        assert f"{round(total, 2):g} / " in pages[student]
        assert ("Late penalty: −" in pages[student]) == (in_gradebook[student] > 0)
    assert "Late penalty: −0.5," in pages["ada"]
    assert "2 × 5 % of the 5 points of the chapter" in pages["ada"]
    assert "1 day late (part of a day counts as a day): 5 % of the 5 points" in pages["cai"]
    assert "ada Ada Lovelace 2026-09-14 20:00 2026-09-12 23:00 1 d 21.0 h 2 0.5" in page


def test_times_are_those_of_the_class(late_course):
    rows, page = reported(late_course)
    exports, pages = exported(late_course), feedback(late_course)
    assert "Due 2026-09-12 23:00 (Asia/Shanghai)" in page
    assert exports["ada"]["duedate"] == "2026-09-12 23:00:00"
    for row in (rows["ada"], exports["ada"]):
        assert (row["timestamp"], row["extended_to"]) == ("2026-09-14 20:00:00", "")
    for row in (rows["ben"], exports["ben"]):
        assert row["extended_to"] == "2026-09-13 23:00:00"
    assert rows["ivy"]["extended_to"] == "2026-10-12 23:00:00"  # who has handed in nothing
    assert "due with your extension 2026-09-14 20:30 (Asia/Shanghai)" in pages["cai"]
    assert "Handed in 2026-09-14 20:00, due 2026-09-12 23:00 (Asia/Shanghai)" in pages["ada"]
    assert "ivy I Ivy 2026-10-12 23:00 –" in page


def mark_late(folder, *students):
    """Make it so that Canvas called these late, and the others not, without a time of any."""
    class_ = ("ada", "ben", "cai", "fay")
    record = {one: Collected("a file", "canvas", "", one in students) for one in class_}
    (folder / "downloaded" / KIT).mkdir(parents=True, exist_ok=True)
    write_collected(folder, KIT, record)
    with gradebook(folder) as book:
        for one in book.assignment_submissions(KIT):
            one.timestamp = None
        book.db.commit()


@pytest.mark.parametrize("day", [8, 10, 16])
def test_late_without_a_time_is_a_day_whatever_the_deadline_is_now(late_course, day):
    """Seen: 5.2 of 25.5 points for days that nobody knows, after the deadline had been moved."""
    mark_late(late_course, "ada", "ben")
    renew(api_of(late_course), KIT)
    assert penalties(late_course)["ada"] == pytest.approx(0.05 * 5)
    assert not penalties(late_course)["ben"]  # the extension, of which Canvas knows nothing
    choose(late_course, CHOICES.replace("2026-09-12T23", f"2026-09-{day:02}T23"))
    if day > 12:
        choose(late_course, f"[late]\nper_day = 0.05\n[deadlines]\n{KIT} = 2026-09-{day}T23:00:00Z")
    assert renew(api_of(late_course), KIT) == {}
    assert penalties(late_course)["ada"] == pytest.approx(0.05 * 5)
    mark_late(late_course)
    assert renew(api_of(late_course), KIT) == {"ada": (0.25, 0.0)}


def test_a_deadline_that_nbgrader_moves_leaves_no_time_that_counts_as_real(late_course):
    choose(late_course, "[late]\nper_day = 0.05\n")
    mark_late(late_course, "ada")
    renew(api_of(late_course), KIT)
    with gradebook(late_course) as book:
        book.find_assignment(KIT).duedate -= timedelta(days=5)
        book.db.commit()
    renew(api_of(late_course), KIT)
    assert penalties(late_course)["ada"] == pytest.approx(0.05 * 5)


def test_a_time_that_is_known_counts_in_place_of_the_platforms_late(late_course):
    mark_late(late_course, "ada")
    with gradebook(late_course) as book:
        book.find_submission(KIT, "ada").timestamp = datetime(2026, 9, 14, 12)
        book.db.commit()
    renew(api_of(late_course), KIT)
    assert penalties(late_course)["ada"] == pytest.approx(2 * 0.05 * 5)


@pytest.mark.parametrize("grace", [0, 15])
def test_no_page_and_no_table_says_a_time_that_nobody_knows(late_course, grace):
    """Seen: "1 min after the deadline" in three places, of work that was days late."""
    choose(late_course, CHOICES.replace("0.05", f"0.05\ngrace_minutes = {grace}"))
    mark_late(late_course, "ada")
    rows, page = reported(late_course)
    exports, pages = exported(late_course), feedback(late_course)
    assert penalties(late_course)["ada"] == pytest.approx(0 if grace else 0.25)
    for row in (rows["ada"], exports["ada"]):
        assert row["timestamp"] == ""
    assert rows["ada"]["hours_late"] == ""
    assert "ada Ada Lovelace – 2026-09-12 23:00 an unknown amount" in page
    assert "Handed in after the deadline, 2026-09-12 23:00 (Asia/Shanghai)" in pages["ada"]
    assert "the platform marks it late without a time" in pages["ada"]
    assert ("It counts as within the grace period of 15 minutes" in pages["ada"]) == bool(grace)
    assert "Late by less than" not in pages["ada"]


def test_nbgraders_own_steps_know_what_the_platform_called_late(late_course):
    """Seen: an AttributeError, where a step had a configuration and no parent."""
    mark_late(late_course, "ada")
    api = api_of(late_course)
    place = {"notebook": KIT, "assignment": KIT, "student": "ada", "db_url": api.coursedir.db_url}
    for step in STEPS[-2:]:
        step(config=api.config).preprocess(new_notebook(), {"nbgrader": place})
    assert penalties(late_course)["ada"] == pytest.approx(0.05 * 5)


def test_whose_penalty_a_moved_deadline_changes_is_printed(late_course, capsys):
    """Seen: 18.9 became 21 points, and `grade` printed "0 graded, 9 skipped"."""
    renew_and_print(api_of(late_course), KIT)
    capsys.readouterr()
    renew_and_print(api_of(late_course), KIT)
    assert capsys.readouterr().err == ""
    choose(late_course, CHOICES.replace("2026-09-12T23", "2026-09-11T23"))
    report(late_course, KIT, late_course / "reports", "en")
    lines = capsys.readouterr().err.splitlines()
    assert f"{KIT}: late penalties changed for 2:" in lines
    assert {"  ada: 0.5 → 0.75", "  ben: 0.25 → 0.5"} <= set(lines)


def test_extensions_are_nbgraders_own(late_course):
    renew(api_of(late_course), KIT)
    with gradebook(late_course) as book:
        submission = book.find_submission(KIT, "ben")
        assert submission.extension == timedelta(days=1)
        assert submission.total_seconds_late == 21 * 3600
        assert book.find_submission(KIT, "ada").extension is None


@pytest.mark.parametrize("student", ["ada", "ben", "cai"])
def test_nbgraders_own_step_comes_to_the_same(late_course, student):
    """The steps behind `nbgrader autograde`, formgrader and `python -m autograde grade`."""
    api = api_of(late_course)
    place = {"notebook": KIT, "assignment": KIT, "student": student, "db_url": api.coursedir.db_url}
    assert STEPS[-2:] == (KeepTimes, AssignLatePenalties)
    for step in STEPS[-2:]:
        step(parent=api).preprocess(new_notebook(), {"nbgrader": place})
    by_step = penalties(late_course)[student]
    renew(api, KIT)
    assert penalties(late_course)[student] == by_step > 0


def test_points_by_hand_and_other_settings_change_the_penalty(late_course):
    renew(api_of(late_course), KIT)
    choose(late_course, CHOICES.replace("0.05", "0.5").replace("per_day", 'of = "points"\nper_day'))
    renew(api_of(late_course), KIT)
    assert penalties(late_course)["cai"] == pytest.approx(0.25)  # half of 0.5
    with gradebook(late_course) as book:
        book.find_grade("a_why", KIT, KIT, "cai").manual_score = 3
        book.db.commit()
    assert reported(late_course)[0]["cai"]["late_submission_penalty"] == "1.75"  # half of 3.5
    page = feedback(late_course)["cai"]
    assert "− 1.75" not in page
    assert "Late penalty: −1.75" in page
    choose(late_course, CHOICES.replace("[late]\nper_day = 0.05", 'late = "none"'))
    assert exported(late_course)["cai"]["late_submission_penalty"] == "0.0"
    assert "Late, but nothing is taken off" in feedback(late_course)["cai"]


def test_a_penalty_is_a_number_that_one_can_read(late_course):
    choose(late_course, CHOICES.replace("0.05", "0.07"))
    renew(api_of(late_course), KIT)
    assert 0.07 * 5 != 0.35 == penalties(late_course)["cai"]


def test_where_all_is_lost_nothing_is_left(late_course):
    choose(late_course, CHOICES.replace("per_day = 0.05", 'per_day = 1.0\nof = "points"'))
    with gradebook(late_course) as book:
        book.find_grade("double", KIT, KIT, "ada").auto_score = 1 / 3
        book.find_grade("a_why", KIT, KIT, "ada").manual_score = 0.0
        book.db.commit()
    renew(api_of(late_course), KIT)
    assert penalties(late_course)["ada"] == 1 / 3


def test_an_extension_that_is_gone_from_the_list_is_gone(late_course):
    renew(api_of(late_course), KIT)
    choose(late_course, CHOICES.replace("ben = 1\n", ""))
    assert exported(late_course)["ben"]["extended_to"] == ""
    assert penalties(late_course)["ben"] == pytest.approx(2 * 0.05 * 5)


def test_extensions_granted_by_nbgrader_stand_where_course_toml_lists_none(late_course):
    choose(late_course, CHOICES.partition("[extensions")[0])
    with gradebook(late_course) as book:
        book.grant_extension(KIT, "ada", days=3)
    assert exported(late_course)["ada"]["extended_to"] == "2026-09-15 23:00:00"
    assert penalties(late_course)["ada"] == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("adda = 1", "gives 'adda' an extension, .* Did you mean 'ada'"),
        (
            "ada = 2026-09-12T23:00:00",
            f"extensions.{KIT}.ada is 2026-09-12 23:00, which is not after",
        ),
    ],
)
def test_an_extension_that_cannot_be_is_refused_before_anything_is_written(
    late_course, line, message
):
    choose(late_course, CHOICES + line)
    before = (late_course / "gradebook.db").read_bytes()
    with pytest.raises(CannotBegin, match=message):
        report(late_course, KIT, late_course / "reports", "en")
    assert not (late_course / "reports").exists()
    assert (late_course / "gradebook.db").read_bytes() == before


def test_without_a_deadline_there_is_nothing_to_extend(late_course):
    with gradebook(late_course) as book:
        book.find_assignment(KIT).duedate = None
        book.db.commit()
    choose(late_course, CHOICES.replace(f"[deadlines]\n{KIT} = 2026-09-12T23:00:00\n", ""))
    with pytest.raises(CannotBegin, match="has no deadline that could be extended"):
        renew(api_of(late_course), KIT)


def test_another_plugin_keeps_its_penalties(late_course):
    config = CONFIG.replace("c.AssignLatePenalties.plugin_class = LatePenalty\n", "")
    (late_course / "nbgrader_config.py").write_text(config, encoding="utf-8")
    assert exported(late_course)["cai"]["late_submission_penalty"] == "0.25"


def test_a_report_under_pseudonyms_has_no_time_and_no_extension(late_course):
    page, csv_path = report(late_course, KIT, late_course / "reports", "en", pseudonyms=True)
    text = page.read_text(encoding="utf-8")
    assert "Who has an extension" not in text
    assert "20:30" not in text
    assert not {"timestamp", "extended_to"} & read_table(csv_path)[0].keys()
