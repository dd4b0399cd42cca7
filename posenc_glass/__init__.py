"""Trained models that a reader takes apart: the same task in eight encodings, in 16 bits.

    model = glass("induction", "rope")        a TinyLM with its trained weights, in milliseconds

- `encodings.py`: the eight encodings by name
- `tasks.py`: copy, induction, lookup, count, sort: rows drawn from a generator
- `text.py`: the bilingual text, whose bytes are the tokens
- `models.py`: an untrained model, a trained one, and how it was trained
- `measures.py`: where heads look, the loss at each target, which needles are found
- `faults.py`: chapter 12's faults, planted in a trained model
- `faulty_encodings.py`: the encodings of that clinic's patients

`weights/` is written by experiments/glass.py: safetensors, which hold numbers and no code, and
recipes.json, with the recipe and the losses of each file. `subjects()` lists the subjects whose
weights are shipped; the same command trains the others.
"""

from posenc_glass.encodings import ENCODINGS
from posenc_glass.models import glass, recipe, subjects, untrained
from posenc_glass.tasks import NOTHING, TASKS, Rows, copy_back, count, induction, lookup, sort
from posenc_glass.text import text_part, windows

__all__ = [
    "ENCODINGS",
    "NOTHING",
    "TASKS",
    "Rows",
    "copy_back",
    "count",
    "glass",
    "induction",
    "lookup",
    "recipe",
    "sort",
    "subjects",
    "text_part",
    "untrained",
    "windows",
]
