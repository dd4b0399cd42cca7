"""The speed benchmark runs whole, in small, where the tests run; what it stores is never less.

Nothing is asserted of how fast anything is: that is what `make bench` is for.
"""

import json
from functools import partial
from importlib.metadata import version

import pytest
import torch

from experiments import speed
from experiments.timing import Group, paired
from posenc_ref import device


@pytest.fixture
def small(monkeypatch):
    """Few tokens, few calls, and compiled code that no compiler has to make."""
    monkeypatch.setattr(speed, "SHAPE", (1, 2, 16, 8))
    monkeypatch.setattr(speed, "PROMPT", (1, 2, 16, 8))
    monkeypatch.setattr(speed, "KEYS", 16)
    monkeypatch.setattr(torch, "compile", partial(torch.compile, backend="eager"))
    monkeypatch.setattr(speed, "paired", partial(paired, rounds=2, warm_up=1))


@pytest.mark.filterwarnings("ignore")  # those of the peers, where they are installed
def test_every_group_is_measured(small):
    with torch.no_grad():
        measured = {g.name: speed.measure(g, device()) for g in speed.groups(device())}
    assert {" ".join(name.split()[:2]) for name in measured} == {
        *("rope eager", "rope compiled", "rope decode", "alibi prompt", "alibi decode"),
    }
    for name, group in measured.items():
        cases = group["cases"]
        assert cases[0]["ratio"] == 1.0, name
        assert any(case["case"].startswith("reference") for case in cases), name
        assert all(case["median_us"] > 0 for case in cases), name
        assert 0 < group["aim"] <= 1, name
        assert group["machine"]["torch"] == version("torch")


def test_the_cases_of_a_group_give_the_same(small):
    q, k, v = torch.randn(3, 1, 2, 16, 8)
    with torch.no_grad():
        first, *others = speed.attention(q, k, v).values()
        for other in others:
            torch.testing.assert_close(other().view(q.shape), first().view(q.shape))
        for layout in speed.LAYOUTS:
            turned = {name: case() for name, case in speed.decode_step(q, k, layout).items()}
            for name, both in turned.items():
                rows = [x.transpose(1, 2) if name == "torchtune" else x for x in both]
                torch.testing.assert_close(rows, [*turned["reference"]], msg=name)


def _group(*cases):
    rows = [{"case": case, "median_us": 1.0, "ratio": 1.0} for case in cases]
    return {"setting": "(1, 1)", "aim": 1.0, "cases": rows, "machine": {}}


def test_stored_results_are_never_replaced_by_fewer(tmp_path, capsys):
    path = tmp_path / "speed.json"
    speed.store({"one": _group("peer", "reference"), "two": _group("reference")}, path)
    speed.store({"one": _group("reference"), "two": _group("peer", "reference")}, path)
    assert "one: not stored, the stored one has peer too" in capsys.readouterr().out
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert [[case["case"] for case in group["cases"]] for group in stored.values()] == [
        ["peer", "reference"],
        ["peer", "reference"],
    ]
    assert list(tmp_path.glob("*")) == [path]


def test_each_round_has_an_order_of_its_own():
    called = []
    cases = {name: lambda name=name: called.append(name) for name in "abc"}
    paired(Group("names", "", cases), rounds=8, warm_up=0)
    rounds = {tuple(called[start : start + 3]) for start in range(0, 24, 3)}
    assert len(rounds) > 1
    assert all(set(one) == set("abc") for one in rounds)


def test_ratios_are_to_the_first_case():
    x = torch.ones(2**20)
    slow = lambda: [x.sum() for _ in range(20)]
    rows = paired(Group("sums", "", {"many": slow, "one": x.sum}, calls=2), rounds=3)
    assert [row["case"] for row in rows] == ["many", "one"]
    assert (rows[0]["ratio"], rows[0]["quartiles"]) == (1.0, [1.0, 1.0])
