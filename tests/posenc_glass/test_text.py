"""The frozen text: what it is, in two languages, and what is held back for testing."""

import hashlib

import pytest
import torch

from posenc_glass.text import TEST, VOCABULARY, text_part, windows

SHA256 = "5a75056e7dcc436770b785d3f66413ab6b4fefc37a0f235e65afb3c17514cae0"


def test_the_text_is_the_frozen_one():
    whole = bytes(torch.cat((text_part("train"), text_part("test"))).tolist())
    assert hashlib.sha256(whole).hexdigest() == SHA256
    assert len(whole) == 482422
    assert whole.decode().startswith("# 0 · Start here\n")


@pytest.mark.parametrize("part", ["train", "test"])
def test_both_parts_are_in_both_languages(part):
    text = bytes(text_part(part).tolist()).decode(errors="replace")
    hanzi = sum("\u4e00" <= letter <= "\u9fff" for letter in text)
    latin = sum(letter.isascii() and letter.isalpha() for letter in text)
    assert hanzi > 0.1 * len(text)
    assert latin > 0.4 * len(text)


def test_chapters_that_are_tested_on_are_not_trained_on():
    train, test = (bytes(text_part(part).tolist()).decode(errors="replace") for part in
                   ("train", "test"))  # fmt: skip
    assert len(text_part("test")) == TEST
    assert "\n# 10 · Beyond one dimension\n" in test
    assert "\n# 10 · Beyond one dimension\n" not in train
    assert "\n## 7.2 " in test
    assert "\n## 7.2 " not in train


def test_windows_follow_one_another():
    tokens = text_part("test")
    cut = windows(tokens, 1024)
    assert cut.shape == (64, 1024)
    assert torch.equal(cut.flatten(), tokens)
    assert tokens.max() < VOCABULARY


def test_another_part_is_refused():
    with pytest.raises(ValueError, match="part must be one of train, test, got 'validation'"):
        text_part("validation")
