"""Half a character, which JSON can write and no file can hold, in names and sources."""


def file(text: str) -> bytes:
    """Return what is handed in."""
    return text.replace('"source": "', '"source": "# \\ud800\\u0000 ', 3).encode()
