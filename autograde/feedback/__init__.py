"""The feedback page: what nbgrader's generate_feedback makes of a graded notebook.

One HTML file that loads nothing and runs nothing. nbgrader gives points, penalties and comments;
the verdict that the judge left in each check cell gives the reasons.

- `exporter.py`   the exporter that nbgrader_config.py names, with its settings
- `sections.py`   the notebook as sections: exercises, written answers, the cells between
- `findings.py`   what a check cell says: each check, why it failed, the misconception
- `shown.py`      what of a cell's outputs is shown
- `markup.py`     Markdown and HTML of a stranger, as HTML that is safe to show
- `formulas.py`   TeX as MathML
- `formgrader.py` the same safety for formgrader's view of an answer
- `words.py`      the sentences of the page
- `page.py`       the page; its parts lie in `templates/`
"""
