"""Builds docs/gallery.md: `python -m tools.gallery`.

- `page.py`       the page and its pictures
- `words.py`      the title and description of each figure
- `attention.py`  figures of attention
- `encodings.py`  figures of encodings
"""
