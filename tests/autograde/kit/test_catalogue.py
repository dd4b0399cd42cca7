"""What the catalogue says of a name that it does not know."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from autograde.kit.catalogue import UnknownName, exercise
from bilingual import Text

CHAPTERS, EXERCISES = ["02_sinusoidal", "05_rope", "15_more"], ["double", "mend_t5_divided"]


@pytest.mark.parametrize(
    ("name", "names", "nearest"),
    [
        (5, CHAPTERS, "05_rope"),
        ("05", CHAPTERS, "05_rope"),
        ("rope", CHAPTERS, "05_rope"),
        (5, EXERCISES, None),
        ("d", EXERCISES, None),
        ("t5", EXERCISES, "mend_t5_divided"),
    ],
)
def test_a_part_of_a_name_suggests_it_unless_it_is_one_letter(name, names, nearest):
    message = str(UnknownName(Text(en="thing", zh="东西"), name, names))
    assert ("Did you mean" in message) is bool(nearest)
    assert nearest is None or f"'{nearest}'" in message


def test_a_module_that_serves_others_is_not_an_exercise(catalogue):
    (catalogue / "_shared.py").write_text("", encoding="utf-8")
    with pytest.raises(UnknownName, match="named '_shared'"):
        exercise("_shared")


def test_a_slip_of_the_keyboard_shows_its_sentence_without_a_trace(capsys):
    InteractiveShell().run_cell("from autograde import check; check('dubble', len)")
    assert capsys.readouterr().out == (
        "UnknownName: There is no exercise named 'dubble'. Did you mean 'double'?\n"
    )
