"""A teacher's settings and the course folder.

- `settings.py`       a teacher's choices, read from `course.toml`
- `time_settings.py`  settings about time: zone, deadlines, extensions, late penalties
- `setting_table.py`  a table of settings, and the error for a wrong value
- `lateness.py`       when work is late, and what that costs
- `late_words.py`     sentences about late work
- `course_times.py`   when each student's work is due
- `penalties.py`      deadlines, extensions and penalties in nbgrader's tables
- `course_folder.py`  nbgrader as it is configured in the course folder
- `other_users.py`    whether other users of the machine can enter that folder
- `arguments.py`      help texts for arguments that several commands share
- `errors.py`         why a command stops
- `output_file.py`    a command's file, at the path that a teacher gives
- `full_name.py`      a student's first and last name as one
- `collected.py`      what `collect` records about each file that counts
- `questions.py`      the questions that a teacher grades
- `spreadsheet.py`    tables for spreadsheets
"""
