"""Builds the public site from the chapters: `python -m tools.site`, `make site`.

- `chapter.py`    runs a chapter once for both languages, its figures sampled, and writes its pages
- `cells.py`      the parts of each cell that a page shows
- `recorder.py`   stands in for `explore`, `picture` and `watch` while a notebook runs
- `grid.py`       which settings of a slider figure are sampled
- `drawing.py`    a figure as SVG: what stands still, each thing that moves
- `pen.py`        the matplotlib renderer that writes the SVG
- `lettering.py`  the half of the pen that writes text
- `ink.py`        colours and lines, with the theme's black and white
- `elements.py`   paths and pictures as SVG
- `cell_image.py` heat maps in the SVG, a letter for each cell
- `frames.py`     all pictures of a figure in one small file
- `figure.py`     the HTML of a figure with its controls; `static/figures.js` plays it
- `exercises.py`  hints and quiz questions as HTML
- `edition.py`    one language: contents, Sphinx
- `conf.py`       Sphinx's settings; the theme is in `static/` and `templates/`
- `mathml.py`     formulas without a script or a network, a Sphinx extension
- `chinese.py`    the search on Chinese pages, a Sphinx extension, with `search.js`
- `weight.py`     the bytes of a page with all it can load
- `words.py`      every sentence of the site itself
"""
