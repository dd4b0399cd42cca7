"""What an encoding by name cannot do without, in small; one that needs nothing is not here."""

import re

from posenc_ref import GridEncoding, RotaryEncoding
from posenc_ref.encoding_names import ENCODINGS, encoding_by_name

DIM, HEADS = 24, 3
VALUES = {  # of options without a default, by their names
    "factor": 2.0,
    "trained_length": 64,
    "share": 0.5,
    "short": [1.0] * 4,
    "long": [2.0] * 4,
}


def required(name: str) -> dict[str, object]:
    """Return the options that an encoding asks for: a TypeError of Python's names those missing."""
    options: dict[str, object] = {}
    while True:
        try:
            encoding_by_name(name, DIM, HEADS, **options)
        except TypeError as error:
            _, missing, names = str(error).partition(" missing ")
            if not missing:
                raise
            needed = set(re.findall(r"'(\w+)'", names))
            assert needed <= VALUES.keys(), f"give {needed - VALUES.keys()} of {name} a small value"
            options |= {option: VALUES[option] for option in needed}
        else:
            return options


NEEDED = {name: required(name) for name in ENCODINGS}
KINDS = {name: type(encoding_by_name(name, DIM, HEADS, **NEEDED[name])) for name in ENCODINGS}
GRIDS = tuple(name for name, kind in KINDS.items() if kind is GridEncoding)
# other numbers in the code of "rope" or, with an attention factor, of "yarn"
RESCALED = {name for name, kind in KINDS.items() if kind is RotaryEncoding} - {"rope", "yarn"}
OPTIONS = {
    **{name: options for name, options in NEEDED.items() if options},
    "xlnet": {"segment_length": 3},
    **{grid: {"width": 3} for grid in GRIDS},
}
