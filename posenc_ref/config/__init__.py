"""Reads a config.json as Hugging Face transformers writes it: `posenc_ref.from_config`.

- `remarks.py`        what is wrong or contradictory, in both languages
- `names.py`          the names that fields have and had
- `fields.py`         a config, the remarks on it, what it leaves unsaid
- `families.py`       what no config says: conventions by model_type
- `table_families.py` the same for tables
- `parameters.py`     `rope_parameters`, `rope_scaling` and their older spellings as one
- `numbers.py`        the numbers of a scaling, and its trained length
- `rotary.py`         one rotary encoding, and its frequencies
- `rotary_fields.py`  the rotary encoding of each type of layers
- `tables.py`         learned and sinusoidal tables
- `bias.py`           ALiBi, T5's buckets
- `stacks.py`         the encoding and the window of each layer
- `result.py`         what `from_config` returns
"""
