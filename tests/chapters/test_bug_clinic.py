"""The charts of the bug clinic accept the tests that catch each case when they are run."""

import contextlib
import inspect
import io

import posenc_viz
from autograde.catalogue import chapter_exercises
from tools.assemble import read_chapter
from tools.contents import ROOT

CHAPTER = "12_bug_clinic"


def caught(monkeypatch, tmp_path):
    """Run the chapter; return {case: the kinds of test that catch it}."""
    monkeypatch.setattr(posenc_viz, "explore", lambda *args, **settings: None)
    monkeypatch.setenv("POSENC_DATA_DIR", str(tmp_path))
    cells = read_chapter(ROOT / "chapters" / f"{CHAPTER}.py")
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    names = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, CHAPTER, "exec"), names)
    return {
        case: {name for name, content in row.items() if content is False}
        for case, row in names["found"].items()
    }


def test_each_chart_accepts_the_tests_that_catch_its_cases(monkeypatch, tmp_path):
    accepted = {}
    for exercise in chapter_exercises(CHAPTER):
        for check in exercise.checks:
            if exercise.id.startswith("clinic_chart_") and check.name.startswith("test_"):
                known = inspect.getclosurevars(check.run).nonlocals
                accepted[known["number"]] = known["catching"]
    assert len(accepted) == 21
    assert accepted == caught(monkeypatch, tmp_path)
