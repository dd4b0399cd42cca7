"""From a platform's download to `submitted/`: whose each file is, which ones count, and why not.

A path names somebody on the class list, or nobody. The prefix that a platform wrote in front of a
file's name decides whose file it is; the part that the student wrote never does.

- `class_list.py`  the students of the gradebook, and which of them a text names
- `platforms.py`   what Moodle, Canvas and Blackboard write in front of a name; folders, and files
- `limits.py`      what a student's files may cost: names, bytes, files in an archive
- `archives.py`    a zip archive, read within limits
- `downloads.py`   the files that a platform gave the teacher
- `whose.py`       whose each file is, what cannot count and why
- `plan.py`        which of a student's files counts, and when it came
- `copied_in.py`   which left-out file a teacher has put into `submitted/` all the same
- `submitted.py`   the folder `submitted/`: written as planned, what no longer belongs set aside
- `set_aside.py`   setting folders aside; names in `submitted/` that would break nbgrader
- `table.py`       the closing table
- `advice.py`      what a teacher has to do next
- `collect.py`     all of it in order: read, plan, show, write
- `command.py`     `python -m autograde collect`
"""
