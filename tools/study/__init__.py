"""The learner's own copy of the course: open it, renew it after an update, lose nothing in it.

    python -m tools.study          makes or renews `study/`
    python -m tools.study.lab      renews it and opens JupyterLab on it (`make lab`)

- `lab.py`: JupyterLab on `study/`, or on the whole repository for a teacher
- `folder.py`: the study folder, file by file: new, untouched, renewed or rescued
- `start_page.py`: the table of contents, with what is next
- `merge.py`: the three-way merge of one notebook
- `matching.py`: which of a learner's cells are the course's
- `cells.py`: what a cell of the course is: its key, its content, whose it is
- `reading.py`: a notebook from bytes that a learner, an editor or a crash has left
- `files.py`: the files of a study folder, and the earlier copies of them
- `trust.py`: Jupyter's trust in a notebook
- `texts.py`: what the learner reads

`jupyter/` holds JupyterLab's settings: for every door, for learners (`learner/`), and for learners
who install the wheel of `make dist` (`installed/`).
"""
