"""`python -m autograde give-back`: feedback pages in one zip, named for upload to a platform.

- `names.py`    what Moodle and Canvas must find in a file's name, and names for all others
- `pages.py`    the students' pages, and why some have none
- `command.py`  both, in order
"""
