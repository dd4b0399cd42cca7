"""The grading kit: an answer is never just wrong, the kit says why, in the reader's language.

In a notebook:

- `check("sinusoidal_table", sinusoidal_table)` tests an answer, prints the reasons, returns points;
- `hint("sinusoidal_table")` gives the next hint;
- `quiz("02_sinusoidal")` asks the self-test questions of a chapter;
- `progress()` shows what is done.

Where things are:

- `exercises/<id>.py`   one exercise: task, checks, hints, misconceptions
- `quizzes/<chapter>.py` one quiz, named q_<chapter> because a module cannot start with a digit
- `exercise.py`         what an exercise is made of
- `expect.py`           comparisons that raise with a reason
- `answer.py`           calls a learner's function and survives what it does
- `judge.py`            runs the checks and adds up the points
- `diagnose.py`         names the misconception behind a wrong answer
- `report.py`           the words that the learner reads
"""

from autograde.check import check
from autograde.hint import hint
from autograde.progress import progress
from autograde.quiz import quiz

__all__ = ["check", "hint", "progress", "quiz"]
