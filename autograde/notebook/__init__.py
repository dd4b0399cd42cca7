"""What a learner calls in a notebook, and what it shows.

- `check.py`        tests an answer and shows the report
- `report.py`       the words of that report
- `verdict_output.py`  one output for both readers: the words, and the verdict as data
- `hint.py`         the next hint
- `quiz.py`         the self-test questions of a chapter
- `progress.py`     what is done, and what is next
- `store.py`        keeps points, hints and quiz answers in the user's data folder
- `first_aid.py`    what to do about the errors that newcomers meet
- `environment.py`  what a bug report needs
"""
