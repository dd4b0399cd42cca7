"""Builds docs/museum.md and the museum's page of the site: `python -m tools.museum`.

- `rows.py`     an architecture of transformers and its encodings, by from_config
- `left.py`     what from_config does not read in upstream's models, each with its reason
- `words.py`    what the page says
- `picture.py`  base and trained length by year, encodings counted
- `page.py`     the page in Markdown, for docs, and in HTML that sorts, for the site
"""
