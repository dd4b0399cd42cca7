"""Which answers in prose are alike."""

import pytest

from autograde.likeness.same_words import same_words


@pytest.mark.parametrize("text", ["Yes.", "Order is lost.", "顺序丢了。"])
def test_an_answer_of_a_few_words_is_not_alike(text):
    """Seen: two who answered “Yes.” were listed as alike."""
    assert not list(same_words({"ada": {"a_why": text}, "ben": {"a_why": text}}))


@pytest.mark.parametrize("text", ["Order is lost, so is place.", "注意力看不到顺序。"])
def test_a_short_sentence_is(text):
    (group,) = same_words({"ada": {"a_why": text}, "ben": {"a_why": text}, "cai": {"a_why": "?"}})
    assert group.students == ("ada", "ben")
