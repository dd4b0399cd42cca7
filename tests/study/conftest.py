"""The study folder of a learner, with no trace in the data of whoever runs the tests."""

import pytest


@pytest.fixture(autouse=True)
def jupyter_data(tmp_path, monkeypatch):
    """Jupyter's record of trusted notebooks lies in the test's own folder."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    return tmp_path / "jupyter"
