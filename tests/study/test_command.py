"""`python -m tools.study`: its exit status and what it says."""

import pytest

from tests.study.course import lesson, save
from tools.study.__main__ import main


@pytest.fixture
def folders(tmp_path):
    save(tmp_path / "notebooks/02_rotate/02_rotate.ipynb", lesson())
    return ["--course", str(tmp_path / "notebooks"), "--study", str(tmp_path / "study")]


@pytest.mark.parametrize(
    ("language", "message"), [("en", "new"), ("zh", "新增"), ("both", "新增 · new")]
)
def test_one_line_for_each_notebook_in_the_readers_language(
    folders, capsys, monkeypatch, language, message
):
    monkeypatch.setenv("POSENC_LANGUAGE", language)
    assert main(folders) == 0
    assert capsys.readouterr().out == f"02_rotate/02_rotate.ipynb: {message}\n"


def test_a_failure_is_the_exit_status(folders, tmp_path):
    (tmp_path / "notebooks/02_rotate/02_rotate.ipynb").write_text("{", encoding="utf-8")
    assert main(folders) == 1


def test_a_missing_course_is_an_error(folders, tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["--course", str(tmp_path / "nowhere")])
    assert "nowhere" in capsys.readouterr().err
