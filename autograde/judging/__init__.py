"""The judge: grades that cannot be forged, for a whole class.

- `record.py`           what the gradebook knows of a released notebook
- `rebuild.py`          makes of a submission a notebook of which that holds
- `session.py`          one submission's worker, and who takes over when it dies
- `options.py`          how a class is judged
- `notebook.py`         runs the cells, judges the answers, writes the outputs
- `files.py`            what lies beside a notebook
- `nbgrader_steps.py`   the three parts of nbgrader's autograde that are replaced
- `ahead.py`            begins to judge before nbgrader comes to a submission
- `pool.py`             the processes that judge here
- `handed_in.py`        what there is to grade
- `journal.py`          what has been graded, for a run after a crash
- `regrade.py`          the seed that stands with a grade, and the points before
- `grade.py`            a class, one submission after the other
- `cluster.py`          the same on a Dask cluster
- `command.py`          `python -m autograde grade`
- `shown.py`            what it shows meanwhile
- `doctor.py`           `python -m autograde doctor`
"""
