"""Builds a deck of slides of each chapter: `python -m tools.slides`, `make slides`.

- `points.py`   the parts of a cell's prose that its slide shows
- `deck.py`     the marked cells of a chapter's page as slides, with their notes
- `chapter.py`  the decks of a chapter, from its pages on the site
- `export.py`   slides as a page of reveal.js, by nbconvert; `template/` and `static/` are its looks
- `words.py`    every sentence of the decks themselves
"""
