"""Grades that cannot be forged: a submission becomes a graded notebook; a class of them.

- `record.py`          what the gradebook knows of a released notebook
- `limits.py`          how much of a submission is read, and for how long
- `files.py`           the files that were handed in
- `timestamp.py`       when that was, as a file says
- `cells.py`           the cells of a submitted notebook
- `rebuild.py`         makes of a submission a notebook of which that holds
- `session.py`         one submission's worker, and who takes over when it dies
- `remote_answer.py`   an answer that runs in a confined worker
- `demonstrations.py`  which of a chapter's cells the answers need, and which need no answer
- `options.py`         how a class is graded
- `notebook.py`        runs the cells, scores the answers, writes the outputs
- `pictures.py`        the second run: what a notebook shows on the feedback page
- `room.py`            how much all outputs may take
- `diagnosis.py`       what the outputs of a graded cell say was wrong
- `submission.py`      a submission becomes a graded notebook, in one function
- `process_limits.py`  memory and time of a process that grades
- `save.py`            the one writer: hands a graded notebook to nbgrader's own saving
- `pool.py`            the processes that grade here
- `submissions.py`     what there is to grade
- `journal.py`         what has been graded, for a run after a crash
- `regrade.py`         the seed that stands with a grade, and the points before
- `class_grading.py`   a class, one submission after the other
- `cluster.py`         the same on a Dask cluster
- `command.py`         `python -m autograde grade`
- `display.py`         what it shows meanwhile
"""
