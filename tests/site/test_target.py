"""`--to FOLDER` replaces a site built earlier, and nothing else."""

from pathlib import Path

import pytest

from bilingual.setting import ONE_LANGUAGE
from tools.site import __main__ as site


@pytest.fixture
def write(monkeypatch):
    """Write a site without chapters; in place of Sphinx, each language is one file."""

    def make(_, jobs):
        for _, source, html, *_ in jobs.values():
            html.mkdir(parents=True)
            (html / source.name).touch()

    monkeypatch.setattr(site, "run_all", make)
    monkeypatch.setattr(site.contents, "chapters", list)
    for name in ("write_museum", "write_contents"):
        monkeypatch.setattr(site, name, lambda *_: None)
    return lambda target: site.write_site([], target, Path())


def files(folder):
    return {path.name for path in folder.rglob("*") if path.is_file()}


def test_a_site_replaces_an_empty_folder_or_an_earlier_site(tmp_path, write):
    write(tmp_path)
    (tmp_path / "en" / "old.html").touch()
    write(tmp_path)
    assert files(tmp_path) == {".nojekyll", "index.html", *ONE_LANGUAGE}


def test_any_other_folder_is_refused_before_anything_is_built(tmp_path, write, monkeypatch, capsys):
    (tmp_path / "index.html").touch()
    with pytest.raises(FileExistsError, match="must be empty or an earlier site"):
        write(tmp_path)
    monkeypatch.setattr(site, "build", lambda *_: pytest.fail("built"))
    monkeypatch.setattr("sys.argv", ["site", "--to", str(tmp_path)])
    with pytest.raises(SystemExit, match="2"):
        site.main()
    assert f"{tmp_path} must be empty" in capsys.readouterr().err
    assert files(tmp_path) == {"index.html"}
