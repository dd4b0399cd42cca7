"""What a learner calls in a notebook, and what it shows.

- `names.py`        what a notebook imports from `autograde`
- `check.py`        tests an answer and shows the report
- `unattended.py`   what an answer may not do meanwhile: ask the keyboard, end the kernel
- `stale.py`        whether an older function is checked than the one written, or there is none
- `report.py`       the words of that report
- `verdict_output.py`  one output for both readers: the words, and the verdict as data
- `hint.py`         the next hint
- `answer.py`       the model answer of a question that a teacher grades
- `quiz.py`         the self-test questions of a chapter
- `review.py`       questions that come back, some each day
- `review_schedule.py`  when they do
- `review_questions.py`  which there are
- `review_mistake.py`  which mistake a code makes
- `review_result.py`  what a right answer returns for newly drawn inputs
- `records.py`      the points reached, the questions answered right
- `place.py`        where a reader left the course
- `course_way.py`   the way chosen: its sections, what is done, what is next
- `section_links.py`  lines of text with links to sections
- `progress.py`     shows all that
- `store.py`        keeps points, hints, answers, way and place in the user's data folder
- `first_aid.py`    what to do about the errors that newcomers meet
- `environment.py`  what a bug report needs
"""
