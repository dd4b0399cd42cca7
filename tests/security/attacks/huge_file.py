"""A notebook of more than fifty million characters."""


def file(text: str) -> bytes:
    """Return what is handed in."""
    return text.replace('"source": "', '"source": "' + "x" * (51 << 20), 1).encode()
