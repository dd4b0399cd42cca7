"""`python -m autograde demo`: a class is taught, hands in, and is graded, in a folder of its own.

- `students.py`   who is in the class and what each hands in
- `edits.py`      what each does to the released notebook
- `workbook.py`   a released notebook, filled in as a learner would
- `folder.py`     the course folder: the course's own settings, an exchange of its own
- `steps.py`      nbgrader's steps, from release to feedback and grades.csv
- `table.py`      the table student by exercise that a teacher reads
- `command.py`    all of it, in order
"""
