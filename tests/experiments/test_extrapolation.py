"""The laboratory: its measure, its being stopped and taken up, what it stores and what it refuses.

Twenty steps on a made-up text; no numbers of a real training are asserted.
"""

import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from torch import nn

from experiments import extrapolation
from experiments.extrapolation_data import corpus
from experiments.extrapolation_measure import excess, fresh_losses
from experiments.extrapolation_settings import METHODS, TUNED
from posenc_viz.stored import stored

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "experiments" / "results"
CHAPTER = ROOT / "chapters" / "09_extrapolation.py"
SCALED = {"rope+pi", "rope+ntk", "rope+parts", "rope+yarn"}


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


def test_bytes_that_are_hard_to_predict_are_no_excess(text):
    # the loss of a byte is that of its frequency, wherever it stands: every control has to match
    model = ByWordAndPosition(torch.arange(5.0), trained=16, bet=0.0)
    row = excess(model, text, fresh_losses(model, text, 16), 16, 128)
    assert row["excess"] == 0
    assert row["by_position"] == [0.0] * 15
    assert row["loss"] == row["fresh"] > 1.5


def test_a_break_at_the_trained_length_is_found_there(text):
    bet = 2.0
    model = ByWordAndPosition(torch.zeros(5), trained=16, bet=bet)
    row = excess(model, text, fresh_losses(model, text, 16), 16, 32)
    right = math.log(4 + math.exp(bet)) - math.log(5)  # the loss of bytes 1 … 4 grows by this
    share = sum((text[1:].view(-1, 32)[:, 16:] == 0).flatten().tolist()) / 1024
    assert row["excess"] == pytest.approx(right - share * bet, abs=1e-4)
    assert row["by_position"][0] == 0  # bytes 8 … 15, inside the trained length
    assert sum(row["by_position"][1:]) / 2 == pytest.approx(row["excess"], abs=1e-4)


@pytest.fixture
def options(tmp_path, monkeypatch):
    """The command line of a run of twenty steps, which ends in seconds."""
    monkeypatch.setenv("POSENC_DEVICE", "cpu")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    path = tmp_path / "text.txt"
    path.write_bytes(bytes(97 + n * n % 11 + n % 7 for n in range(4000)))
    yield [
        *("--steps", "20", "--seeds", "1", "--length", "16", "--text", str(path)),
        *("--methods", "rope", "kerple"),
    ]
    torch.set_num_threads(threads)


def run(monkeypatch, arguments, out, work):
    command = ["extrapolation.py", *arguments, "--out", str(out), "--work", str(work)]
    monkeypatch.setattr(sys, "argv", command)
    extrapolation.main()
    results = json.loads(out.read_text(encoding="utf-8"))
    results.pop("command")
    return results


def killed(arguments, out, work):
    """Start the run, and kill it when the first checkpoint of the first method is there."""
    script = ROOT / "experiments" / "extrapolation.py"
    command = [sys.executable, str(script), *arguments, "--out", str(out), "--work", str(work)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while not list(work.rglob("rope-0.pt")):
        assert process.poll() is None
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


def test_a_killed_run_goes_on_and_gives_the_same(options, tmp_path, monkeypatch):
    whole = run(monkeypatch, options, tmp_path / "whole.json", tmp_path / "whole")
    out, work = tmp_path / "killed.json", tmp_path / "killed"
    killed(options, out, work)
    assert not out.exists()
    (checkpoint,) = work.rglob("rope-0.pt")
    assert 0 < torch.load(checkpoint, weights_only=True)["step"] <= 20
    assert run(monkeypatch, options, out, work) == whole
    assert_whole(whole, [0], {"rope", "kerple"}, [16, 32, 64, 128])


def test_finished_work_is_not_done_again(options, tmp_path, monkeypatch):
    few = [*options[:-1]]  # rope alone
    first = run(monkeypatch, few, tmp_path / "a.json", tmp_path / "work")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "work").rglob("*.*")}
    second = run(monkeypatch, few, tmp_path / "b.json", tmp_path / "work")
    assert second == first
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "work").rglob("*.*")} == before


def assert_whole(results, seeds, methods, lengths):
    """Every method at every length in every seed, once; RoPE's scalings beyond the trained one."""
    want = [(method, seed, length) for method in methods for seed in seeds for length in lengths]
    if "rope" in methods:
        want += [(one, seed, n) for one in SCALED for seed in seeds for n in lengths[1:]]
        want += [(TUNED, seed, length) for seed in seeds for length in lengths]
    rows = [(row["method"], row["seed"], row["length"]) for row in results["rows"]]
    assert sorted(rows) == sorted(want)
    for row in results["rows"]:
        assert row["excess"] == pytest.approx(row["loss"] - row["fresh"], abs=2e-4)
        assert len(row["by_position"]) == 2 * row["length"] // lengths[0] - 1
    assert results["machine"].keys() >= {"device", "threads", "python", "torch"}
    assert results["settings"]["lengths"] == lengths
    assert results["seeds"] == seeds


@pytest.mark.parametrize(
    ("name", "variable", "methods", "seeds"),
    [
        ("extrapolation", "results", set(METHODS), 3),
        ("extrapolation_nope", "longer", {"nope"}, 2),
    ],
)
def test_the_stored_results_are_whole_and_those_that_the_chapter_draws(
    name, variable, methods, seeds
):
    results = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    assert stored(name) == results
    assert results["settings"]["steps"] >= 1500
    assert results["command"].startswith("python experiments/extrapolation.py")
    assert_whole(results, list(range(seeds)), methods, [128, 256, 512, 1024])
    assert f'{variable} = stored("{name}")' in CHAPTER.read_text(encoding="utf-8")


def test_the_longer_run_differs_from_the_first_in_its_steps_alone():
    first, longer = stored("extrapolation"), stored("extrapolation_nope")
    assert longer["settings"]["steps"] == 4 * first["settings"]["steps"]  # "four times", 四倍
    for results in (first, longer):
        for name in ("steps", "tuning_steps"):
            results["settings"].pop(name)
    for what in ("settings", "text", "machine"):
        assert longer[what] == first[what], what


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--methods", "rope", "xpos"], "invalid choice: 'xpos'"),
        (["--steps", "0"], "a whole number from 1 on is needed, not '0'"),
        (["--length", "15"], "an even length is needed, not '15'"),
    ],
)
def test_wrong_options_are_named(arguments, message, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["extrapolation.py", *arguments])
    with pytest.raises(SystemExit, match="2"):
        extrapolation.main()
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("size", "message"),
    [(1000, "1000 bytes are too short for windows of 128; .* at least 1032"), (None, "No such")],
)
def test_a_text_that_will_not_do_is_refused(size, message, tmp_path, monkeypatch):
    path = tmp_path / "short.txt"
    if size:
        path.write_bytes(b"x" * size)
    command = ["extrapolation.py", "--length", "16", "--text", str(path), "--work", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", command)
    with pytest.raises(SystemExit) as refusal:
        extrapolation.main()
    assert re.search(message, str(refusal.value))


def test_what_is_held_out_is_not_trained_on(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes(bytes(range(64, 128)) * 64)
    text = corpus(path, 100)
    assert len(text.train) + len(text.held_out) == 4096
    assert len(text.held_out) == 512
    assert text.vocabulary == 64
    assert torch.cat((text.train, text.held_out)).tolist() == [b - 64 for b in path.read_bytes()]
