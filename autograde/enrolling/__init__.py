"""`python -m autograde students`: a class list, as a spreadsheet saves it, into the gradebook.

- `class_list_file.py`  the file: its encoding, separators, columns, and what is not a student id
- `command.py`          the students into the gradebook, all or none
"""
