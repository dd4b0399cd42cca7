"""A picture that fills while it is computed: one output, drawn again in its place."""

import pytest

from posenc_viz import Bars, watching


class Handle:
    """Notes what a notebook is told."""

    def __init__(self, outputs):
        self.outputs = outputs

    def display(self, output, raw):
        self.outputs.append(("display", output))

    def update(self, output, raw):
        self.outputs.append(("update", output))


@pytest.fixture
def outputs(monkeypatch):
    messages = []
    monkeypatch.setattr(watching, "DisplayHandle", lambda: Handle(messages))
    return messages


def bars(height):
    return Bars([height, 1.0], "ab", "x", "y", "title", limits=(0, 3))


def test_each_picture_takes_the_place_of_the_one_before(outputs):
    watching.watch(bars(height) for height in (0.0, 1.0, 2.0))
    assert [how for how, _ in outputs] == ["display", "update", "update"]
    assert len({output["image/png"] for _, output in outputs}) == 3
    assert {output["text/plain"] for _, output in outputs} == {"<picture: title>"}


def test_a_picture_is_shown_before_the_next_one_is_computed(outputs):
    counts = []

    def pictures():
        for height in (0.0, 1.0):
            yield bars(height)
            counts.append(len(outputs))

    watching.watch(pictures())
    assert counts == [1, 2]
