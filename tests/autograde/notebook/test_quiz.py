"""The quiz explains every option, keeps right answers, and reads as text where nothing runs."""

import pytest
from ipywidgets import Button, HTMLMath

from autograde.kit.catalogue import UnknownName, questions
from autograde.kit.question import Option, Question
from autograde.notebook.quiz import listing, panel, quiz
from autograde.notebook.records import right_prompts
from autograde.quizzes.choose import draw
from bilingual import Text

LISTING = """\
Self-test, 2 questions. Run this cell to answer.

1. What is $2 < 3$ in `Python`?
   A. **False**
   B. True

2. Is <b>this</b> bold?
   A. no
   B. yes"""


def widgets(box, kind):
    own = [box] if isinstance(box, kind) else []
    return own + [w for child in getattr(box, "children", ()) for w in widgets(child, kind)]


def text_of(box):
    return "\n".join(widget.value for widget in widgets(box, HTMLMath)) + box.children[-1].value


def test_the_text_lists_everything_but_the_answers():
    assert listing(questions("kit")) == LISTING


def test_the_text_in_both_languages(monkeypatch):
    monkeypatch.setenv("POSENC_LANGUAGE", "both")
    text = listing(questions("kit"))
    assert "1. `Python`里$2 < 3$是什么？\n   What is $2 < 3$ in `Python`?\n   A. **假**\n" in text


def test_one_output_has_both_widgets_and_text(monkeypatch):
    published = []
    monkeypatch.setitem(
        quiz.__globals__, "display", lambda data, raw: published.append((data, raw))
    )
    assert quiz("kit") is None
    ((data, raw),) = published
    assert raw is True
    assert data["text/plain"] == LISTING
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "text/html" not in data


def test_markdown_and_formulas_are_shown_and_html_is_not():
    text = text_of(panel("kit", questions("kit")))
    assert r'<span class="math">\(2 &lt; 3\)</span> in <code>Python</code>' in text
    assert "<strong>False</strong>" in text
    assert "&lt;b&gt;this&lt;/b&gt;" in text


def test_each_button_tells_its_option_to_a_screen_reader():
    buttons = widgets(panel("kit", questions("kit")), Button)
    assert [button.description for button in buttons] == ["A", "B", "A", "B"]
    assert buttons[1].tooltip == "Choose B: True"


def test_pressing_explains_and_counts():
    box = panel("kit", questions("kit"))
    wrong, good, other = widgets(box, Button)[:3]
    wrong.click()
    assert wrong.description == "A ✗"
    assert "Count again." in text_of(box)
    assert right_prompts("kit") == set()
    good.click()
    good.click()
    assert good.description == "B ✓"
    assert text_of(box).count("Two comes first.") == 1
    assert "Count again." in text_of(box)  # why the other was wrong stays
    assert "Answered correctly at some point: 1 / 2" in text_of(box)
    other.click()
    assert "Answered correctly at some point: 2 / 2" in text_of(box)
    assert len(right_prompts("kit")) == 2
    assert "Answered correctly at some point: 2 / 2" in text_of(panel("kit", questions("kit")))


def test_every_button_of_every_language_can_be_pressed(monkeypatch):
    for language, words in (("zh", ["再数一数。"]), ("both", ["再数一数。", "Count again."])):
        monkeypatch.setenv("POSENC_LANGUAGE", language)
        box = panel("kit", questions("kit"))
        for button in widgets(box, Button):
            button.click()
        widgets(box, Button)[0].click()
        assert all(word in text_of(box) for word in words)


def test_the_score_counts_even_if_it_cannot_be_saved(data):
    data.write_text("a file where the folder should be")
    box = panel("kit", questions("kit"))
    for button in widgets(box, Button):
        button.click()
    assert "Answered correctly at some point: 2 / 2" in text_of(box)
    assert "could not be saved" in text_of(box)


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean 'kit'"):
        quiz("kits")


def test_a_question_has_exactly_one_right_option():
    option = Option(Text(en="a", zh="甲"), Text(en="b", zh="乙"), right=True)
    with pytest.raises(ValueError, match="one of at least two options is right, got 2"):
        Question(Text(en="?", zh="？"), (option, option))


@pytest.mark.parametrize("seed", ["B2026", "2026", 2026.0, -1, True, None])
def test_what_is_not_a_whole_number_draws_no_paper(seed):
    with pytest.raises(ValueError, match="whole number"):
        draw(seed)


def test_a_paper_has_a_question_of_each_chapter_and_no_answers(monkeypatch):
    published = []
    monkeypatch.setitem(quiz.__globals__, "display", lambda data, raw: published.append(data))
    quiz("choose", draw(2026))
    assert published[0]["text/plain"] == listing(draw(2026)) != listing(draw(2027))
    assert len(draw(2026)) == 12
    prompts = {question.prompt.en for question in draw(2026)}
    assert prompts < {question.prompt.en for question in questions("choose")}


def test_what_was_right_on_a_paper_is_right_in_the_whole_quiz():
    for button in widgets(panel("choose", draw(7)), Button):
        button.click()
    assert "Answered correctly at some point: 12 / 36" in text_of(
        panel("choose", questions("choose"))
    )
