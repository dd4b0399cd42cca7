"""Says that the notebook is of format 2, whose conversion expects other cells."""


def file(text: str) -> bytes:
    """Return what is handed in."""
    return text.replace('"nbformat": 4', '"nbformat": 2').encode()
