"""A formula of the site is drawn, or the site is not built."""

import pytest
from sphinx.errors import ExtensionError

from autograde.pages.formulas import LINED
from tools.build.contents import ROOT
from tools.site.mathml import formula


def test_a_command_that_is_drawn():
    assert "<mfrac>" in formula(r"\frac ab", display=True)


def test_bars_stand_close_to_what_they_enclose_but_not_those_of_a_condition():
    assert formula(r"|q|\,\|k\|", display=False).count('lspace="0em" rspace="0em"') == 4
    assert "lspace" not in formula(r"p(a\mid b)\left|x\right|", display=False)


def test_a_bar_covers_all_that_is_below_it():
    drawn = formula(r"\overline{q\,e^{\hat a}}\,k\overline{z}", display=True)
    assert drawn.count("border-top") == 2
    assert "&#x02015;" not in drawn


@pytest.mark.parametrize("name", LINED.values())
def test_the_style_draws_the_bars_of_hints_and_quizzes(name):
    style = (ROOT / "tools" / "site" / "static" / "course.css").read_text(encoding="utf-8")
    assert f"math .{name} {{ border-" in style


@pytest.mark.parametrize("tex", [r"\nosuchcommand x", r"\frac{\nosuchcommand}{b}"])
def test_a_command_without_mathml_is_not_shown_as_it_was_written(tex):
    with pytest.raises(ExtensionError, match="no MathML"):
        formula(tex, display=False)
