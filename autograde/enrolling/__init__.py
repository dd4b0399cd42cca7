"""`python -m autograde students`: a class list, as a spreadsheet saves it, into the gradebook.

- `class_list_file.py`  the file: its encoding, separators and columns
- `student_ids.py`      what is not a student id, and what a spreadsheet has made of one
- `command.py`          the students into the gradebook, all or none
"""
