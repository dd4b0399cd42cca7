"""Bytes that are not JSON."""


def file(text: str) -> bytes:
    """Return what is handed in."""
    return bytes(range(256)) * 100
