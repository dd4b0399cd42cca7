"""Rulers of buckets and timelines of caches: what is written where."""

import numpy as np

from posenc_viz import Ruler, Timeline
from tests.posenc_viz.samples import TITLE, X, Y, drawn


def test_a_ruler_cuts_where_the_bucket_changes_and_writes_what_fits():
    panel = Ruler([0, 1, 1, 1, 1, 1, 1, 1, 0, 0], X, TITLE, first=10)
    assert panel.runs() == [[(0, 1, 0.0), (1, 8, 1.0), (8, 10, 0.0)]]
    _, cuts, *numbers = drawn(panel)
    assert sorted({x for x in cuts.get_xdata() if np.isfinite(x)}) == [9.5, 10.5, 17.5]
    assert [words.get_text() for words in numbers] == ["0", "1", "0"]
    assert numbers[1].get_position()[0] == 14.0  # the middle of 11 … 17
    narrow = drawn(Ruler(np.arange(200), X, TITLE))[2:]
    assert {words.get_text() for words in narrow} == {""}


def test_a_ruler_keeps_numbers_off_the_mark_and_cuts_thinner_than_places():
    def at(mark):
        artists = drawn(Ruler([0] * 10, X, TITLE, mark=mark))
        return artists[2].get_position()[0]

    assert at(None) == 4.5
    assert at(2) == (2 + 9.5) / 2  # the longer part, from the mark to the end
    assert at(7) == (-0.5 + 7) / 2
    wide, narrow = (drawn(Ruler(np.arange(n), X, TITLE))[1] for n in (4, 400))
    assert wide.get_linewidth() == 1.5
    places = narrow.axes.bbox.width / 400 * 72 / narrow.figure.dpi  # points
    assert narrow.get_linewidth() < places


def test_a_timeline_tells_blank_from_evicted_and_hides_what_is_to_come():
    nan = np.nan
    positions = [[0, nan, nan], [0, 1, nan], [nan, 0, 1]]  # a window of two, renumbered
    whole = Timeline(positions, "abc", X, Y, TITLE)
    assert whole.words() == [["0", "", ""], ["0", "1", ""], ["×", "0", "1"]]
    earlier = Timeline(positions, "abc", X, Y, TITLE, step=1)
    assert earlier.words() == [["0", "", ""], ["0", "1", ""], ["", "", ""]]
    assert earlier.frame() == whole.frame()
    artists = drawn(whole)
    assert artists[-1].get_y() == 1.5
    earlier.update(artists)
    assert artists[-1].get_y() == 0.5
    assert artists[7].get_text() == ""
