"""Metadata nested as deep as the parser allows, deeper than a copy of it may be."""


def file(text: str) -> bytes:
    """Return what is handed in."""
    nested = '{"a": ' * 900 + "1" + "}" * 900
    return text.replace('"metadata": {', f'"metadata": {{"deep": {nested},', 1).encode()
