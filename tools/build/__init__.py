"""Chapters become notebooks: `python -m tools.build`, `python -m tools.build.editions`.

- `chapter_text.py`    a chapter's text, and what its cells may carry
- `sections.py`        the sections of that text, and the ways they are on
- `minutes.py`         how long a reader needs for a section
- `marks.py`           the lines below headings: ways, minutes, where to go on
- `roles.py`           what a cell of the text becomes
- `assemble.py`        that text → nbgrader's source notebook, each cell with its role
- `contents.py`        all chapters; the list and the links made from them
- `tables.py`          the tables of ways and chapters
- `release.py`         a source notebook → what learners get, by nbgrader
- `execute.py`         one kernel fills all notebooks of a chapter
- `kernel.py`          that kernel
- `listener.py`        in that kernel: which cells rendered a `Text`
- `pool.py`            chapters side by side, with a progress bar
- `unseen.py`          outputs that the reader is to predict first
- `notebooks.py`       solutions/ and notebooks/, which are committed
- `editions.py`        the notebooks in one language, which are published
- `edition_header.py`  their first cells
"""
