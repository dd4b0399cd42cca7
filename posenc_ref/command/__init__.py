"""`python -m posenc_ref CONFIG.json`: what a config says of positions, in the reader's language.

The one room of posenc_ref that speaks Chinese too, so it imports `bilingual`; the package itself
imports torch alone, and nothing of it imports this.

- `arguments.py`  the command line
- `words.py`      the sentences
- `columns.py`    a table in a terminal, where a hanzi is two columns wide
- `facts.py`      wavelengths against the trained length, the cache
- `stretch.py`    what to set for a text n times as long
- `layer_table.py` the layers as a table
- `explain.py`    one config, explained
"""
