"""Grading by hand (`python -m autograde by-hand CHAPTER`): a page for the written answers.

All answers to one question stand on one page, the key beside them; points and comments go into
nbgrader's gradebook as they are typed, and formgrader shows the same.

- `command.py`  the options, the browser
- `server.py`   the server on 127.0.0.1, and whom it lets in
- `desk.py`     a teacher's choices: which chapter, in which language, with names or without
- `page.py`     a question and its answers as a page
- `notebooks.py` each graded notebook, read once
- `answers.py`  a class's answers to the questions, from the gradebook and graded notebooks
- `entry.py`    saving points and a comment in the gradebook
- `words.py`    the sentences of the page
"""
