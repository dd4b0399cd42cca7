"""The settings of this repository as an nbgrader course: source, release, grading pipeline."""

import sys
from pathlib import Path

# nbgrader logs an exception in this file and goes on as if the file did not exist: it would run
# students' code in the teacher's own session. So any exception here ends nbgrader.
try:
    from nbgrader.preprocessors import AssignLatePenalties

    from autograde.collecting.set_aside import set_odd_names_aside
    from autograde.kit.cell_role import ANSWER_HERE
    from autograde.nbgrader.alembic_path import put_alembic_on_path
    from autograde.nbgrader.autograde import STEPS, GradedNotebook, keep_what_counts
    from autograde.nbgrader.exchange import CollectAsTheirs
    from autograde.nbgrader.exchange_feedback import ReleaseFeedback
    from autograde.nbgrader.exchange_list import ListAsTheirs
    from autograde.nbgrader.export import Spreadsheet
    from autograde.nbgrader.feedback import FeedbackPage
    from autograde.nbgrader.formgrader import highlight_code, markdown2html, strip_files_prefix
    from autograde.nbgrader.late import KeepTimes
    from autograde.nbgrader.release_broken_code import StartFromBrokenCode
    from autograde.nbgrader.release_choices import KeepChoices
    from autograde.nbgrader.release_language import (
        CODE_HERE,
        KeepLanguage,
        KeepStubLanguage,
        in_both,
    )
    from autograde.nbgrader.release_no_kernel import RecordNoKernel
    from autograde.nbgrader.zip_collect import Collect
    from autograde.teacher.course_folder import choices
    from autograde.teacher.errors import CannotBegin
    from autograde.teacher.penalties import LatePenalty
except Exception as error:
    module = getattr(error, "name", None) or ""
    if sys.modules.get("autograde") and module.startswith("autograde."):
        sys.exit(
            f"这份nbgrader_config.py与所装的课程不是同一个版本（{error}）。请从课程目录重新复制一份，"
            "自己加的行再加进去。\n"
            f"This nbgrader_config.py is of another version than the installed course ({error}). "
            "Copy it again from the course's folder, and put your own lines into the copy."
        )
    sys.exit(
        f"这个nbgrader的环境里没有装好本课程（{error}）。请先激活.venv，再运行nbgrader。\n"
        f"The course is not installed where this nbgrader runs ({error}). Activate .venv first."
    )

try:
    c = get_config()  # noqa: F821 - nbgrader defines it

    put_alembic_on_path()

    c.CourseDirectory.course_id = "posenc"
    c.CourseDirectory.source_directory = "solutions"
    c.CourseDirectory.release_directory = "notebooks"

    # course.toml holds a teacher's choices; release, grading and feedback use its language.
    course = choices(Path(__file__).parent)
    c.ReadsCourse.course = course
    c.KeepLanguage.language = course.language
    c.KeepChoices.chapters = course.chapters and sorted(course.chapters)
    c.KeepChoices.left_out = sorted(course.left_out)
    c.KeepChoices.points = dict(course.points)
    c.KeepChoices.deadlines = {name: due.isoformat() for name, due in course.deadlines.items()}
    c.GenerateAssignment.preprocessors.prepend([KeepChoices, KeepLanguage])
    c.ClearSolutions.code_stub = {"python": f"# {in_both(CODE_HERE)}\nraise NotImplementedError"}
    c.ClearSolutions.text_stub = in_both(ANSWER_HERE)
    c.GenerateAssignment.preprocessors.insert(4, KeepStubLanguage)  # behind ClearSolutions
    c.GenerateAssignment.preprocessors.insert(4, StartFromBrokenCode)  # before it
    c.GenerateAssignment.preprocessors.append(RecordNoKernel)

    # A download is collected by the class list and the platform's file names. With
    # c.Collect.platform = "files", names that students wrote are taken without asking you. Grades
    # are exported in a form that spreadsheets read.
    set_odd_names_aside(Path(__file__).parent)
    c.ZipCollectApp.extractor_plugin = Collect
    c.ExportApp.plugin_class = Spreadsheet

    # Everyone may write to the exchange, so only files that a student owns are collected.
    c.ExchangeFactory.collect = CollectAsTheirs
    c.ExchangeFactory.list = ListAsTheirs
    c.ExchangeFactory.release_feedback = ReleaseFeedback

    # Validate runs the notebook in an ordinary kernel; each exercise limits itself
    # (Exercise.seconds).
    c.Execute.timeout = 120
    c.Execute.iopub_timeout = 60  # for outputs on a busy machine: after 4 s Validate would fail
    c.Execute.extra_arguments = ["--IPKernelApp.log_level=ERROR"]  # each kernel warns of loopback

    # A submission is rebuilt from the gradebook's record, and its code runs in confined processes,
    # never in the one that scores it. nbgrader reads the graded notebook in place of the submitted
    # one, and saves it with its own steps. See docs/security.md.
    c.Autograde.exporter_class = GradedNotebook
    c.SubmittedNotebook.limits = dict(course.limits)
    c.SubmittedNotebook.language = course.language
    c.Autograde.pre_convert_hook = keep_what_counts
    c.Autograde.sanitize_preprocessors = []
    c.Autograde.autograde_preprocessors = list(STEPS)

    # The feedback page is in the language of the release; c.FeedbackPage.language = "zh", "en" or
    # "both" chooses another, c.FeedbackPage.hints sets how many hints it shows.
    c.GenerateFeedback.exporter_class = FeedbackPage

    # Penalties and extensions are nbgrader's own, computed by the rules of course.toml, and again
    # for the feedback pages.
    c.AssignLatePenalties.plugin_class = LatePenalty
    c.GenerateFeedback.preprocessors.prepend([KeepTimes, AssignLatePenalties])
    c.NbGraderAPI.timezone = str(course.zone)

    # Formgrader shows answers in the teacher's own session: a student's markup must not run there
    # either.
    c.HTMLExporter.sanitize_html = True
    c.HTMLExporter.filters = {
        one.__name__: one for one in (markdown2html, highlight_code, strip_files_prefix)
    }

    # Lines of your own go here, above `except`.
except CannotBegin as error:
    sys.exit(str(error))
except Exception as error:
    line = error.__traceback__.tb_lineno
    sys.exit(
        f"nbgrader_config.py第{line}行出错，已停下：{type(error).__name__} {error}\n"
        f"nbgrader_config.py, line {line}, has ended this: {type(error).__name__} {error}"
    )
