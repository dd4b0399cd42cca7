"""Says that the notebook is of format 99."""


def file(text: str) -> bytes:
    """Return what is handed in."""
    return text.replace('"nbformat": 4', '"nbformat": 99').encode()
