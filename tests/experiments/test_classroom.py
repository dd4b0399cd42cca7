"""What `python -m experiments.classroom` refuses, before it measures anything."""

import pytest

from experiments import classroom


def test_a_course_that_was_kept_is_not_written_into(tmp_path, monkeypatch, capsys):
    (tmp_path / "200").mkdir()
    monkeypatch.setattr(classroom, "measure", lambda *_: {})
    monkeypatch.setattr(classroom, "adopt_orphans", lambda: None)
    monkeypatch.setattr("sys.argv", ["classroom", "--keep", str(tmp_path)])
    with pytest.raises(SystemExit, match="2"):
        classroom.main()
    assert f"must not hold an earlier course, got {tmp_path / '200'}" in capsys.readouterr().err
    assert not (tmp_path / "12").exists()
