"""Which settings of a figure are sampled, and that its frames come back out of their strips."""

import io

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bilingual import Text
from posenc_viz import Bars, Choice, Explorer, Range, Try
from tools.site.grid import FRAMES, MOST, Axis, grid, reached, settings, thinned
from tools.site.strips import PER_STRIP, image, write_strips


def bars(**values):
    return Bars([float(value) for value in values.values()], list(values), "x", "y", "title")


@given(st.integers(2, 300), st.integers(3, 30), st.data())
def test_thinned_keeps_the_ends_and_what_is_needed(length, count, data):
    stops = list(range(length))
    needed = data.draw(st.sets(st.sampled_from(stops), max_size=4))
    thin = thinned(stops, count, needed)
    assert {0, length - 1} | needed <= set(thin)
    assert list(thin) == sorted(set(thin))
    assert len(thin) <= max(count, len(needed) + 2)


def test_the_grid_is_small_and_has_the_start_the_ends_and_the_tries():
    far = Try(en="far", zh="远", a=93)
    explorer = Explorer(bars, a=(0, 200, 1, 11), b=(0.0, 1.0, 0.01, 0.37), tries=[far])
    axes = grid(explorer)
    first, second = (axis.stops for axis in axes)
    assert {0, 11, 93, 200} <= set(first)
    assert {0.0, 0.37, 1.0} <= set(second)
    assert 50 <= len(first) * len(second) <= FRAMES


def test_options_are_all_kept_and_the_last_control_runs_fastest():
    options = Choice({Text(en="few", zh="少"): 2, Text(en="many", zh="多"): 5})
    explorer = Explorer(bars, a=options, b=(1, 3))
    axes = grid(explorer)
    assert [(s["a"], s["b"]) for s in settings(axes)] == [(a, b) for a in (2, 5) for b in (1, 2, 3)]


def test_three_long_choices_lose_options_but_not_those_of_a_try():
    names = list("qwertyuiopasdfghj")  # in no order but their own
    three = {name: Choice(names, value="r") for name in "abc"}
    explorer = Explorer(
        lambda a, b, c: bars(a=names.index(a), b=len(b + c)),
        tries=[Try(en="these", zh="这几个", a="w", b="h", c="g")],
        **three,
    )
    axes = grid(explorer, 20)
    assert len(list(settings(axes))) <= 20 * MOST
    for axis, tried in zip(axes, "whg", strict=True):
        assert {"q", "r", tried, "j"} <= set(axis.stops)
        assert list(axis.stops) == sorted(axis.stops, key=names.index)


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
    powers = Range(1, 1000, 1, log=True)
    assert reached(powers) == [1, 10, 100, 1000]


def test_frames_come_back_out_of_their_strips(tmp_path):
    explorer = Explorer(bars, a=(1, PER_STRIP + 2))
    frames = []
    for setting in settings(grid(explorer)):
        explorer.set(**setting)
        frames.append(image(explorer.png))
    write_strips(frames, tmp_path, "01")
    width, height = frames[0].size
    for number, frame in enumerate(frames):
        strip = Image.open(tmp_path / f"01-{number // PER_STRIP}.webp").convert("RGB")
        left = number % PER_STRIP * width
        pixels = np.asarray(strip.crop((left, 0, left + width, height)), dtype=int)
        original = np.asarray(frame, dtype=int)
        assert np.abs(pixels - original).mean() < 1
        assert (pixels[original.min(axis=2) == 255] == 255).all()  # the paper stays white
    assert sorted(path.name for path in tmp_path.iterdir()) == ["01-0.webp", "01-1.webp"]


def test_a_picture_is_read_as_opaque_pixels():
    file = io.BytesIO()
    Image.new("RGB", (2, 1), "red").save(file, "PNG")
    assert image(file.getvalue()).getpixel((1, 0)) == (255, 0, 0)
