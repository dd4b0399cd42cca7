"""The stars of emphasis are found in both languages, those of code and formulas never."""

import pytest

from autograde.kit.emphasis import without_emphasis
from autograde.pages.marking import Marking
from bilingual import Text

EMPHASISED = {
    "it *sends* row i": "it sends row i",
    "第i行*送到*第order[i]个位置": "第i行送到第order[i]个位置",
    "让q*和*k各乘它": "让q和k各乘它",
    "*先*取`a*b*c`，*再*取最大": "先取`a*b*c`，再取最大",
}


@pytest.mark.parametrize("sentence", EMPHASISED)
def test_emphasis_is_left_out_of_plain_text_and_marked_up_on_a_page(sentence):
    assert without_emphasis(sentence) == EMPHASISED[sentence]
    page = str(Marking("zh").course(Text(en=sentence, zh=sentence)))
    assert page.count("<em>") == (sentence.count("*") - 2 * ("`" in sentence)) / 2


@pytest.mark.parametrize(
    "sentence", ["q*k*v", "2 * x * y", "f(*args, **kwargs)", "`*x*`", "x[0]*y*"]
)
def test_other_stars_are_kept(sentence):
    assert without_emphasis(sentence) == sentence
