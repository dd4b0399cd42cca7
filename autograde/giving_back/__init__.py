"""`python -m autograde give-back`: feedback pages in one zip, as a platform takes them back.

- `names.py`    what Moodle and Canvas must find in a file's name, and names for all others
- `pages.py`    who has a page, who has none and why
- `command.py`  both, in order
"""
