"""Writes each source as a list of lists."""

import json


def file(text: str) -> bytes:
    """Return the file that is handed in."""
    book = json.loads(text)
    for cell in book["cells"]:
        cell["source"] = [[cell["source"]]]
    return json.dumps(book).encode()
