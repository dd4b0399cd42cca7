"""What other people's libraries answer, for tests/golden; `__main__.py` says how to run it."""
