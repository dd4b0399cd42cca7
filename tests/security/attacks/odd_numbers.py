"""Values that are not numbers, and a number of four thousand digits."""


def file(text: str) -> bytes:
    """Return what is handed in."""
    odd = f'"metadata": {{"a": NaN, "b": 1e999, "c": {"9" * 4000},'
    return text.replace('"metadata": {', odd, 1).replace(",}", "}").encode()
