"""A formula of the site is drawn, or the site is not built."""

import pytest
from sphinx.errors import ExtensionError

from tools.site.mathml import formula


def test_a_command_that_is_drawn():
    assert "<mfrac>" in formula(r"\frac ab", display=True)


def test_bars_stand_close_to_what_they_enclose_but_not_those_of_a_condition():
    assert formula(r"|q|\,\|k\|", display=False).count('lspace="0em" rspace="0em"') == 4
    assert "lspace" not in formula(r"p(a\mid b)\left|x\right|", display=False)


@pytest.mark.parametrize("tex", [r"\nosuchcommand x", r"\frac{\nosuchcommand}{b}"])
def test_a_command_without_mathml_is_not_shown_as_it_was_written(tex):
    with pytest.raises(ExtensionError, match="no MathML"):
        formula(tex, display=False)
