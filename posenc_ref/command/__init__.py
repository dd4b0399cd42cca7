"""`python -m posenc_ref CONFIG.json`: what a config says of positions, in the reader's language.

Only this part of posenc_ref also prints Chinese, so it imports `bilingual`. The package itself
imports only torch, and never this command; chapter 13 imports it.

- `arguments.py`  the command line
- `words.py`      the sentences
- `reasons.py`    the sentences on why no setting helps
- `columns.py`    a table in a terminal, where a hanzi is two columns wide
- `facts.py`      wavelengths against the trained length, the cache
- `waves.py`      what wavelengths mean for new angles
- `stretch.py`    what to set for a text n times as long
- `layer_table.py` the layers as a table
- `explain.py`    one config, explained
"""
