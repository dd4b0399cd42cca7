"""A teacher's settings, the course folder, and a class's results.

- `settings.py`       a teacher's choices, read from `course.toml`
- `time_settings.py`  those about time: zone, deadlines, extensions, what late work loses
- `setting_table.py`  a table of settings, and what is said of a wrong value
- `lateness.py`       when work is late, and what that costs
- `late_words.py`     how it is said
- `course_times.py`   when each student's work is due
- `course_folder.py`  nbgrader as it is set up where a teacher works
- `other_users.py`    whether other users of the machine can enter it
- `arguments.py`      what the help of several commands says of an argument
- `errors.py`         why a command stops
- `output_file.py`    what a command writes where a teacher says
- `full_name.py`      a student's name as class lists have it
- `escaped.py`        a student's text as a terminal may show it
- `problem.py`        why a submission could not be graded, in a line
- `collected.py`      what `collect` notes of each file that counts
- `handed_in_again.py`  who handed in again since `grade` was last run
- `questions.py`      the questions that a teacher grades
- `spreadsheet.py`    tables as spreadsheets open them
- `results.py`        points and diagnoses of a class, from the gradebook and graded notebooks
"""
