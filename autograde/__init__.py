"""The grading kit: an answer is never just wrong, the kit says why, in the reader's language.

In a notebook:

- `check("sinusoidal_table", sinusoidal_table)` tests an answer, prints the reasons, returns points;
- `hint("sinusoidal_table")` gives the next hint;
- `quiz("sinusoidal")` asks the self-test questions of a chapter;
- `progress()` shows what is done;
- `environment()` prints what a bug report needs.

Where things are:

- `exercises/<id>.py`   one exercise: task, checks, hints, misconceptions
- `quizzes/<stem>.py`   one quiz, named as its chapter without the number
- `exercise.py`         what an exercise is made of
- `expect.py`           comparisons that raise with a reason
- `answer.py`           calls a learner's function and survives what it does
- `same.py`             compares two results of any kind
- `judge.py`            runs the checks and adds up the points
- `diagnose.py`         names the misconception behind a wrong answer
- `verdict.py`          what was judged of an answer
- `report.py`           the words that the learner reads
- `store.py`            keeps points, hints and quiz answers in the user's data folder
- `verdict_output.py`   one output for both readers: the words, and the verdict as data
- `remote.py`           the same answer, but in a confined worker
- `first_aid.py`        what to do about the errors that newcomers meet
- `chapter.py`          what the chapters are called, and how long they take
- `requirements.py`     which packages the course needs, and which are here
- `machine.py`          what this machine lacks for the course, and what to do about it
- `borrowed.py`         which names of the reference an answer uses
- `diagnosis.py`        what a graded cell's outputs say was wrong
- `results.py`          a class's points and diagnoses, from the gradebook and graded notebooks
- `nbgrader_*.py`       what nbgrader_config.py switches on
- `course_folder.py`    nbgrader as it is set up where a teacher works
- `judging/`            the judge: grades a class safely (`python -m autograde grade`)
- `class_report/`       the teacher's page and CSV (`python -m autograde report`)
- `demo/`               a made-up class that nbgrader grades (`python -m autograde demo`)
"""

from autograde.check import check
from autograde.environment import environment
from autograde.first_aid import watch
from autograde.hint import hint
from autograde.progress import progress
from autograde.quiz import quiz

__all__ = ["check", "environment", "hint", "progress", "quiz"]

watch()  # whoever imports the kit in a notebook is told what to do about an error
