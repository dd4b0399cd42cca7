"""A file without a byte."""


def file(text: str) -> bytes:
    """Return what is handed in."""
    return b""
