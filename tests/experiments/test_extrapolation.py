"""The laboratory: its text, its fair start, its measure, its statistics, and what it stores.

Four steps at length 16; no numbers of a real training are asserted.
"""

import json
import math
import statistics
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from experiments import extrapolation
from experiments.extrapolation_compare import comparisons, interval, t_quantile
from experiments.extrapolation_data import corpus
from experiments.extrapolation_measure import by_context, excess, fresh_losses
from experiments.extrapolation_models import untrained
from experiments.extrapolation_settings import (
    COMPARED,
    METHODS,
    OWN_WEIGHTS,
    TUNED,
    Settings,
    candidates,
)
from experiments.extrapolation_train import Plan, train
from posenc_viz.stored import stored

ROOT = Path(__file__).parents[2]
SMALL = Settings(
    steps=4, length=16, rates=(0.003, 0.01), tuning_steps=2, evaluations=2, blocks=4, watched=2
)
SCALED = {"rope+pi", "rope+ntk", "rope+parts", "rope+yarn"}


def test_no_part_of_the_text_is_in_another():
    text = corpus()
    parts = [text.train, text.validation, text.test]
    raw = b"First Citizen:\nBefore we proceed any further, hear me speak.\n\nAll:\nSpeak, speak."
    symbols = sorted({*b"!$&',-.3:;?\n ", *range(65, 91), *range(97, 123)})
    assert bytes(symbols[token] for token in text.train[: len(raw)].tolist()) == raw
    assert [len(part) for part in parts] == [892316, 111539, 111539]
    assert len(torch.cat(parts).unique()) == text.vocabulary == 65


def test_all_methods_of_a_seed_start_from_the_same_shared_weights():
    models = {m: untrained(SMALL, 65, m, seed=3) for m in METHODS}
    for method, model in models.items():
        own = {name for name in model.state_dict() if name.startswith("encoding.")}
        assert bool(own) == (method in OWN_WEIGHTS)
        for name, weight in models["nope"].state_dict().items():
            torch.testing.assert_close(model.state_dict()[name], weight, rtol=0, atol=0)
    words = models["nope"].words.weight
    assert not torch.equal(words, untrained(SMALL, 65, "nope", seed=4).words.weight)
    tokens, at = torch.tensor([[5, 6]]), torch.arange(2)
    rows = [models[m].encoding.embed(words[tokens], at)[0] for m in METHODS if "sinus" in m]
    torch.testing.assert_close(rows[1] - rows[0], 7 * words[tokens])  # √64 - 1


def test_one_rule_gives_every_method_its_candidates():
    for method in METHODS:
        tried = [(job.rate, job.factor) for job in candidates(SMALL, method)]
        assert tried[:2] == [(0.003, 1), (0.01, 1)]
        assert tried[2:] == ([(0.003, 10)] if method in OWN_WEIGHTS else [])


class ByWordAndPosition(nn.Module):
    """Knows nothing but how often each byte occurs, and past `trained` bets on byte 0."""

    def __init__(self, logits, trained, bet):
        super().__init__()
        self.logits = nn.Parameter(logits)
        self.trained, self.bet = trained, bet

    def forward(self, tokens):
        logits = self.logits.repeat(*tokens.shape, 1)
        logits[:, self.trained :, 0] += self.bet
        return logits


@pytest.fixture
def text():
    return torch.randint(5, (2049,), generator=torch.Generator().manual_seed(0))


def test_bytes_that_are_hard_to_predict_are_not_an_excess(text):
    # the loss of a byte is that of its frequency, wherever it stands: every control has to match
    model = ByWordAndPosition(torch.arange(5.0), trained=16, bet=0.0)
    measured = excess(model, text, fresh_losses(model, text, 16), 16, 128, blocks=16)
    assert measured.blocks.tolist() == [0] * 16
    assert measured.by_position == [0.0] * 15
    assert measured.loss == pytest.approx(measured.fresh)
    assert measured.loss > 1.5


def test_a_break_at_the_trained_length_is_found_there(text):
    bet = 2.0
    model = ByWordAndPosition(torch.zeros(5), trained=16, bet=bet)
    measured = excess(model, text, fresh_losses(model, text, 16), 16, 32, blocks=16)
    right = math.log(4 + math.exp(bet)) - math.log(5)  # the loss of bytes 1 … 4 grows by this
    late = text[1:].view(16, 4, 32)[:, :, 16:] == 0  # (blocks, windows, targets)
    of_each = [right - share * bet for share in late.double().mean((1, 2)).tolist()]
    assert measured.blocks.tolist() == pytest.approx(of_each, abs=1e-5)
    assert measured.mean == pytest.approx(statistics.mean(of_each), abs=1e-5)
    assert measured.by_position[0] == 0  # bytes 8 … 15, inside the trained length
    assert sum(measured.by_position[1:]) / 2 == pytest.approx(measured.mean, abs=1e-5)


def test_losses_by_context_double_in_length():
    fresh = torch.arange(1.0, 17).repeat(3, 1)  # the target at index p has p + 1 bytes before it
    assert by_context(fresh) == [1, 2.5, 5.5, 11.5]


def test_t_is_that_of_the_tables():
    table = {(0.05, 4): 2.776, (0.01, 4): 4.604, (0.001, 4): 8.610, (0.05, 1): 12.706}
    for (share, freedom), value in table.items():
        assert t_quantile(share, freedom) == pytest.approx(value, abs=5e-4)


def ratio(size):
    """How much wider an interval is as one of 20, for so many numbers."""
    return t_quantile(0.05 / 20, size - 1) / t_quantile(0.05, size - 1)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(-50, 50), min_size=3, max_size=6), st.integers(-9, 9))
def test_an_interval_moves_with_its_numbers_and_grows_with_the_comparisons(numbers, shift):
    low, high = interval(numbers, 1)
    assert interval([n + shift for n in numbers], 1) == pytest.approx((low + shift, high + shift))
    wider = interval(numbers, 20)
    assert wider[1] - wider[0] == pytest.approx((high - low) * ratio(len(numbers)))


def test_differences_are_paired_by_seed_and_by_block():
    of_seed, of_block = [0.0, 5.0, 9.0], [3.0, 1.0, 2.0]  # both scatter widely
    lead = [1.0, 1.1, 1.2]
    rows = [
        {
            "method": name,
            "seed": seed,
            "length": 8,
            "blocks": [of_seed[seed] + block + ahead * lead[seed] for block in of_block],
        }
        for name, ahead in (("low", 0), ("high", 1))
        for seed in (2, 0, 1)
    ]
    (compared,) = comparisons(rows, [("high", "low"), ("high", "absent")], [8, 16])
    wide = 4.303 * 0.1 / 3**0.5
    assert compared["difference"] == pytest.approx(1.1)
    assert compared["interval"] == pytest.approx([1.1 - wide, 1.1 + wide], abs=1e-3)
    assert compared["text_error"] == 0
    assert compared["holds"]


def test_a_stopped_run_goes_on_and_gives_the_same(tmp_path):
    text = corpus().train[:1000]
    plan = Plan(steps=6, length=8, rows=2, rate=0.01, factor=10.0, seed=0, interval=2)

    def trained(path, evaluate):
        model = untrained(SMALL, 65, "kerple", 0)
        return model, train(model, text, plan, path, evaluate)

    def stops(model):
        if (tmp_path / "stopped.pt").exists():
            raise KeyboardInterrupt
        return [0.5]

    whole, history = trained(tmp_path / "whole.pt", lambda model: [0.5])
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path / "stopped.pt", stops)
    assert torch.load(tmp_path / "stopped.pt", weights_only=True)["step"] == 2
    again, continued = trained(tmp_path / "stopped.pt", lambda model: [0.5])
    assert continued == history == [[0, 0.5], [2, 0.5], [4, 0.5], [6, 0.5]]
    for weight, other in zip(whole.parameters(), again.parameters(), strict=True):
        torch.testing.assert_close(weight, other, rtol=0, atol=0)


def test_a_short_run_is_whole_repeats_and_is_not_done_again(tmp_path, monkeypatch):
    jobs = []
    run = lambda work: extrapolation.run(SMALL, ["rope", "kerple"], 2, work, jobs.append)
    first = run(tmp_path / "a")
    assert_whole(first, {"rope", "kerple"})
    done = len(jobs)
    assert run(tmp_path / "a") == first
    assert len(jobs) == done
    alone = extrapolation.run(SMALL, ["kerple"], 2, tmp_path / "b", jobs.append)
    assert alone["rows"] == [row for row in first["rows"] if row["method"] == "kerple"]
    done = len(jobs)
    extrapolation.run(replace(SMALL, layers=1), ["kerple"], 1, tmp_path / "a", jobs.append)
    assert len(jobs) > done  # other settings: nothing is taken up
    formula, done = tmp_path / "kerple.py", len(jobs)
    formula.touch()
    monkeypatch.setattr(extrapolation, "SOURCES", [*extrapolation.SOURCES, formula])
    extrapolation.run(SMALL, ["kerple"], 1, tmp_path / "b", jobs.append)
    assert len(jobs) == done
    formula.write_text("# mended", encoding="utf-8")
    extrapolation.run(SMALL, ["kerple"], 1, tmp_path / "b", jobs.append)
    assert len(jobs) > done  # another formula: nothing is taken up either
    json.dumps(first)


def assert_whole(results, methods):
    """Every method at every length in every seed, once; RoPE's scalings beyond the trained one."""
    lengths, seeds = results["settings"]["lengths"], results["seeds"]
    trained = methods | set(TUNED if "rope" in methods else ())
    want = [(method, seed, length) for method in trained for seed in seeds for length in lengths]
    if "rope" in methods:
        want += [(one, seed, n) for one in SCALED for seed in seeds for n in lengths[1:]]
    rows = [(row["method"], row["seed"], row["length"]) for row in results["rows"]]
    assert sorted(rows) == sorted(want)
    for row in results["rows"]:
        assert row["excess"] == pytest.approx(row["loss"] - row["fresh"], abs=2e-4)
        assert len(row["by_position"]) == 2 * row["length"] // lengths[0] - 1
    present = {row["method"] for row in results["rows"]}
    pairs = [(a, b, n) for a, b in COMPARED for n in lengths[1::2] if {a, b} <= present]
    assert [(one["a"], one["b"], one["length"]) for one in results["comparisons"]] == pairs
    for method in trained:
        tried = [one for one in results["tried"] if one["method"] == method]
        best = min(tried, key=lambda one: one["validation"])
        runs = [one for one in results["training"] if one["method"] == method]
        assert [one["seed"] for one in runs] == seeds
        assert {(one["rate"], one["factor"]) for one in runs} == {(best["rate"], best["factor"])}


def test_the_stored_results_are_whole_of_this_text_and_those_that_the_chapter_draws():
    path = ROOT / "experiments" / "results" / "extrapolation.json"
    results = json.loads(path.read_text(encoding="utf-8"))
    assert stored("extrapolation") == results
    assert results["settings"] == json.loads(json.dumps(Settings().described))
    assert len(results["seeds"]) >= 5
    assert_whole(results, set(METHODS))
    text = corpus()
    assert results["text"]["sha256"] == text.sha256
    assert [results["text"][part] for part in ("train", "validation", "test")] == [
        len(part) for part in (text.train, text.validation, text.test)
    ]


def test_every_stored_difference_is_that_of_its_rows():
    results = stored("extrapolation")
    excess = {(row["method"], row["length"], row["seed"]): row["excess"] for row in results["rows"]}
    for one in results["comparisons"]:
        differences = [
            excess[one["a"], one["length"], seed] - excess[one["b"], one["length"], seed]
            for seed in results["seeds"]
        ]
        assert one["difference"] == pytest.approx(statistics.mean(differences), abs=2e-4)
        right = interval(differences, len(results["comparisons"]))
        assert one["interval"] == pytest.approx(right, abs=2e-3)


def test_the_folder_of_the_results_is_made_before_the_training(tmp_path, monkeypatch):
    path = tmp_path / "new" / "folder" / "my.json"
    monkeypatch.setattr("sys.argv", ["extrapolation.py", "--out", str(path)])
    assert extrapolation.parse().out == path
    assert path.parent.is_dir()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--methods", "rope", "xpos"], "invalid choice: 'xpos'"),
        (["--steps", "0"], "must be a whole number of at least 1, got '0'"),
        (["--seeds", "2"], "--out is needed"),
        (["--out", "."], "'.' cannot be written"),
        (["--out", f"{__file__}/new.json"], "new.json' cannot be written"),
    ],
)
def test_wrong_options_are_named(arguments, message, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["extrapolation.py", *arguments])
    with pytest.raises(SystemExit, match="2"):
        extrapolation.parse()
    assert message in capsys.readouterr().err
