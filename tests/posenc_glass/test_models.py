"""What travels: each file is what its recipe says, gives the losses stored, and holds no code."""

import hashlib
import json

import pytest
import torch

from experiments.glass_train import Recipe, measured
from posenc_glass import models
from posenc_glass.encodings import ENCODINGS
from posenc_glass.models import WEIGHTS, glass, recipe, subjects, trained_length, untrained
from posenc_ref import Encoding, RotaryEncoding
from tests.one_test import one_test

TRAVELS = subjects()
EVERY = [(subject, encoding) for subject in TRAVELS for encoding in ENCODINGS]
LIMIT = 12e6  # bytes, all together


@pytest.mark.parametrize(
    ("subject", "encoding"), [*(("induction", name) for name in ENCODINGS), ("text", "rope")]
)
def test_the_weights_give_the_losses_that_are_stored_with_them(subject, encoding):
    """Another processor sums in another order: hence a tolerance, far below a spread of seeds.

    Each encoding once, and a text once: the other files are held by their digests.
    """
    stored, actual = recipe(subject, encoding)["seeds"]["0"], measured(
        glass(subject, encoding), subject
    )  # fmt: skip
    assert actual["loss"] == pytest.approx(stored["loss"], abs=2e-3)
    assert actual["accuracy"] == pytest.approx(stored["accuracy"], abs=2e-3)


@one_test(EVERY, lambda *names: " ".join(names))
def test_a_file_is_the_one_of_its_recipe(subject, encoding):
    entry = recipe(subject, encoding)
    packed = (WEIGHTS / f"{subject}-{encoding}.safetensors").read_bytes()
    assert hashlib.sha256(packed).hexdigest() == entry["sha256"]
    rebuilt = Recipe(**entry["recipe"])
    assert (rebuilt.subject, rebuilt.encoding, rebuilt.seed) == (subject, encoding, 0)
    assert rebuilt.hash == entry["seeds"]["0"]["hash"]


def test_induction_travels():
    """Heads are looked for there; without a subject the tests above would run nothing."""
    assert "induction" in TRAVELS


def test_encodings_of_a_subject_are_trained_alike():
    """Same seed, steps, rows and rate: they differ by their encoding alone."""
    for subject in TRAVELS:
        recipes = [recipe(subject, encoding)["recipe"] for encoding in ENCODINGS]
        assert len({json.dumps(one | {"encoding": ""}) for one in recipes}) == 1


def test_what_travels_is_small_and_nothing_but_numbers_and_recipes():
    files = list(WEIGHTS.iterdir())
    assert {file.name for file in files} == {
        "recipes.json", *(f"{subject}-{encoding}.safetensors" for subject, encoding in EVERY)
    }  # fmt: skip
    assert sum(file.stat().st_size for file in files) < LIMIT


@pytest.mark.parametrize("subject", ["induction", "text"])
def test_all_encodings_of_a_seed_start_from_the_same_other_weights(subject):
    plain = untrained(subject, "none", seed=3).state_dict()
    for encoding in ENCODINGS:
        state = untrained(subject, encoding, seed=3).state_dict()
        assert all(torch.equal(state[name], plain[name]) for name in plain)
        assert {name.partition(".")[0] for name in state.keys() - plain.keys()} <= {"encoding"}
    assert not torch.equal(plain["words.weight"], untrained(subject, "none").words.weight)


def test_a_model_is_made_without_touching_the_global_generator():
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    glass("induction", "rope")
    assert torch.equal(torch.rand(3), expected)


def test_the_encodings_are_those_of_their_names():
    bases = [
        untrained("text", name).encoding.frequencies[-1] for name in ("rope", "rope_large_base")
    ]
    assert bases[0] > 10 * bases[1]
    mixed = untrained("text", "rope_none").encoding
    assert isinstance(mixed.of_layer(0), RotaryEncoding)
    assert type(mixed.of_layer(1)) is Encoding


@one_test([(name,) for name in ENCODINGS], str)
def test_eight_times_the_trained_length_can_be_read(encoding):
    tokens = torch.zeros(1, 8 * trained_length("text"), dtype=torch.long)
    assert untrained("text", encoding)(tokens).isfinite().all()


def test_a_name_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match=r"subject must be one of copy, .*, text, got 'poetry'"):
        glass("poetry", "rope")
    with pytest.raises(ValueError, match=r"encoding must be one of none, .*, got 'alibis'"):
        recipe("text", "alibis")


def test_a_model_that_does_not_travel_is_refused(monkeypatch):
    monkeypatch.setattr(models, "_recipes", lambda: {"induction-rope": {}})
    with pytest.raises(ValueError, match="copy-t5 are shipped, only of: induction-rope"):
        glass("copy", "t5")
    assert subjects() == []
