"""Arrows in a plane: where they end, and the angle between two."""

import numpy as np
import pytest

from posenc_viz import Arrow, Plane
from tests.posenc_viz.samples import TITLE, X, Y, drawn, plane


def test_the_angle_between_two_arrows_is_signed_and_goes_the_shorter_way():
    def between(first, second):
        arrows = [Arrow((np.cos(a), np.sin(a))) for a in (first, second)]
        return Plane(arrows, 1, X, Y, TITLE, between=(0, 1)).angle()

    assert between(0.4, 1.5) == pytest.approx(1.1)
    assert between(1.5, 0.4) == pytest.approx(-1.1)
    assert between(-3.0, 3.0) == pytest.approx(6 - 2 * np.pi)


def test_a_moved_arrow_ends_where_it_points_and_one_of_no_length_is_drawn():
    artists = drawn(plane(1))
    moved = Plane([Arrow((0, 0), X), Arrow((2, 1), "k"), Arrow((1, 1), Y)], 2, X, Y, TITLE)
    moved.update(artists[1:])
    shaft = artists[2].get_path().vertices  # in the axes' numbers
    assert np.hypot(*(shaft - (2, 1)).T).min() < 0.1  # the head's outline ends at the tip
    assert np.isfinite(artists[1].get_path().vertices).all()
