"""Chapters become notebooks: `python -m tools.build`, `python -m tools.build.editions`.

- `assemble.py`        a chapter's text → nbgrader's source notebook, each cell saying what it is
- `contents.py`        the chapters there are; lists, tables and links made from them
- `release.py`         a source notebook → what learners get, by nbgrader
- `execute.py`         one kernel fills all notebooks of a chapter
- `listener.py`        in that kernel: which cells used words
- `pool.py`            chapters side by side, with a progress bar
- `notebooks.py`       solutions/ and notebooks/, which are committed
- `editions.py`        the notebooks in one language, which are published
- `edition_header.py`  their first cells
- `hanzi.py`           joins the lines of Chinese prose
"""
