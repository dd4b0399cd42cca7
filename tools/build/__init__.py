"""Chapters become notebooks: `python -m tools.build`, `python -m tools.build.editions`.

- `chapter_text.py`    a chapter's text, and what its cells may carry
- `sections.py`        the sections of that text, and which way has them
- `minutes.py`         how long a reader needs for one
- `marks.py`           says in a chapter what its marks mean
- `roles.py`           what a cell of the text becomes
- `assemble.py`        that text → nbgrader's source notebook, each cell saying what it is
- `contents.py`        the chapters there are; the list and the links made from them
- `tables.py`          the tables of ways and chapters
- `release.py`         a source notebook → what learners get, by nbgrader
- `execute.py`         one kernel fills all notebooks of a chapter
- `kernel.py`          that kernel
- `listener.py`        in that kernel: which cells used words
- `pool.py`            chapters side by side, with a progress bar
- `unseen.py`          outputs that the reader is to predict first
- `notebooks.py`       solutions/ and notebooks/, which are committed
- `editions.py`        the notebooks in one language, which are published
- `edition_header.py`  their first cells
- `hanzi.py`           joins the lines of Chinese prose
"""
