"""The speed benchmark runs whole, in small, where the tests run; what it stores is never less.

Nothing is asserted of how fast anything is: that is what `make bench` is for.
"""

import json
from functools import partial
from pathlib import Path

import pytest
import torch

from experiments import speed, speed_alibi, speed_page, speed_rope
from experiments.timing import Group, paired, peak_memory
from posenc_ref import device

RESULTS = Path(__file__).parents[2] / "experiments" / "results"


@pytest.fixture
def small(monkeypatch):
    """Few tokens, few calls, and compiled code that no compiler has to make."""
    monkeypatch.setattr(speed_rope, "SHAPE", (1, 2, 16, 8))
    monkeypatch.setattr(speed_alibi, "SHAPE", (1, 2, 128, 16))
    monkeypatch.setattr(torch, "compile", partial(torch.compile, backend="eager"))
    monkeypatch.setattr(speed, "paired", partial(paired, rounds=2, warm_up=1))


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(speed, "RESULTS", tmp_path)
    monkeypatch.setattr(speed_page, "PAGE", tmp_path / "speed.md")
    return tmp_path


@pytest.mark.filterwarnings("ignore")  # those of the peers, where they are installed
@pytest.mark.parametrize("module", [speed_rope, speed_alibi], ids=lambda module: module.__name__)
def test_every_group_is_measured(module, small):
    where = device()
    with torch.no_grad():
        measured = {group.name: speed.measure(group, where) for group in module.groups(where)}
    assert {name.split()[0] for name in measured} == {module.__name__.rpartition("_")[2]}
    for group in measured.values():
        first, *others = group["cases"]
        assert first["ratio"] == 1.0
        assert others
        assert all(case["median_us"] > 0 and case["peak_MiB"] >= 0 for case in group["cases"])
        assert group["machine"]["torch"] == torch.__version__


def test_peak_memory_is_what_torch_held_at_once():
    x = torch.ones(2**18)  # 1 MiB
    found = peak_memory([("two", lambda: x + 1 + 1), ("none", lambda: x.add_(1))])
    assert {name: bytes_ // 2**20 for name, bytes_ in found.items()} == {"two": 2, "none": 0}


def _group(*cases):
    rows = [
        {"case": case, "median_us": 1.0, "ratio": 1.0, "quartiles": [1.0, 1.0], "peak_MiB": 0.0}
        for case in cases
    ]
    return {"setting": "(1, 1)", "cases": rows, "machine": {"torch": "2.13.0", "device": "cpu"}}


def test_what_is_stored_is_never_replaced_by_less(folder, capsys):
    cpu = torch.device("cpu")
    speed.store(cpu, {"one": _group("copy_", "peer"), "two": _group("copy_")})
    speed.store(cpu, {"one": _group("copy_"), "two": _group("copy_", "peer")})
    assert "one: not stored, for what is stored has peer too" in capsys.readouterr().out
    (file,) = folder.glob("*")
    stored = json.loads(file.read_text(encoding="utf-8"))
    assert [[case["case"] for case in group["cases"]] for group in stored.values()] == [
        ["copy_", "peer"],
        ["copy_", "peer"],
    ]


def test_other_conditions_are_stored_apart(folder, monkeypatch):
    monkeypatch.setattr(speed, "HUGE_PAGES", True)
    speed.store(torch.device("cuda"), {"one": _group("copy_")})
    monkeypatch.setattr(speed, "_flushed", lambda: True)
    speed.store(torch.device("cpu"), {"one": _group("copy_")})
    assert sorted(file.name for file in folder.glob("*")) == [
        "speed-cuda-huge-pages.json",
        "speed-huge-pages-denormals-flushed.json",
    ]


def test_each_round_has_an_order_of_its_own():
    called = []
    cases = {name: lambda name=name: called.append(name) for name in "abc"}
    paired(Group("names", "", cases), rounds=8, warm_up=0)
    rounds = {tuple(called[start : start + 3]) for start in range(0, 24, 3)}
    assert len(rounds) > 1
    assert all(set(one) == set("abc") for one in rounds)


def test_the_page_is_that_of_the_stored_results():
    assert speed_page.PAGE.read_text(encoding="utf-8") == speed_page.page(RESULTS)


def test_the_page_has_every_case(folder):
    speed.store(torch.device("cpu"), {"one": _group("copy_", "peer")})
    speed_page.write_page(folder)
    text = speed_page.PAGE.read_text(encoding="utf-8")
    assert "## one, (1, 1) (speed)" in text
    assert "| peer | 1.0 | 1.0 | 1.0 – 1.0 | 0.0 |" in text
    assert speed_page.NO_ACCELERATOR in text
    speed.store(torch.device("cuda"), {"one": {**_group("copy_"), "machine": {"device": "cuda"}}})
    assert "(speed-cuda)" in speed_page.page(folder)
    assert speed_page.NO_ACCELERATOR not in speed_page.page(folder)


def test_ratios_are_to_the_first_case():
    x = torch.ones(2**20)
    slow = lambda: [x.sum() for _ in range(20)]
    rows = paired(Group("sums", "", {"many": slow, "one": x.sum}, calls=2), rounds=3)
    assert [row["case"] for row in rows] == ["many", "one"]
    assert (rows[0]["ratio"], rows[0]["quartiles"]) == (1.0, [1.0, 1.0])
