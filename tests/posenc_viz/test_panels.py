"""Panels as data: what they copy, refuse, write, and what counts as the same frame."""

import dataclasses

import numpy as np
import pytest
import torch

from posenc_viz import (
    Arrow,
    Bars,
    Clocks,
    Curve,
    Curves,
    Head,
    HeatMap,
    History,
    Matrix,
    Plane,
    Ruler,
    Timeline,
)
from posenc_viz.font import readable
from posenc_viz.panel import span
from tests.posenc_viz.samples import (
    MAKERS,
    STILL,
    TITLE,
    X,
    Y,
    clocks,
    curves,
    drawn,
    head,
    heat_map,
    matrix,
    numbers,
)


@pytest.mark.parametrize("maker", MAKERS)
def test_a_panel_is_frozen_and_other_data_keep_its_frame(maker):
    panel = maker(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        panel.title = "other"
    assert panel.frame() == maker(2).frame()
    hash(panel.frame())


@pytest.mark.parametrize("maker", MAKERS)
def test_a_panel_changes_its_frame_with_the_language(maker, language):
    both = maker(1).frame()
    language("zh")
    assert maker(1).frame() != both


def test_limits_are_part_of_the_frame_and_default_to_the_finite_data():
    values = np.array([[-np.inf, 1.0], [3.0, np.nan]])
    assert span(values, None) == (1.0, 3.0)
    assert span(np.full(3, np.inf), None) == (0.0, 1.0)
    assert span(np.full(3, 2.0), None) == (1.5, 2.5)
    assert HeatMap(values, X, Y, TITLE).frame() != HeatMap(2 * values, X, Y, TITLE).frame()


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.int64, torch.bool])
def test_a_tensor_is_taken_as_it_is_and_copied(dtype):
    tensor = torch.tensor([[0.0, 1.0], [2.0, 3.0]], requires_grad=True).to(dtype)
    panel = HeatMap(tensor, X, Y, TITLE)
    expected = tensor.detach().double().numpy().copy()
    with torch.no_grad():
        tensor.zero_()
    np.testing.assert_array_equal(panel.values, expected)
    with pytest.raises(ValueError, match="read-only"):
        panel.values[0, 0] = 5


def test_a_matrix_writes_its_numbers_and_moves_its_labels():
    values = np.array([[0.5, -0.001], [np.inf, -np.inf]])
    first = Matrix(values, "ab", "cd", TITLE, limits=(0, 1))
    artists = drawn(first)
    texts = [words.get_text() for words in artists[1:]]
    assert texts == ["c", "d", "a", "b", "0.50", "0.00", "∞", "−∞"]
    Matrix(values, "ba", "dc", TITLE, limits=(0, 1)).update(artists)
    assert [words.get_text() for words in artists[1:5]] == ["d", "c", "b", "a"]


def test_the_numbers_of_a_matrix_can_be_read_on_their_colour():
    artists = drawn(Matrix([[0.0, 1.0]], ["q"], ["a", "b"], TITLE, limits=(0, 1)))
    assert [words.get_color() for words in artists[-2:]] == ["white", "black"]  # viridis' ends
    masked = drawn(Matrix([[0.0, -np.inf]], ["q"], ["a", "b"], TITLE, limits=(0, 1)))
    assert masked[-1].get_color() == "black"  # its cell is left white


def test_what_is_not_a_number_is_a_dot_in_a_matrix():
    artists = drawn(Matrix([[0.0, np.nan]], ["q"], ["a", "b"], TITLE, limits=(0, 1), decimals=0))
    assert [words.get_text() for words in artists[-2:]] == ["0", "·"]


def test_curves_differ_in_more_than_colour():
    panel = Curves([Curve([0, 1], [k, k]) for k in range(7)], X, Y, TITLE, markers=True)
    lines = drawn(panel)
    looks = [(line.get_linestyle(), line.get_color(), line.get_marker()) for line in lines]
    strokes = {(str(line._dash_pattern), line.get_linestyle()) for line in lines}
    assert len({marker for _, _, marker in looks}) == len({c for _, c, _ in looks}) == 7
    assert len(strokes) == 7


def test_a_logarithmic_axis_ticks_at_the_lengths_that_were_tested():
    panel = lambda x: Curves(Curve(x, x), X, Y, TITLE, x_scale="log", x_limits=(100, 2000))
    axes = drawn(panel([128, 256, 1024]))[0].axes
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["128", "256", "1024"]
    assert axes.get_xlim() == (100, 2000)
    assert 1000 in drawn(panel(range(100, 2000)))[0].axes.get_xticks()  # many points: powers of 10
    assert panel([128, 256, 1024]).frame() != panel([128, 512, 1024]).frame()


def test_guides_and_hands_move():
    artists = drawn(curves(1))
    curves(7).update(artists)
    assert artists[0].get_xdata() == [7, 7]
    hand = drawn(clocks(1))[0]
    clocks(2).update([hand])
    angle = clocks(2).angles[0, 0]
    np.testing.assert_allclose([d[1] for d in hand.get_data()], [np.sin(angle), np.cos(angle)])


def test_a_hand_starts_at_twelve_and_turns_clockwise():
    hand = drawn(Clocks([0, np.pi / 2], ["a", "b"], TITLE))[0]
    x, y = (np.array(each).reshape(2, 3) for each in hand.get_data())
    np.testing.assert_allclose((x[:, 1] - x[:, 0], y[:, 1] - y[:, 0]), [[0, 1], [1, 0]], atol=1e-9)


def test_a_square_map_has_square_cells_and_a_bar_as_high():
    for square, aspect in ((True, 1.0), (False, "auto")):
        panel = HeatMap(numbers(1, 3, 9), X, Y, TITLE, square=square)
        assert drawn(panel)[0].axes.get_aspect() == aspect
    assert panel.frame() != HeatMap(numbers(1, 3, 9), X, Y, TITLE, square=True).frame()


def test_a_head_writes_every_number_and_says_where_the_position_comes_in():
    artists = drawn(head(1))
    tokens = [words.get_text() for words in artists[:3]]
    assert tokens == list(head(1).tokens)
    entries = [words.get_text() for words in artists[4::2]]
    assert len(entries) == 5 * 12 + 2 * 9
    assert entries[0] == f"{head(1).x[0, 0]:.1f}"
    assert entries.count("−∞") == 3
    marks = [words.get_text() for words in artists[0].axes.texts]
    assert readable(Y) in marks
    other = Head(
        *(getattr(head(1), name) for name in (*"xqkv", "scores", "weights", "output")),
        head(1).tokens,
        TITLE,
        marks={"q": Y},
    )
    assert other.frame() != head(1).frame()


def test_names_of_a_history_that_would_touch_stand_in_lanes_of_their_own():
    (first, second) = STILL.places()
    assert [lane for _, lane, _ in first] == [0.0, 1.0]
    assert [(date, name) for date, _, name in second] == [(2021.0, "three")]
    apart = History({X: [(2017.5, "one"), (2019.5, "two")]}, X, TITLE)
    assert [lane for _, lane, _ in apart.places()[0]] == [0.0, 0.0]
    assert apart.height < STILL.height
    assert drawn(STILL) == []


def test_a_short_logarithmic_axis_says_plain_numbers():
    axes = drawn(Curves(Curve([1, 2], [20.0, 400.0]), X, Y, TITLE, y_scale="log"))[0].axes
    assert {20, 50, 100, 200} <= set(axes.get_yticks())
    assert axes.yaxis.get_major_formatter()(50.0) == "50"


def test_a_logarithmic_axis_has_positive_ends_whatever_the_values_are():
    for y, ends in (([0.4, 0.4], (0.2, 0.8)), ([0.0, 8.0], (4.0, 16.0)), ([0, -1], (1.0, 10.0))):
        panel = Curves(Curve([1, 2], y), X, Y, TITLE, y_scale="log")
        assert drawn(panel)[0].axes.get_ylim() == ends


def test_the_bar_of_a_heat_map_counts_in_whole_numbers_only_where_the_cells_do():
    whole, halves = (HeatMap(v, X, Y, TITLE, limits=(0, 2)) for v in ([[0, 2]], [[0.5, 2]]))
    assert whole.frame() != halves.frame()


def test_what_cannot_be_drawn_is_refused(subtests):
    for make, message in [
        (lambda: Head(*[numbers(1, 2, 3)] * 7, "ab", TITLE), "at most 4 tokens"),
        (lambda: History({}, X, TITLE), "families"),
        (lambda: HeatMap([1, 2], X, Y, TITLE), "2 dimension"),
        (lambda: HeatMap(np.zeros((0, 2)), X, Y, TITLE), "not empty"),
        (lambda: HeatMap([[1, 2]], X, Y, TITLE, highlight_rows=[1]), "highlight_rows must be 0"),
        (lambda: Matrix(np.zeros((2, 2)), "abc", "ab", TITLE), "labels ask for"),
        (lambda: Matrix(np.zeros((13, 1)), "abcdefghijklm", "a", TITLE), "use HeatMap"),
        (lambda: Curve([1, 2], [1, 2, 3]), "x has shape"),
        (lambda: Curve([1], [1], colour=7), "colour must be 0 to 6, got 7"),
        (lambda: Curves([], X, Y, TITLE), "1 to 7 curves"),
        (lambda: Bars([1, 2], ["a"], X, Y, TITLE), "1 labels"),
        (lambda: Clocks([0, 1], ["a"], TITLE), "angles have shape"),
        (lambda: Clocks(np.zeros((8, 1)), ["a"], TITLE), "7 hands can be told apart, got 8"),
        (lambda: Arrow((1, 2, 3)), "points are"),
        (lambda: Plane([], 1, X, Y, TITLE), "1 to 7 arrows"),
        (lambda: Plane([Arrow((1, 2))], 1, X, Y, TITLE).angle(), "no two arrows"),
        (lambda: Plane([Arrow((1, 2))], 1, X, Y, TITLE, between=(0, 1)), "between must name two"),
        (lambda: Ruler([[1, 2], [2, 3]], X, TITLE), "2 strips, but 1"),
        (lambda: Ruler([1, 2], X, TITLE, first=-1, mark=1), "mark must be -1 to 0, got 1"),
        (lambda: Timeline([[1.0]], "ab", X, Y, TITLE), "but 2 labels"),
        (lambda: Timeline(np.zeros((17, 1)), "a", X, Y, TITLE), "at most 16"),
        (lambda: Timeline([[1.0]], "a", X, Y, TITLE, step=1), "between 0 and 0, got 1"),
    ]:
        with subtests.test(message), pytest.raises(ValueError, match=message):
            make()


def test_a_permuted_matrix_costs_no_new_frame():
    assert matrix(0).frame() == matrix(3).frame()


def test_framed_rows_move_and_their_number_alone_is_part_of_the_frame():
    one, two = (dataclasses.replace(heat_map(0), highlight_rows=rows) for rows in ([1, 4], [4, 5]))
    assert one.frame() == two.frame() != heat_map(0).frame()
    _, *boxes = artists = drawn(one)
    two.update(artists)
    assert [box.get_y() for box in boxes] == [3.5, 4.5]
