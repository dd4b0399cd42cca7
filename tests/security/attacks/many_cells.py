"""A notebook of twenty thousand cells."""

import json


def file(text: str) -> bytes:
    """Return what is handed in."""
    cell = {"cell_type": "code", "source": "", "metadata": {}, "outputs": [], "execution_count": 1}
    notebook = {"cells": [cell] * 20_000, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    return json.dumps(notebook).encode()
