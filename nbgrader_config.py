"""The repository is an nbgrader course: source, release, and the grading pipeline. Nothing else."""

import sys
from pathlib import Path

from nbgrader.preprocessors import AssignLatePenalties

try:
    from autograde.collecting.set_aside import set_odd_names_aside
    from autograde.grading.save import STEPS
    from autograde.nbgrader.alembic_path import put_alembic_on_path
    from autograde.nbgrader.autograde import SubmittedNotebook, keep_what_counts
    from autograde.nbgrader.export import Spreadsheet
    from autograde.nbgrader.feedback import FeedbackPage
    from autograde.nbgrader.formgrader import highlight_code, markdown2html, strip_files_prefix
    from autograde.nbgrader.late import KeepTimes, LatePenalty
    from autograde.nbgrader.release_broken_code import StartFromBrokenCode
    from autograde.nbgrader.release_choices import KeepChoices
    from autograde.nbgrader.release_language import (
        ANSWER_HERE,
        CODE_HERE,
        KeepLanguage,
        KeepStubLanguage,
        in_both,
    )
    from autograde.nbgrader.zip_collect import Collect
    from autograde.teacher.course_folder import choices_or_exit
except ImportError as error:
    # nbgrader would go on without this file: submissions would run in the teacher's own session
    sys.exit(
        f"这个nbgrader的环境里没有装好本课程（{error}）。请先激活.venv，再运行nbgrader。\n"
        f"The course is not installed where this nbgrader runs ({error}). Activate .venv first."
    )

c = get_config()  # noqa: F821 - nbgrader defines it

put_alembic_on_path()

c.CourseDirectory.course_id = "posenc"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"

# course.toml holds a teacher's choices; its language is that of release, grading and feedback.
course = choices_or_exit(Path(__file__).parent)
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

# A download is collected by the class list and the platform's names; c.Collect.platform = "files"
# takes names that students wrote without a look before. Grades go out as a spreadsheet reads them.
set_odd_names_aside(Path(__file__).parent)
c.ZipCollectApp.extractor_plugin = Collect
c.ExportApp.plugin_class = Spreadsheet

# Validate runs the notebook in an ordinary kernel; each exercise limits itself (Exercise.seconds).
c.Execute.timeout = 120
c.Execute.extra_arguments = ["--IPKernelApp.log_level=ERROR"]  # each kernel warns of loopback

# A submission is rebuilt from the gradebook's record, its code runs in confined processes, and what
# is scored never shares a process with what scores. nbgrader reads the graded notebook where it
# would read the submitted one, and saves it with its own steps. See docs/security.md.
c.Autograde.exporter_class = SubmittedNotebook
c.SubmittedNotebook.limits = dict(course.limits)
c.SubmittedNotebook.language = course.language
c.Autograde.pre_convert_hook = keep_what_counts
c.Autograde.sanitize_preprocessors = []
c.Autograde.autograde_preprocessors = list(STEPS)

# The feedback page speaks the language that was released; c.FeedbackPage.language = "zh", "en" or
# "both" chooses another, c.FeedbackPage.hints how many hints it shows.
c.GenerateFeedback.exporter_class = FeedbackPage

# Penalties and extensions are nbgrader's own, computed by course.toml, again where pages show them.
c.AssignLatePenalties.plugin_class = LatePenalty
c.GenerateFeedback.preprocessors.prepend([KeepTimes, AssignLatePenalties])
c.NbGraderAPI.timezone = str(course.zone)

# Formgrader shows answers in the teacher's own session: no markup of a student runs there either.
c.HTMLExporter.sanitize_html = True
c.HTMLExporter.filters = {
    one.__name__: one for one in (markdown2html, highlight_code, strip_files_prefix)
}
