"""Every slider figure of every chapter works at both ends of every control, and its picture moves.

An exception in a slider's callback passes nbclient and nbval unseen: here it does not. To lay a
figure out takes longest, so that pictures of one layout are drawn one after the other.
"""

import contextlib
import io
import random

import pytest

import posenc_viz
from bilingual import Text
from posenc_viz.explorer import listed
from posenc_viz.scene import frame_of
from posenc_viz.stage import WIDTH, Stage
from tests.all_chapters import CHAPTERS, cells_of

RANDOM_SETTINGS = 2
MINIMUM = {"00_start": 1, "01_permutation": 1, "02_sinusoidal": 3}  # slider figures


def explorers(chapter, monkeypatch, tmp_path):
    """Run the code of a chapter in this process; return what it would have put behind sliders."""
    figures = []

    def explore(show, *, live=True, **controls):
        figures.append(posenc_viz.Explorer(show, **controls))

    monkeypatch.setattr(posenc_viz, "explore", explore)
    monkeypatch.setenv("POSENC_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("POSENC_LANGUAGE", "both")
    code = [cell.source for cell in cells_of(chapter.name) if cell.cell_type == "code"]
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile("\n".join(code), chapter.path.name, "exec"), {"__name__": "__main__"})
    return figures


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_sliders(chapter, monkeypatch, tmp_path):
    figures = explorers(chapter, monkeypatch, tmp_path)
    assert len(figures) >= MINIMUM.get(chapter.name, 2)
    for explorer in figures:
        before, figure = explorer.png, f"{chapter.name}: {explorer.show.__name__}"
        explorer.set()
        assert explorer.png == before, f"{figure}: a later cell changes what the figure reads"
        with monkeypatch.context() as wordless:  # the site computes panels once for both languages
            wordless.delattr(Text, "in_language")
            explorer.show(**explorer.start)
        controls = explorer.controls.items()
        steps = [explorer.start | {name: next_to_start(control)} for name, control in controls]
        pngs = drawn(explorer.show, [*steps, *explorer.ends(), *any_settings(explorer)])
        for name, setting in zip(explorer.controls, steps, strict=True):
            still = pngs[key(setting)] == before
            assert not still, f"{figure}: {name}: one step of the control moves nothing"


def key(setting):
    return tuple(setting.items())


def drawn(show, settings):
    """Return the picture of each setting by its key."""
    panels = {key(setting): listed(show(**setting)) for setting in settings}
    layouts, stage = {}, Stage()
    for name, each in panels.items():
        layouts.setdefault(frame_of(each, WIDTH), []).append(name)
    return {name: stage.render(panels[name]) for names in layouts.values() for name in names}


def next_to_start(control):
    """Return the setting one step above the start of a control, or below where it is at its end."""
    if not isinstance(control, posenc_viz.Range):
        return next(end for end in control.ends if end != control.start)
    slider = control.widget(live=True)
    step = slider.step if control.start < control.hi else -slider.step
    return control.read(control.start * 10**step if control.log else control.start + step)


def any_settings(explorer):
    """Yield settings between the ends, the same in every run."""
    choose = random.Random(0)
    for _ in range(RANDOM_SETTINGS):
        yield {name: any_value(control, choose) for name, control in explorer.controls.items()}


def any_value(control, choose):
    if not isinstance(control, posenc_viz.Range):
        return choose.choice(control.ends)
    lo, hi = control.ends
    if isinstance(lo, int):
        return choose.randrange(lo, hi + 1, control.step or 1)
    return choose.uniform(lo, hi)
