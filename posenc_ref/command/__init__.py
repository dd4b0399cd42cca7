"""`python -m posenc_ref CONFIG.json`: what a config says of positions, in the reader's language.

The one room of posenc_ref that speaks Chinese too, so it imports `bilingual`; the package itself
imports torch alone, and nothing of it imports this; chapter 13 does.

- `arguments.py`  the command line
- `words.py`      the sentences
- `reasons.py`    those on why no setting will do
- `columns.py`    a table in a terminal, where a hanzi is two columns wide
- `facts.py`      wavelengths against the trained length, the cache
- `waves.py`      what they mean for new angles
- `stretch.py`    what to set for a text n times as long
- `layer_table.py` the layers as a table
- `explain.py`    one config, explained
"""
