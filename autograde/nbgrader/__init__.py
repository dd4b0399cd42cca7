"""What nbgrader_config.py switches on: each module replaces or adds one part of nbgrader.

- `release_choices.py`   the teacher's choice of chapters, exercises and points
- `release_language.py`  the language that is released
- `release_broken_code.py`  what is to be mended stands in the answer cell
- `release_no_kernel.py`  nothing runs where nbgrader_config.py was not read
- `zip_collect.py`       zip_collect, in place of nbgrader's own steps
- `exchange.py`          collect, from where everyone may write
- `exchange_feedback.py`  release_feedback, of our pages, for those who came that way
- `late.py`              deadlines, extensions and penalties in nbgrader's tables
- `export.py`            grades.csv as a spreadsheet opens it
- `autograde.py`         the grading of a submission, in place of nbgrader's own execution
- `feedback.py`          the exporter of generate_feedback
- `feedback_folder.py`  its folder, without a student's files
- `formgrader.py`        the same safety for formgrader's view of an answer
- `alembic_path.py`      nbgrader calls alembic by its name
"""
