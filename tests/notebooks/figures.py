"""Every slider figure of a notebook works at both ends of every control, and its picture moves.

An exception in a slider's callback passes nbclient and nbval unseen: here it does not. Two cells
around the notebook ask for this in its own kernel, so that its code runs once.
"""

import random

import pytest
from matplotlib.layout_engine import ConstrainedLayoutEngine

import posenc_viz
from bilingual import Text
from posenc_viz import Explorer, board
from posenc_viz.explorer import listed
from posenc_viz.scene import frame_of
from posenc_viz.stage import WIDTH

RANDOM_SETTINGS = 2


def remembered():
    """Return the list of all that the notebook will put behind sliders."""
    figures = []

    class Remembered(Explorer):
        def __init__(self, show, **controls):
            super().__init__(show, **controls)
            figures.append(self)

    board.Explorer = Remembered
    return figures


def move(figures, minimum):
    """Move every control of these figures; AssertionError names the figure that is at fault."""
    assert len(figures) >= minimum, "too few figures with sliders"
    for explorer in figures:
        before, figure, start = explorer.png, explorer.show.__name__, explorer.start
        controls = explorer.controls.items()
        steps = [start | {name: next_to_start(control)} for name, control in controls]
        pngs = drawn(explorer, [start, *steps], [*explorer.ends(), *any_settings(explorer)])
        assert pngs[key(start)] == before, f"{figure}: a later cell changes what the figure reads"
        for name, setting in zip(explorer.controls, steps, strict=True):
            still = pngs[key(setting)] == before
            assert not still, f"{figure}: {name}: one step of the control moves nothing"


def key(setting):
    return tuple(setting.items())


def drawn(explorer, compared, others):
    """Return the picture of each setting by its key.

    To lay a figure out takes longest: the page's own layout serves again, and what is not compared
    with another picture is drawn without any.
    """
    different = {key(setting): setting for setting in (*compared, *others)}
    with pytest.MonkeyPatch.context() as wordless:  # the site computes panels for both languages
        wordless.delattr(Text, "in_language")
        panels = {name: listed(explorer.show(**each)) for name, each in different.items()}
    layouts, pngs, stage = {}, {}, explorer._stage
    for name, each in panels.items():
        layouts.setdefault(frame_of(each, WIDTH), []).append(name)
    with pytest.MonkeyPatch.context() as patch:
        for names in layouts.values():
            if names[0] not in map(key, compared):
                patch.setattr(ConstrainedLayoutEngine, "execute", lambda *_: None)
            pngs |= {name: stage.render(panels[name]) for name in names}
    return pngs


def next_to_start(control):
    """Return the setting one step above the start of a control, or below where it is at its end."""
    if not isinstance(control, posenc_viz.Range):
        return next(end for end in control.ends if end != control.start)
    slider = control.widget()
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
