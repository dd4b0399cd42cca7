"""What an exercise is, and how an answer is called, compared, scored and explained.

- `exercise.py`        what an exercise is made of
- `question.py`        what a quiz question is made of
- `catalogue.py`       finds exercises, quizzes and chapters by name
- `chapter.py`         what the chapters are called, how long they take, what they ask
- `way.py`             three ways through the course
- `cell_role.py`       what a cell of a notebook is, in its metadata
- `answer.py`          calls a learner's function and survives what it does
- `call_inputs.py`     the plain inputs of a call, in words
- `callback.py`        a function that an answer is to call, and how it refuses
- `capture.py`         keeps what an answer prints away from the cell
- `compare.py`         compares two results of any kind
- `expect.py`          type, shape and dtype: comparisons that raise with a reason
- `expect_values.py`   values: comparisons that raise with the first wrong one
- `shuffled.py`        an order that the seed draws
- `scoring.py`         runs the checks and adds up the points
- `diagnose.py`        names the misconception behind a wrong answer
- `misconception_source.py`  the code of one, as a learner would have written it
- `relations/`         what holds between a wrong result and the right one
- `python_error/`      explains the errors of Python and torch
- `reference_use.py`   which names of the reference an answer uses
- `task.py`            what a chapter says of an exercise
- `verdict.py`         what the checks said of an answer
- `verdict_record.py`  the verdict as data: what a check cell keeps of it
"""
