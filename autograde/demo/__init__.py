"""`python -m autograde demo`: a class is taught, hands in, and is graded, in a folder of its own.

- `students.py`   who is in the class and what each hands in
- `edits.py`      what each student does to the released notebook
- `workbook.py`   a released notebook, filled in as a learner would
- `folder.py`     the demo's folder: the course's settings, a separate exchange
- `steps.py`      nbgrader's steps, from release to feedback and grades.csv
- `table.py`      the table of students and exercises that a teacher reads
- `command.py`    all of it, in order
"""
