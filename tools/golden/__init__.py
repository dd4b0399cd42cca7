"""The answers of other people's libraries, for tests/golden; see `__main__.py` to run it."""
