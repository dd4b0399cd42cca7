"""Builds the public site from the chapters: `python -m tools.site`, `make site`.

- `chapter.py`    runs a chapter once for both languages, its figures sampled, and writes its pages
- `cells.py`      what a page shows of each cell
- `recorder.py`   stands in for `explore` and `picture` while a notebook runs
- `grid.py`       which settings of a slider figure are sampled
- `strips.py`     frames side by side in a few small files
- `figure.py`     the HTML of a figure with its controls; `static/figures.js` drives it
- `exercises.py`  hints and quiz questions as HTML
- `edition.py`    one language: contents, Sphinx
- `conf.py`       Sphinx's settings; the theme is in `static/` and `templates/`
- `mathml.py`     formulas without a script or a network, a Sphinx extension
- `chinese.py`    the search on Chinese pages, a Sphinx extension, with `search.js`
- `weight.py`     what a page weighs with all it can load
- `words.py`      every sentence of the site itself
"""
