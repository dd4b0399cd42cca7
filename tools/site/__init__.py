"""Builds the public site from the learner's notebooks: `python -m tools.site`, `make site`.

| file           | idea                                                                     |
|----------------|--------------------------------------------------------------------------|
| `__main__.py`  | the command line; all pages, then their weight                           |
| `chapter.py`   | runs a notebook in one language, its figures sampled, and writes its page |
| `cells.py`     | which cells a page shows, and how                                        |
| `recorder.py`  | stands in for `explore` and `picture` while a notebook runs              |
| `grid.py`      | which settings of a slider figure are sampled                            |
| `strips.py`    | frames side by side in a few small files                                 |
| `figure.py`    | the HTML of a figure with its controls; `site/static/figures.js` drives it |
| `exercises.py` | hints and quiz questions as HTML                                         |
| `edition.py`   | one language: contents, Sphinx                                           |
| `mathml.py`    | formulas without a script or a network, a Sphinx extension               |
| `chinese.py`   | the search on Chinese pages, a Sphinx extension                           |
| `weight.py`    | what a page weighs with all it can load                                  |
| `words.py`     | every sentence of the site itself                                        |
"""
