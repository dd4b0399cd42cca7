"""A platform's download becomes `submitted/`: whose each file is, which one counts, and why not.

The class list comes first: whatever a path names is somebody on it, or nobody. What a platform
wrote in front of a file's name says whose it is; what the student wrote behind that never does.

- `class_list.py`  the students of the gradebook, and whom a text names
- `platforms.py`   what Moodle, Canvas and Blackboard write in front of a name; folders, and files
- `limits.py`      what a student's files may cost: names, bytes, files in an archive
- `archives.py`    a zip archive, read within limits
- `downloads.py`   the files that a platform gave the teacher
- `whose.py`       whose each file is, what cannot count and why
- `plan.py`        which of a student's files counts, and when it came
- `by_hand.py`     which left-out file a teacher has put into `submitted/` all the same
- `submitted.py`   the folder `submitted/`: written as planned, what no longer belongs set aside
- `set_aside.py`   where that goes; names in `submitted/` that nbgrader would not survive
- `table.py`       the closing table
- `advice.py`      what there is to do about it
- `collect.py`     all of it in order: read, planned, shown, written
- `command.py`     `python -m autograde collect`
"""
