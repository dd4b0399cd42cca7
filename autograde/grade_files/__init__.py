"""`python -m autograde grades`: files that a platform's own gradebook imports.

- `items.py`      a chapter or its exercises, each student's points, or why there are none
- `platforms.py`  the columns of Moodle, Canvas and 学习通
- `command.py`    both, in order
"""
