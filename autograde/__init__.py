"""The grading kit: an answer is never just wrong, the kit says why, in the reader's language.

In a notebook:

- `check("sinusoidal_table", sinusoidal_table)` tests an answer, prints the reasons, returns points;
- `hint("sinusoidal_table")` gives the next hint;
- `quiz("sinusoidal")` asks the self-test questions of a chapter;
- `progress()` shows the way taken, what is done and what is next;
- `review()` asks again, some days later, what was learned before;
- `answer("longer_table")` shows a model answer to those who have written their own;
- `environment()` prints what a bug report needs;
- `language_switch()` shows the language buttons.

The rooms:

- `kit/`        what an exercise is; how an answer is called, compared, scored and explained
- `notebook/`   what a learner calls in a notebook, and what it shows
- `exercises/`  one exercise a file: task, checks, hints, misconceptions
- `quizzes/`    one quiz a file, named as its chapter without the number
- `doctor/`     what this machine has and lacks for the course
- `enrolling/`  a class list, as a spreadsheet saves it, into the gradebook
- `collecting/` a platform's download becomes `submitted/`
- `handed_in/`  what a student handed in: read within limits, without following a link
- `grading/`    a submission becomes a graded notebook; a class of them
- `nbgrader/`   what nbgrader_config.py switches on
- `by_hand/`    a teacher gives points and comments on a page
- `likeness/`   which answers of a class are alike beyond what their exercise suggests
- `register/`   who is in a class, what each student handed in, what became of it
- `pages/`      the feedback page and the class report
- `grade_files/` grades as a platform's gradebook imports them
- `giving_back/` feedback pages as a platform takes them back
- `teacher/`    a teacher's settings and the course folder
- `demo/`       a made-up class that nbgrader grades
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograde.notebook.names import (
        answer,
        check,
        environment,
        hint,
        language_switch,
        progress,
        quiz,
        review,
    )

__all__ = [
    "answer",
    "check",
    "environment",
    "hint",
    "language_switch",
    "progress",
    "quiz",
    "review",
]

if "IPython" in sys.modules:  # whoever imports the kit in a notebook is told of its errors
    from autograde.notebook.first_aid import watch

    watch()


def __getattr__(name: str) -> Any:
    """Import what a notebook uses once it is used: a class is graded without widgets."""
    if name in __all__:
        return getattr(import_module("autograde.notebook.names"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return what a notebook's completion offers."""
    return sorted({*globals(), *__all__})
