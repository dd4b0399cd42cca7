"""What an exercise is, and how an answer is called, compared, scored and explained.

- `exercise.py`        what an exercise is made of
- `question.py`        what a quiz question is made of
- `catalogue.py`       finds exercises, quizzes and chapters by name
- `chapter.py`         the chapters' titles, minutes and exercises
- `way.py`             three ways through the course
- `cell_role.py`       the role of a notebook cell, in its metadata
- `answer.py`          calls a learner's function and survives what it does
- `call_inputs.py`     the plain inputs of a call, as text
- `callback.py`        a function passed to an answer, and its one error message
- `capture.py`         keeps what an answer prints out of the cell's output
- `compare.py`         compares two results of any kind
- `expect.py`          type, shape and dtype: comparisons that raise with a reason
- `expect_values.py`   values: comparisons that raise with the first wrong one
- `shuffled.py`        items in an order drawn from the seed
- `scoring.py`         runs the checks and adds up the points
- `diagnose.py`        names the misconception behind a wrong answer
- `misconception_source.py`  its code, as a learner would have written it
- `relations/`         how a wrong result relates to the right one
- `python_error/`      explains the errors of Python and torch
- `reference_use.py`   which names of the reference an answer uses
- `task.py`            the text that introduces an exercise
- `emphasis.py`        the marks in its sentences: `code` and *emphasis*
- `verdict.py`         the outcomes of all checks of an answer
- `verdict_record.py`  the verdict as data, kept in a check cell's output
"""
