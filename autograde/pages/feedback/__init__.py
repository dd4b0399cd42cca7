"""The feedback page: what nbgrader's generate_feedback makes of a graded notebook.

One HTML file that loads nothing and runs nothing. nbgrader gives points, penalties and comments;
the verdict that grading left in each check cell gives the reasons.

- `sections.py`   the notebook as sections: exercises, written answers, the cells between
- `findings.py`   what a check cell holds: each check, why it failed, the misconception
- `sanitised_outputs.py` a cell's outputs, made safe to show
- `late.py`       when the work came and was due, and what lateness cost
- `words.py`      the sentences of the page
- `page.py`       the page; its parts lie in `templates/`
"""
