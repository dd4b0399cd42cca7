"""What of a cell's prose stands on its slide."""

import pytest

from tools.slides.points import Prose, prose


@pytest.mark.parametrize(
    ("source", "heading", "points"),
    [
        ("Only prose. No question here.", "", ()),
        ("## 2.1 Waves\n\nNot this. Why waves? Nor this.", "2.1 Waves", ("Why waves?",)),
        ("先说一句。为什么是波？再说一句。", "", ("为什么是波？",)),
        ("A. **The idea: round them off.** The rest. So **it is** one.", "",
         ("**The idea: round them off.**\nSo **it is** one.",)),
        ('**"It repeats."** It does not.', "", ('**"It repeats."**',)),
        ("**“低维慢，高维快。”**\n恰恰相反。", "", ("**“低维慢，高维快。”**",)),
        ("Its code is `f(x)?` and $a.b$ here. Is `f(x). G` one?", "", ("Is `f(x). G` one?",)),
        ("Some, e.g. this one, are *odd*. Which is [odd](there)?", "", ("Which is odd?",)),
        ("Xiao et al. (2024) **keep** it, e.g. RoPE, **here**, i.e. Y. No.", "",
         ("Xiao et al. (2024) **keep** it, e.g. RoPE, **here**, i.e. Y.",)),
        ("**bold**  \nand so on. No.", "", ("**bold**\nand so on.",)),
        ("Text\n\n$$a=b.$$\n\nmore\n\n- one\n  two\n- three\n\n| a |\n|---|\n| b |", "",
         ("$$a=b.$$", "- one\n  two\n- three", "| a |\n|---|\n| b |")),
    ],
)  # fmt: skip
def test_a_slide_holds_questions_bold_words_formulas_lists_and_tables(source, heading, points):
    assert prose(source) == Prose(heading, points)
