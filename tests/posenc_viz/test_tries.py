"""Settings worth trying: checked when the figure is made, drawn once when pressed."""

import pytest

from bilingual import Text
from posenc_viz import Choice, Explorer, Range, Switch, Try
from posenc_viz.board import Board
from tests.posenc_viz.samples import heat_map

FAR = Try(en="far <apart>", zh="离得很远", seed=7)
NEAR = Try(en="near, twice", zh="很近，两遍", seed=1, twice=True)


def show(seed, twice=False, scale=1.0):
    return (heat_map(seed),) * (1 + twice)


@pytest.fixture
def board():
    controls = {"seed": (0, 7), "twice": False, "scale": Range(1.0, 1e4, log=True)}
    return Board(Explorer(show, tries=[FAR, NEAR], **controls))


def test_a_try_sets_its_controls_and_the_others_go_to_their_start(board):
    board.widgets["scale"].value = 100.0
    drawn = []
    board.explorer.show = lambda **settings: drawn.append(settings) or heat_map(1)
    board.tries[1].click()
    assert drawn == [{"seed": 1, "twice": True, "scale": 1.0}]


def test_pressing_changes_the_picture_and_pressing_again_does_not(board):
    first = board.explorer.png
    board.tries[0].click()
    far = board.explorer.png
    board.widgets["twice"].value = True
    board.tries[0].click()
    assert board.explorer.png == far != first
    board.reset.click()
    assert board.explorer.png == first


def test_the_words_are_names_of_buttons_in_the_reader_s_language(board, language):
    assert board.tries[0].description == "离得很远 · far <apart>"
    assert "试一试： · Try this:" in board.invitation.value
    language("en")
    board.follow_language()
    assert [button.description for button in board.tries] == ["far <apart>", "near, twice"]


def test_the_tests_of_a_chapter_try_them_too(board):
    *_, far, near = board.explorer.ends()
    assert far == {"seed": 7, "twice": False, "scale": 1.0}
    assert near == {"seed": 1, "twice": True, "scale": 1.0}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sed": 1}, "no such control"),
        ({"seed": 8}, "seed cannot be 8"),
        ({"seed": 0.5}, "seed cannot be 0.5"),
        ({"layout": "both"}, "layout cannot be"),
        ({}, "sets at least one control"),
    ],
)
def test_what_a_reader_could_not_set_is_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        Explorer(
            lambda seed, layout: heat_map(seed),
            tries=[Try(en="a", zh="一", **settings)],
            seed=(0, 7),
            layout=["half", "interleaved"],
        )


@pytest.mark.parametrize(
    ("control", "reached", "not_reached"),
    [
        (Range(0, 90, 10), 20, 25),
        (Range(0.0, 1.0), 0.123, 1.01),
        (Range(10, 1e5, log=True), 1e5, 9),
        (Choice(["a", "b"]), "b", "c"),
        (Switch(), True, "yes"),
    ],
)
def test_what_a_control_reaches(control, reached, not_reached):
    assert control.reaches(reached)
    assert not control.reaches(not_reached)


def test_option_names_follow_the_language_and_the_choice_stays(language):
    options = {Text(en="half", zh="前后半"): 1, Text(en="interleaved", zh="交错"): 2}
    choice = Choice(options, value=2)
    board = Board(Explorer(lambda seed, layout: heat_map(seed), seed=(0, 7), layout=choice))
    language("zh")
    board.follow_language()
    buttons = board.widgets["layout"]
    assert [name for name, _ in buttons.options] == ["前后半", "交错"]
    assert choice.read(buttons.value) == 2
    buttons.value = 0
    assert board.explorer.values["layout"] == 1  # it still reports
