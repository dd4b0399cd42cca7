"""Which settings of a figure are sampled, and that its pictures come back out of their file."""

import base64
import json
import re
import zlib
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.path import Path

from bilingual import Text
from posenc_viz import Bars, Choice, Curve, Curves, Explorer, HeatMap, Range, Try
from posenc_viz.font import readable
from tests.posenc_viz.samples import MAKERS, STILL
from tools.site import recorder
from tools.site.cell_image import BLANK, LEVELS, as_element
from tools.site.drawing import Drawing
from tools.site.elements import path_data
from tools.site.frames import Frames
from tools.site.grid import FRAMES, STOPS, Axis, grid, reached, settings, thinned


def kind(panel):
    return type(panel).__name__


def bars(**values):
    return Bars([float(value) for value in values.values()], list(values), "x", "y", "title")


@given(st.integers(2, 300), st.integers(3, 30), st.data())
def test_thinned_keeps_the_ends_and_what_is_needed(length, count, data):
    stops = list(range(length))
    needed = data.draw(st.sets(st.sampled_from(stops), max_size=4))
    thin = thinned(stops, count, needed)
    assert {0, length - 1} | needed <= set(thin)
    assert list(thin) == sorted(set(thin))
    assert min(count, length) <= len(thin) <= max(count, len(needed) + 2)


@given(st.lists(st.integers(0, 50), min_size=2, unique=True).map(sorted), st.data())
def test_thinned_keeps_a_start_or_a_try_between_two_stops(stops, data):
    needed = data.draw(st.sets(st.integers(stops[0], stops[-1]), max_size=4))
    for count in (2, len(stops)):
        thin = thinned(stops, count, needed)
        assert needed <= set(thin)
        assert list(thin) == sorted(set(thin))
    assert set(thin) == {*stops, *needed}


def test_a_slider_has_its_own_stops_or_enough_and_the_start_the_ends_and_the_tries():
    far = Try(en="far", zh="远", a=93)
    explorer = Explorer(bars, a=(0, 200, 1, 11), b=(0.0, 1.0, 0.001, 0.37), c=(1, 4), tries=[far])
    first, second, third = (axis.stops for axis in grid(explorer))
    assert {0, 11, 93, 200} <= set(first)
    assert {0.0, 0.37, 1.0} <= set(second)
    assert len(first) >= STOPS <= len(second)
    assert third == (1, 2, 3, 4)


def test_one_slider_alone_has_every_stop():
    (axis,) = grid(Explorer(bars, a=(0, FRAMES - 1)))
    assert axis.stops == tuple(range(FRAMES))


def test_options_are_all_kept_and_the_last_control_runs_fastest():
    options = Choice({Text(en="few", zh="少"): 2, Text(en="many", zh="多"): 5})
    explorer = Explorer(bars, a=options, b=(1, 3))
    axes = grid(explorer)
    assert [(s["a"], s["b"]) for s in settings(axes)] == [(a, b) for a in (2, 5) for b in (1, 2, 3)]


def test_a_quick_look_keeps_some_options_in_their_order_with_the_start():
    downwards = tuple(range(9, 0, -1))
    explorer = Explorer(bars, a=Choice(downwards, 2), b=(1, 100))
    few, slider = grid(explorer, 3)
    assert few.stops == (9, 2, 1)
    assert len(slider.stops) == 3
    assert grid(explorer)[0].stops == downwards


def test_stops_are_named_as_a_reader_would(monkeypatch):
    monkeypatch.setenv("POSENC_LANGUAGE", "zh")
    options = Choice({Text(en="few", zh="少"): 2, Text(en="many", zh="多"): 5})
    assert Axis("a", options, (2, 5)).names == ["少", "多"]
    tenths = Range(0.0, 0.5, 0.1)
    assert Axis("b", tenths, tuple(reached(tenths))).names == [
        "0",
        "0.1",
        "0.2",
        "0.3",
        "0.4",
        "0.5",
    ]
    assert Axis("d", Range(-1, 1), (-1, 0, 1)).names == ["−1", "0", "1"]
    powers = Range(1, 1000, 1, log=True)
    assert reached(powers) == [1, 10, 100, 1000]


@pytest.mark.parametrize(
    ("slider", "last"),
    [
        (Range(0, 10, 4), [0, 4, 8, 10]),
        (Range(0.2, 1.1, 0.3), [0.2, 0.5, 0.8, 1.1]),
        (Range(0.0, 1.0, 0.4), [0.4, 0.8, 1.0]),
        (Range(1, 20_000, 1, log=True), [1000, 10_000, 20_000]),
    ],
)
def test_the_end_of_a_slider_is_a_stop_though_its_step_does_not_reach_it(slider, last):
    assert reached(slider)[-len(last) :] == last
    assert slider.reaches(slider.hi)


def unpacked(script):
    """Return the pictures in the file of a figure: for each, the parts of its panels."""
    packed = script.split('"')[3]
    data = json.loads(zlib.decompress(base64.b64decode(packed)))
    rows = []
    for parts in data["panels"]:
        for part in parts:
            numbers, new = [], 0
            for ago in part["row"]:
                numbers.append(new - ago if ago else new)
                new += ago == 0
            rows.append([part["looks"][number] for number in numbers])
    return [list(picture) for picture in zip(*rows, strict=True)]


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=4), min_size=1, max_size=9))
def test_pictures_come_back_out_of_their_file(pictures):
    frames = Frames()
    for parts in pictures:
        frames.add([parts])
    most = max(map(len, pictures))
    assert unpacked(frames.script("01.js")) == [[*p, *[""] * (most - len(p))] for p in pictures]


def curves(k):
    return Curves(Curve([0, 1, 2], [0, k, 1]), "x", "y", f"k = {k}", y_limits=(0, 4))


def test_what_does_not_move_is_kept_once_and_the_rest_moves():
    drawing = Drawing()
    (first,), (second,) = drawing.marks([curves(1)]), drawing.marks([curves(3)])
    changed = [old != new for old, new in zip(first, second, strict=True)]
    assert changed == [False, False, True, True]  # view, what stands still, title, line
    assert [drawing.marks([curves(1)])[0]] == [first]
    assert "k = 3" in second[2]


@pytest.mark.parametrize("panel", [*(maker(1) for maker in MAKERS), STILL], ids=kind)
def test_every_kind_of_panel_is_written_as_svg(panel):
    (parts,) = Drawing().marks([panel])
    svg = "".join(map(as_element, parts[1:]))
    elements = ElementTree.fromstring(f"<svg>{svg}</svg>")
    assert {element.tag for element in elements} <= {"desc", "g", "image", "path", "text"}
    lines = [each for each in elements.iter("text") if len(each.text or "") > 1]
    assert all(float(each.get("textLength")) > 0 for each in lines)
    title = panel.title.zh.replace("$x^2$", "x2")
    assert title in "".join(text for each in elements.iter("text") for text in each.itertext())
    assert elements.find("desc").text == readable(panel.title)


def test_of_a_picture_that_fills_while_it_is_computed_a_page_shows_the_last(monkeypatch):
    figures = []
    monkeypatch.setattr(
        recorder, "display", lambda output, raw: figures.append(output["text/html"])
    )
    page = recorder.Recorder("figures", 1)
    page.watch([])
    page.watch(curves(k) for k in (1, 2, 3))
    page.picture(curves(3))
    assert figures[0] == figures[1]
    assert "k = 3" in figures[0]


def test_a_path_is_written_where_matplotlib_has_it():
    path = Path([(10, 10), (20, 5), (20, 15), (10, 10)], [1, 2, 2, Path.CLOSEPOLY])
    assert path_data(path.vertices, path.codes) == "M10 10l10-5l0 10z"


def test_markers_stand_where_matplotlib_has_them():
    square = Curves(Curve([0, 1, 2], [0, 1, 0], style="s"), "x", "y", "t")
    marks = "".join(Drawing().marks([square])[0][3:])
    first, second, third = map(int, re.findall(r"M(\d+) \d+", marks))
    assert second - first == pytest.approx(third - second, abs=1)
    assert second > first


def test_a_heat_map_keeps_its_colours():
    marks = Drawing().marks([HeatMap([[0.0, 1.0], [float("nan"), 0.5]], "x", "y", "t")])[0]
    (table,) = [mark for mark in marks if mark.startswith("@")]
    letters = table.split(" ")[-1]
    assert [letters[0], letters[1], letters[2]] == ["0", chr(ord("0") + LEVELS - 1), BLANK]
    place = [float(number) for number in table[1:].split(" ")[:4]]
    assert min(place) > 0
