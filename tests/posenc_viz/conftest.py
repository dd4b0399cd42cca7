"""Both languages, and settings of their own, for every test of the pictures."""

import pytest


@pytest.fixture(autouse=True)
def language(monkeypatch, tmp_path):
    """Let a test choose the language: `language("zh")`."""
    monkeypatch.setenv("POSENC_DATA_DIR", str(tmp_path))

    def choose(code):
        monkeypatch.setenv("POSENC_LANGUAGE", code)

    choose("both")
    return choose
