"""A slow `show` is drawn on release, with a sign; time here is told, not measured."""

import pytest

from posenc_viz import Explorer, Try
from posenc_viz.board import Board
from posenc_viz.pace import LIMIT, Pace
from tests.posenc_viz.samples import heat_map

SLOW, FAST = 2 * LIMIT, LIMIT / 2


class Timed(Explorer):
    """An explorer whose `show` takes what `costs` says."""

    costs = FAST

    def set(self, **values):
        super().set(**values)
        self.seconds = self.costs


@pytest.fixture
def board():
    return Board(Timed(heat_map, seed=(0, 7), tries=[Try(en="last", zh="最后", seed=7)]))


def test_two_slow_calls_are_slow(subtests):
    for seconds, slow in [
        ([], False),
        ([SLOW], True),
        ([SLOW, FAST], False),  # a first call is often slow: one is forgiven
        ([FAST, SLOW], False),
        ([FAST, SLOW, SLOW], True),
        ([SLOW, SLOW, FAST], False),
        ([LIMIT, LIMIT], False),
    ]:
        with subtests.test(seconds=seconds, slow=slow):
            pace = Pace()
            for each in seconds:
                pace.note(each)
            assert pace.slow is slow


def test_a_slow_show_is_drawn_on_release_until_it_is_fast_again(board):
    slider = board.widgets["seed"]
    assert slider.continuous_update
    board.explorer.costs = SLOW
    slider.value = 1
    assert slider.continuous_update
    slider.value = 2
    assert not slider.continuous_update
    assert 'role="status"' in board.notice.value
    assert "松手后才更新" in board.notice.value
    board.explorer.costs = FAST
    slider.value = 3
    assert slider.continuous_update
    assert board.notice.value == ""


def test_a_busy_sign_stands_while_a_slow_show_runs(board):
    notices = []
    board.notice.observe(lambda change: notices.append(change["new"]), names="value")
    board.explorer.costs = SLOW
    board.widgets["seed"].value = 1
    assert not notices
    board.widgets["seed"].value = 2
    board.widgets["seed"].value = 3
    slow, busy, again = notices
    assert "正在计算" in busy
    assert "Computing" in busy
    assert slow == again != busy


def test_a_slow_show_from_the_start_is_drawn_on_release_at_once():
    class Slow(Timed):
        costs = SLOW

    assert not Board(Slow(heat_map, seed=(0, 7))).widgets["seed"].continuous_update


def test_show_is_timed_even_when_it_raises():
    def fragile(k):
        return heat_map(k) if k else None

    explorer = Explorer(fragile, k=(0, 4, 1, 2))
    del explorer.seconds
    with pytest.raises(TypeError):
        explorer.set(k=0)
    assert explorer.seconds >= 0
