"""What nbgrader_config.py switches on: each module replaces or adds one part of nbgrader.

- `release_choices.py`   the teacher's choice of chapters, exercises and points
- `release_language.py`  the language that is released
- `release_broken_code.py`  puts the code to be fixed into the answer cell
- `release_no_kernel.py`  nothing runs if nbgrader_config.py was not read
- `zip_collect.py`       zip_collect, in place of nbgrader's own steps
- `exchange.py`          collect, from a folder that everyone may write to
- `exchange_inbound.py`  which of its folders count
- `exchange_list.py`     list, of the folders that count
- `exchange_feedback.py`  release_feedback, of the course's own, current pages
- `late.py`              the steps that write lateness into nbgrader's tables
- `export.py`            grades.csv, safe for a spreadsheet
- `autograde.py`         the grading of a submission, in place of nbgrader's own execution
- `feedback.py`          the exporter of generate_feedback
- `feedback_folder.py`  its folder, without a student's files
- `formgrader.py`        the same safety for formgrader's view of an answer
- `alembic_path.py`      puts alembic on PATH, where nbgrader looks for it
"""
