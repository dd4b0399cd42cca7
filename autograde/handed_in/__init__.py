"""What a student handed in: read within limits, without following a link.

- `limits.py`     how much of it is read, and kept
- `paths.py`      lists and opens files in a student's folder without following links
- `files.py`      the files that were handed in
- `cells.py`      the cells of a submitted notebook
- `timestamp.py`  when it was handed in, by its timestamp file
- `access.py`     makes those files readable
- `prepare.py`    puts access, timestamp and links in order before anything is read
- `left_out.py`   moves aside what nbgrader is not to copy
- `problem.py`    why it could not be graded, in one line
- `escaped.py`    a student's text as a terminal may show it
"""
