"""`python -m autograde students`: put a class list from a spreadsheet into the gradebook.

- `class_list_file.py`  the file: its encoding, separators and columns
- `student_ids.py`      wrong student ids, and ids that a spreadsheet has changed
- `command.py`          putting the students into the gradebook, all or none
"""
