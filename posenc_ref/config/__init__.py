"""Reads a config.json as Hugging Face transformers writes it: `posenc_ref.from_config`.

- `remarks.py`        what is wrong or contradictory, in both languages
- `names.py`          the names that fields have and had
- `fields.py`         a config, what was remarked on it, what it does not say
- `families.py`       what no config says: conventions by model_type
- `table_families.py` the same of tables
- `parameters.py`     `rope_parameters`, `rope_scaling` and their older spellings as one
- `numbers.py`        the numbers of a scaling, and the length that it measures by
- `rotary.py`         one rotary encoding, and its frequencies
- `rotary_fields.py`  which type of layers has which
- `tables.py`         learned and sinusoidal tables
- `bias.py`           ALiBi, T5's buckets
- `stacks.py`         which layer has which of them, and its window
- `result.py`         what `from_config` answers
"""
