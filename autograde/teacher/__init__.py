"""A teacher's settings, the course folder, and a class's results.

- `settings.py`       a teacher's choices, read from `course.toml`
- `course_folder.py`  nbgrader as it is set up where a teacher works
- `problem.py`        why a submission could not be graded, in a line
- `questions.py`      the questions that a teacher grades
- `spreadsheet.py`    tables as spreadsheets open them
- `results.py`        points and diagnoses of a class, from the gradebook and graded notebooks
"""
