"""Builds docs/gallery.md: `python -m tools.gallery`.

- `page.py`       the page and its pictures
- `words.py`      what it says of each figure
- `attention.py`  figures of attention
- `encodings.py`  figures of encodings
"""
