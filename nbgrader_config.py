"""The repository is an nbgrader course: source, release, and the grading pipeline. Nothing else."""

from autograde.judging.nbgrader_steps import JUDGED, Rebuild, SubmittedNotebook, without_links
from autograde.nbgrader_alembic import put_alembic_on_path
from autograde.nbgrader_language import KeepLanguage

c = get_config()  # noqa: F821 - nbgrader defines it

put_alembic_on_path()

c.CourseDirectory.course_id = "posenc"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"

# Both languages are released; "zh" or "en" here (or --KeepLanguage.language=zh) releases one.
c.KeepLanguage.language = "both"
c.GenerateAssignment.preprocessors.insert(0, KeepLanguage)
c.ClearSolutions.code_stub = {"python": "# 在这里作答 · YOUR CODE HERE\nraise NotImplementedError"}
c.ClearSolutions.text_stub = "在这里写下你的回答 · YOUR ANSWER HERE"

# Validate runs the notebook in an ordinary kernel; each exercise limits itself (Exercise.seconds).
c.Execute.timeout = 120
c.Execute.extra_arguments = ["--IPKernelApp.log_level=ERROR"]  # each kernel warns of loopback

# The judge: a submission is rebuilt from the gradebook's record, its code runs in confined
# processes, and what is judged never shares a process with what judges. See docs/security.md.
c.Autograde.exporter_class = SubmittedNotebook
c.Autograde.pre_convert_hook = without_links
c.Autograde.sanitize_preprocessors.insert(0, Rebuild)
c.Autograde.autograde_preprocessors = JUDGED
