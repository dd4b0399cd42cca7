"""An explorer without a browser: settings in, picture out."""

import pytest

from bilingual import Text
from posenc_viz import Bars, Explorer
from tests.posenc_viz.samples import curves, heat_map, numbers

LABEL = Text(en="offset", zh="偏移")


def show(seed, twice=False):
    return (heat_map(seed), curves(seed)) if twice else heat_map(seed)


@pytest.fixture
def explorer():
    return Explorer(show, labels={"seed": LABEL}, seed=(0, 7), twice=False)


def test_another_setting_is_another_picture_and_the_same_is_the_same(explorer):
    first = explorer.png
    explorer.set(seed=3)
    third = explorer.png
    explorer.set(seed=0)
    assert explorer.png == first != third
    assert explorer.values == {"seed": 0, "twice": False}


def test_the_panels_are_there_as_data(explorer):
    explorer.set(seed=2)
    (panel,) = explorer.panels
    assert panel.highlight_rows == [2]
    explorer.set(twice=True)
    assert len(explorer.panels) == 2


def test_both_ends_of_every_control_are_drawn(explorer):
    ends = list(explorer.ends())
    assert {"seed": 7, "twice": False} in ends
    assert {"seed": 0, "twice": True} in ends
    assert {"seed": 7, "twice": True} in ends
    assert len({explorer.set(**end) or explorer.png for end in ends}) == 4


def test_the_next_picture_speaks_the_new_language(explorer, language):
    both, label = explorer.png, explorer.label("seed")
    language("zh")
    explorer.set()
    assert explorer.png != both
    assert (label, explorer.label("seed"), explorer.label("twice")) == (
        "偏移 · offset",
        "偏移",
        "twice",
    )


def test_an_error_of_show_is_raised_and_the_picture_stays():
    def fragile(k):
        return Bars(numbers(k, 2), "ab", "x", "y", f"{1 / (k - 2)}")

    explorer = Explorer(fragile, k=(0, 4))
    before = explorer.png
    with pytest.raises(ZeroDivisionError):
        explorer.set(k=2)
    assert explorer.png == before
    explorer.set(k=3)
    assert explorer.png != before
    with pytest.raises(ZeroDivisionError):
        Explorer(fragile, k=(2, 4))


@pytest.mark.parametrize("value", [None, 3, [1, 2], "panel"])
def test_show_must_return_panels(value):
    with pytest.raises(TypeError, match="must return a panel"):
        Explorer(lambda k: value, k=(0, 1))


def test_unknown_names_are_refused(explorer):
    with pytest.raises(ValueError, match="no control named"):
        explorer.set(speed=1)
    with pytest.raises(ValueError, match="labels for no control"):
        Explorer(show, labels={"sed": LABEL}, seed=(0, 1))
