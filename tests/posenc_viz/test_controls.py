"""What a reader can set: the short forms, the ends, and the way to the widget and back."""

from math import log10

import ipywidgets as widgets
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc_viz import Bars, Choice, Explorer, Range, Switch
from posenc_viz.shorthand import control

FORMS = [
    ((0, 50), widgets.IntSlider, 0, (0, 50)),
    ((0, 50, 5, 20), widgets.IntSlider, 20, (0, 50)),
    ((0.0, 1.0), widgets.FloatSlider, 0.0, (0.0, 1.0)),
    ((0, 1, 0.25), widgets.FloatSlider, 0, (0, 1)),
    (Range(10, 1e5, log=True, value=1e4), widgets.FloatLogSlider, 1e4, (10, 1e5)),
    (["sin", "cos"], widgets.ToggleButtons, "sin", ("sin", "cos")),
    ([(0, 1, 2), (2, 1, 0)], widgets.ToggleButtons, (0, 1, 2), ((0, 1, 2), (2, 1, 0))),
    ({"half": 1, "interleaved": 2}, widgets.ToggleButtons, 1, (1, 2)),
    ([f"a rather long option {k}" for k in range(5)], widgets.Dropdown, None, None),
    (Choice([1, 2, 3], value=3), widgets.ToggleButtons, 3, (1, 2, 3)),
    (True, widgets.Checkbox, True, (False, True)),
    (Switch(), widgets.Checkbox, False, (False, True)),
]


def test_each_form_makes_its_control_and_every_end_goes_to_the_widget_and_back(subtests):
    for form, kind, start, ends in FORMS:
        with subtests.test(form=form):
            control_of_form = control(form)
            widget = control_of_form.widget()
            assert type(widget) is kind
            assert start in (None, control_of_form.start)
            assert ends in (None, control_of_form.ends)
            assert control_of_form.read(widget.value) == pytest.approx(control_of_form.start)
            for end in control_of_form.ends:
                widget.value = control_of_form.raw(end)
                assert control_of_form.read(widget.value) == end


@given(st.floats(1e-6, 1e6), st.floats(1.01, 1e6))
def test_a_logarithmic_slider_ends_where_it_says(lo, ratio):
    control = Range(lo, lo * ratio, log=True)
    for end in control.ends:
        assert control.lo <= control.read(10 ** log10(end)) <= control.hi


def test_one_step_of_the_widget_goes_to_the_second_stop(subtests):
    for slider in [
        Range(0, 50),
        Range(0, 50, 5),
        Range(0.0, 1.0),
        Range(0.0, 1.0, 0.25),
        Range(10, 1e5, log=True),
        Range(10, 1e5, 0.5, log=True),
    ]:
        with subtests.test(slider=slider):
            step = slider.widget().step
            second = slider.lo * 10**step if slider.log else slider.lo + step
            assert slider.stops[:2] == pytest.approx((slider.lo, second))
            assert slider.stops[-1] == slider.hi


def test_whole_numbers_of_numpy_make_a_slider_over_whole_numbers():
    assert type(Range(np.int64(0), np.int64(5)).widget()) is widgets.IntSlider


def test_a_value_that_makes_no_control_is_refused(subtests):
    for form in [3, "ab", (1,), (1, 2, 3, 4, 5), None]:
        with subtests.test(form=form), pytest.raises(TypeError, match="no control for"):
            control(form)


def test_a_control_that_cannot_be_set_is_refused(subtests):
    for form in [
        *((5, 0), (0, 5, 1, 9), (0, 5, 0), (0.0, 1.0, -0.1), Ellipsis),
        [],
        [[1, 2], [3]],
        {"a": {}},
    ]:
        with subtests.test(form=form), pytest.raises((ValueError, TypeError)):
            control(form)


def test_a_start_outside_the_range_or_the_options_is_refused():
    with pytest.raises(ValueError, match="not between"):
        Range(0, 5, value=6)
    with pytest.raises(ValueError, match="lo > 0"):
        Range(0, 5, log=True)
    with pytest.raises(ValueError, match="not one of"):
        Choice([1, 2], value=3)


def test_a_control_starts_at_the_default_of_its_argument():
    def show(k=3, method="b", wide=2.0, closer=True):
        return Bars([k, wide], "ab", "x", "y", f"{method} {closer}")

    wide = Range(1.0, 10.0, log=True)
    explorer = Explorer(show, k=(1, 5), method=["a", "b"], wide=wide, closer=True)
    assert explorer.start == {"k": 3, "method": "b", "wide": 2.0, "closer": True}
    assert Explorer(show, k=(1, 5, 1, 4)).start == {"k": 4}  # the control says so itself
    with pytest.raises(ValueError, match="start 3 is not between"):
        Explorer(show, k=(5, 9))
