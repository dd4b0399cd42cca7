"""The page as nbgrader's own generate_feedback makes it, from the gradebook and the notebooks."""

from pathlib import Path

import pytest
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets import TraitError
from traitlets.config import Config, PyFileConfigLoader

from autograde.nbgrader import feedback
from autograde.nbgrader.feedback import FeedbackPage
from autograde.teacher.collected import RECORD
from tests.autograde.page_reader import HANZI, Reader
from tests.autograde.small_class import HOSTILE, KIT, gradebook

pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")  # nbgrader's


def pages(course, **settings):
    """Run generate_feedback; return the words of each student's page."""
    config = PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()
    config.CourseDirectory.root = str(course)
    config.GenerateFeedback.exporter_class = FeedbackPage
    config.FeedbackPage.update(settings)
    result = NbGraderAPI(config=config).generate_feedback(KIT, force=True)
    assert result["success"], result["log"]
    paths = course.glob(f"feedback/*/{KIT}/{KIT}.html")
    return {path.parts[-3]: path.read_text(encoding="utf-8") for path in paths}


def words(page):
    return " ".join(Reader(page).text.split())


def test_every_graded_student_has_a_page_with_the_gradebooks_points(course):
    with gradebook(course) as book:
        scores = {one.student.id: one.score for one in book.assignment_submissions(KIT)}
    by_student = pages(course, language="en")
    assert by_student.keys() == {"ada", "ben", "cai", "dot", "eve", "fay", HOSTILE}
    for student, page in by_student.items():
        late = 0.25 if student == "cai" else 0
        most = 2 if student in ("ben", "cai") else 5  # 3 of theirs wait for the teacher
        assert f"Student {student} {scores[student] - late:g} / {most} points" in words(page)


def put_beside(course, student, files):
    folder = course / "autograded" / student / KIT
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def in_feedback(course, student):
    folder = course / "feedback" / student / KIT
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_nothing_of_a_student_s_is_copied_beside_the_page(course, log):
    script = "<script>alert(1)</script>"
    put_beside(course, "ada", {"index.html": script, "evil.svg": script, "\x1b[2J.txt": ""})
    put_beside(course, "ben", {f"{KIT}.html/x.txt": script, "zzz.html/x.txt": script})
    put_beside(course, "cai", {f"{KIT}.html": script, "timestamp.txt/x.txt": script})
    put_beside(course, "dot", {"submission_secret.txt": script})
    by_student = pages(course)
    assert by_student.keys() >= {"ada", "ben", "cai", "dot"}
    assert script not in "".join(by_student.values())
    assert KIT in log.text
    assert "Copying" not in log.text
    for student in ("ada", "ben", "cai", "dot"):
        assert in_feedback(course, student) == {f"{KIT}.html"}


def test_a_page_keeps_its_time_and_the_secret_by_which_it_goes_back(course):
    facts = {"timestamp.txt": "2026-09-12 20:00:00.5 Asia/Shanghai", "submission_secret.txt": "5e"}
    put_beside(course, "ada", facts)
    pages(course)
    folder = course / "feedback" / "ada" / KIT
    times = map(
        CourseDirectory().get_existing_timestamp,
        (str(folder), str(course / "autograded/ada" / KIT)),
    )
    assert len(set(times)) == 1
    assert (folder / "submission_secret.txt").read_text() == "5e"
    assert in_feedback(course, "ada") == {f"{KIT}.html", *facts}


def test_a_record_of_collect_that_cannot_be_read_costs_no_page(late_course):
    """Seen: "Removing failed assignment", of each student, as none could be made again."""
    before = pages(late_course)
    record = late_course / "downloaded" / KIT / RECORD
    record.parent.mkdir(parents=True)
    record.write_text('{"ada": {"sou', encoding="utf-8")
    with pytest.raises(AssertionError, match=RECORD):
        pages(late_course)
    assert {path.parts[-3] for path in late_course.glob("feedback/*/*/*.html")} == before.keys()


def test_the_course_s_questions_are_read_once_for_a_class(course, monkeypatch):
    chapters, questions = [], feedback.questions

    def counted(folder, chapter):
        chapters.append(chapter)
        return questions(folder, chapter)

    monkeypatch.setattr(feedback, "questions", counted)
    assert len(pages(course)) == 7
    assert chapters == [KIT]


def test_what_waits_is_neither_wrong_nor_counted(course):
    by_student = {student: words(page) for student, page in pages(course, language="en").items()}
    waiting = "… a_why waiting for the teacher – / 3"
    for student in ("ben", "cai"):
        assert waiting in by_student[student]
        assert "3 more points wait for your teacher" in by_student[student]
    for student in ("ada", "dot", "eve"):
        assert "wait" not in by_student[student]
    assert "○ a_why not answered 0 / 3" in by_student["dot"]
    assert "✗ a_why 0 / 3" in by_student["eve"]


def test_penalty_points_by_hand_and_reasons_are_there(course):
    by_student = pages(course, language="en")
    assert "Late penalty: −0.25" in words(by_student["cai"])
    assert "a_why 2.5 / 3" in words(by_student["ada"])
    assert "Likely cause You squared it." in words(by_student["ben"])
    assert "Not solved" in words(by_student["dot"])
    assert "is not defined by Fay" in words(by_student["fay"])
    assert "<script" not in by_student["fay"] + by_student[HOSTILE]


def test_the_page_is_in_the_language_that_was_released(course):
    assert "加倍 · Double" in words(pages(course)["ada"])
    config = Config()
    config.KeepLanguage.language = "en"
    assert FeedbackPage(config=config).language == "en"
    config.FeedbackPage.language = "zh"
    assert FeedbackPage(config=config).language == "zh"
    assert HANZI.findall(words(pages(course, language="en")["ada"])) == []


def test_an_unknown_language_is_refused():
    config = Config()
    config.FeedbackPage.language = "fr"
    with pytest.raises(TraitError, match="fr"):
        FeedbackPage(config=config)


def test_the_course_configures_this_exporter():
    root = Path(__file__).resolve().parents[3]
    config = PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config()
    assert config.GenerateFeedback.exporter_class is FeedbackPage
