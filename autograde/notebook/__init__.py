"""What a learner calls in a notebook, and what it shows.

- `names.py`        what a notebook imports from `autograde`
- `check.py`        tests an answer and shows the report
- `unattended.py`   refuses `input` and `exit` while an answer is checked
- `stale.py`        detects a checked function that is older than its cell, or missing
- `report.py`       the text of that report
- `verdict_output.py`  one output: the report, and the verdict as data
- `hint.py`         the next hint
- `answer.py`       the model answer of a question that a teacher grades
- `quiz.py`         the self-test questions of a chapter
- `review.py`       questions that come back, some each day
- `review_schedule.py`  when a question comes back
- `review_questions.py`  which questions there are
- `review_mistake.py`  a question: which mistake does this code make
- `review_result.py`  a question: what does a right answer return for new inputs
- `records.py`      the points reached, the questions answered right
- `place.py`        where a reader left off
- `course_way.py`   the way chosen: its sections, what is done, what is next
- `section_links.py`  lines of text with links to sections
- `progress.py`     shows way, place and points
- `store.py`        keeps points, hints, answers, way and place in the user's data folder
- `first_aid.py`    what to do about the errors that newcomers meet
- `environment.py`  what a bug report needs
"""
