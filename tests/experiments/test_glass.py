"""Models under glass: twenty steps of training, stopped and taken up, and what is stored."""

import json

import pytest
import torch
from rich.console import Console
from safetensors.torch import load

from experiments import glass
from experiments.glass_train import Recipe, held_out, loss, rows_of, train
from posenc_glass.models import untrained

SMALL = Recipe("copy", "rope", seed=1, steps=20, rows=8, warmup=5)


class Stopped(Exception):
    pass


def stop(message):
    raise Stopped(message)


def ignore(message):
    pass


@pytest.mark.parametrize("subject", ["copy", "induction", "lookup", "count", "sort", "text"])
def test_twenty_steps_lower_the_loss(subject, tmp_path):
    recipe = Recipe(subject, "t5", seed=0, steps=20, rows=8, warmup=5)
    model, rows = train(recipe, tmp_path / "run.pt", ignore), held_out(subject)
    with torch.no_grad():
        assert loss(model, rows) < loss(untrained(subject, "t5"), rows) - 0.05


def test_a_run_that_was_stopped_ends_as_one_that_was_not(tmp_path):
    with pytest.raises(Stopped, match="seed 1 copy-rope 10/20"):
        train(SMALL, tmp_path / "stopped.pt", stop, interval=10)
    resumed = train(SMALL, tmp_path / "stopped.pt", ignore).state_dict()
    for name, weight in train(SMALL, tmp_path / "whole.pt", ignore).state_dict().items():
        torch.testing.assert_close(resumed[name], weight, rtol=0, atol=0)


@pytest.mark.parametrize("subject", ["copy", "induction", "lookup", "count", "sort"])
def test_no_row_of_the_test_is_a_row_of_training(subject):
    recipe = Recipe(subject, "rope", seed=0, steps=1, rows=256)
    drawn = rows_of(recipe)(torch.Generator().manual_seed(0)).tokens.tolist()
    assert not {tuple(row) for row in drawn} & {tuple(row) for row in held_out(subject)[0].tolist()}


def test_the_hash_depends_on_all_that_the_run_does():
    others = [
        Recipe(**vars(SMALL) | change)
        for change in ({"seed": 2}, {"steps": 21}, {"rate": 0.004}, {"encoding": "t5"})
    ]
    assert len({SMALL.hash, *(other.hash for other in others)}) == 5
    assert SMALL.hash == Recipe(**vars(SMALL)).hash


def test_what_is_stored_is_what_was_measured(tmp_path):
    out, work, console = tmp_path / "out", tmp_path / "work", Console(quiet=True)
    for seed in (0, 1):
        glass.run(Recipe("copy", "alibi", seed, 20, 8), work, out, console)
    entry = json.loads((out / "recipes.json").read_text("utf-8"))["copy-alibi"]
    assert entry["seeds"].keys() == {"0", "1"}
    assert entry["recipe"]["seed"] == 0
    state = load((out / "copy-alibi.safetensors").read_bytes())
    assert {weight.dtype for weight in state.values()} == {torch.float16}
    assert state.keys() == untrained("copy", "alibi").state_dict().keys() - {"output.weight"}


def test_what_is_done_is_not_done_again(tmp_path):
    out, work, console = tmp_path / "out", tmp_path / "work", Console(quiet=True)
    recipe = Recipe("copy", "none", 0, 20, 8)
    glass.run(recipe, work, out, console)
    (out / "copy-none.safetensors").unlink()
    glass.run(recipe, work, out, console)
    assert not (out / "copy-none.safetensors").exists()
    glass.run(Recipe("copy", "none", 0, 10, 8), work, out, console)
    assert (out / "copy-none.safetensors").exists()
