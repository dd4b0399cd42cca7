"""Grading by hand (`python -m autograde by-hand CHAPTER`): a page for the written answers.

All answers to one question stand on one page, the key beside them; points and comments go into
nbgrader's gradebook as they are typed, and formgrader shows the same.

- `command.py`  the options, the browser
- `server.py`   what answers on 127.0.0.1, and to whom
- `desk.py`     a teacher's choices: which chapter, in which language, with names or without
- `page.py`     a question and its answers as a page
- `notebooks.py` each graded notebook, read once
- `answers.py`  what a class wrote to the questions, from the gradebook and graded notebooks
- `entry.py`    points and a comment go into the gradebook
- `words.py`    the sentences of the page
"""
