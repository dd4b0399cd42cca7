"""What from_config reads is what transformers computes, in each architecture, layer by layer.

The cases are default configs; tools/golden/architectures.py says how they were made. What is not
compared is named in tools/museum/left.py with its reason, so that the number of the others cannot
shrink unseen.
"""

import json
from collections import Counter
from pathlib import Path

import pytest
import torch

from posenc_ref import alibi_falcon, from_config
from tests.one_test import one_test
from tools.museum.left import (
    LAYERS_LEFT,
    ROTARY_LEFT,
    TABLES_LEFT,
    has_own_positions,
    rotates_beside_parts,
)

ROW = 3  # of a sinusoidal table, as in the tool
COUNTS = {
    "compared, and equal": 354,
    "made of other configs, which are cases": 203,
    "made so, frequencies beside compared, and equal": 12,
    "made so, and with fields of positions besides": 23,
    "no positions that a module holds": 109,
    "upstream builds no model of the default config": 63,
    "named with a reason": 41,
}


def golden_cases():
    path = Path(__file__).parents[1] / "golden" / "architectures.json"
    return json.loads(path.read_text(encoding="utf-8"))["cases"]


CASES = golden_cases()
# upstream's answer: it builds no model, or the configs inside are cases of their own
READ = [case for case in CASES if not {"left_out", "parts"} & case["values"].keys()]


def having(*keys, left=()):
    """Make one test of the cases in which upstream has one of these."""
    return all_of(c for c in READ if set(keys) & c["values"].keys() and c["model_type"] not in left)


def all_of(cases):
    return one_test(((case,) for case in cases), lambda case: case["model_type"])


def close(numbers, expected):
    """Return whether a row has the length, the eight numbers and the sum that the tool kept."""
    row = numbers.double().cpu()
    at = torch.linspace(0, len(row) - 1, min(8, len(row))).round().long().cpu()
    upstream = [*expected["some"], expected["sum"]]
    return len(row) == expected["count"] and [*row[at].tolist(), float(row.sum())] == pytest.approx(
        upstream, rel=3e-6, abs=3e-7
    )


def distinct(layers):
    rotaries = []
    for layer in layers:
        if layer.rotary is not None and layer.rotary not in rotaries:
            rotaries.append(layer.rotary)
    return rotaries


@having("rotary", left=ROTARY_LEFT)
def test_frequencies_and_attention_factors_are_upstream_s(case):
    encodings, expected = from_config(case["config"]), case["values"]["rotary"]
    if case["values"].get("slopes"):
        assert distinct(encodings.layers) == []  # Falcon makes the module, and does not use it
        return
    answers = [rotary.frequencies() for rotary in distinct(encodings.layers)]
    for name, numbers in expected.items():
        assert any(
            close(omega, numbers) and factor == pytest.approx(numbers["attention_factor"])
            for omega, factor in answers
        ), name
    for omega, _ in answers:
        assert any(close(omega, numbers) for numbers in expected.values())


@all_of(case for case in CASES if rotates_beside_parts(case))
def test_frequencies_beside_parts_are_upstream_s(case):
    (rotary,) = distinct(from_config(case["config"]).layers)
    omega, factor = rotary.frequencies()
    (numbers,) = case["values"]["own_rotary"].values()
    assert close(omega, numbers)
    assert factor == pytest.approx(numbers["attention_factor"])


@all_of(case for case in CASES if "config" in case)
def test_no_default_config_is_refused(case):
    from_config(case["config"])


@having("layers", left=LAYERS_LEFT)
def test_layers_rotate_and_see_as_far_as_upstream_s(case):
    encodings = from_config(case["config"])
    if not encodings.layers:
        assert encodings.unsaid  # no number of layers that holds for one stack
        return
    stacks = case["values"]["layers"]
    for name, expected in stacks.items():
        stack = next((s for s in ("encoder", "decoder") if s in name), "")
        layers = encodings.stacks.get(stack, encodings.stacks.get(""))
        if layers is None or (len(stacks) > 1 and stack not in encodings.stacks):
            continue  # stacks that the config has no field for: a resampler, a backbone
        attending = [layer for layer in layers if layer.attends]
        upstream = [expected[letter] for letter in expected["order"]]
        if case["model_type"] not in ROTARY_LEFT:
            turned = [layer.rotary is not None for layer in attending]
            assert turned == [layer["rotates"] for layer in upstream]
            widths = [(a.window, e) for a, e in zip(attending, upstream, strict=True)]
            assert [w for w, e in widths if e.get("mask")] == [
                e["window"] for _, e in widths if e.get("mask")
            ]


@having("pairs", "functions", left=ROTARY_LEFT)
def test_the_layout_is_upstream_s(case):
    values = case["values"]
    layouts = {pairs["layout"] for pairs in values.get("pairs", ())} or {
        *values.get("functions", {}).values()
    }
    for rotary in distinct(from_config(case["config"]).layers):
        assert rotary.layout in layouts or "layout" in from_config(case["config"]).unsaid


@having("pairs", left={*ROTARY_LEFT, *LAYERS_LEFT})
def test_as_many_channels_turn_as_upstream_s(case):
    turned = {  # a share of 21 channels is rounded up to pairs
        rotary.rotated + rotary.rotated % 2
        for rotary in distinct(from_config(case["config"]).layers)
    }
    assert turned <= {pairs["rotated"] for pairs in case["values"]["pairs"]}


@having("tables", left=TABLES_LEFT)
def test_tables_have_upstream_s_rows_offset_and_numbers(case):
    encodings, expected = from_config(case["config"]), [*case["values"]["tables"].values()]
    rotary = distinct(encodings.layers)
    if not encodings.tables:
        if "rotary" in case["values"] or "buckets" in case["values"]:
            return  # held to its frequencies or buckets, which is what positions are there
        (only,) = expected  # GPT-J, CodeGen, RoFormer: a table of the sines that rotate
        omega, _ = rotary[0].frequencies()
        assert close(torch.cat(((ROW * omega).sin(), (ROW * omega).cos())), only[f"row {ROW}"])
        return
    for table in encodings.tables:
        like = [k for k in expected if k["shape"][-2:] == [table.rows, table.dim]]
        assert like, f"{table}, upstream {expected}"
        if "offset" in like[0]:
            assert table.offset == like[0]["offset"]
        if like[0].get("padding") is not None and table.offset:
            assert table.offset in (like[0]["padding"] + 1, like[0].get("offset"))
        if table.kind == "sinusoidal" and f"row {ROW}" in like[0]:
            row = table.table(torch.tensor([ROW - table.offset]))[0]
            assert close(row, like[0][f"row {ROW}"])


@having("buckets")
def test_buckets_are_upstream_s(case):
    encodings = from_config(case["config"])
    for expected in case["values"]["buckets"].values():
        side = "encoder" if expected["bidirectional"] else "decoder"
        stack = encodings.stacks[side]
        bias = stack[0].bias
        assert [bias.buckets, bias.heads] == expected["shape"]
        assert bias.bucket(torch.tensor(expected["relative"])).tolist() == expected["buckets"]


@having("slopes")
def test_slopes_are_upstream_s(case):
    slopes = from_config(case["config"]).layers[0].bias.slopes()
    if case["model_type"] == "falcon":  # its product is rounded to bfloat16
        slopes = alibi_falcon(torch.tensor([1]), slopes)[:, 0, 0]
    assert slopes.tolist() == case["values"]["slopes"]


@all_of(case for case in CASES if "parts" in case["values"])
def test_configs_inside_are_read_as_those_alone(case):
    alone = {c["model_type"]: c for c in READ}
    parts = {n: kind for n, kind in case["values"]["parts"].items() if kind in alone}
    whole = {"model_type": case["model_type"]}
    whole |= {name: alone[kind]["config"] for name, kind in parts.items()}
    for name, part in from_config(whole).parts.items():
        assert part == from_config(alone[parts[name]]["config"])


def test_every_architecture_is_compared_or_named_with_a_reason():
    """Upstream's are all of CONFIG_MAPPING, and Falcon once more, with ALiBi."""
    kinds = Counter()
    for case in CASES:
        values, name = case["values"], case["model_type"]
        if "left_out" in values:
            kinds["upstream builds no model of the default config"] += 1
        elif rotates_beside_parts(case):
            kinds["made so, frequencies beside compared, and equal"] += 1
        elif has_own_positions(case):
            kinds["made so, and with fields of positions besides"] += 1
        elif "parts" in values:
            kinds["made of other configs, which are cases"] += 1
        elif not {"rotary", "tables", "buckets", "slopes"} & values.keys():
            kinds["no positions that a module holds"] += 1
        elif name in ROTARY_LEFT or (name in TABLES_LEFT and "rotary" not in values):
            kinds["named with a reason"] += 1
        else:
            kinds["compared, and equal"] += 1
    assert kinds == COUNTS


@pytest.mark.parametrize("left", [ROTARY_LEFT, TABLES_LEFT, LAYERS_LEFT])
def test_what_is_left_out_is_there(left):
    assert left.keys() <= {case["model_type"] for case in READ}
