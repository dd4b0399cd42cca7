"""The published configs: each is read, and says what upstream's class computes from it."""

import json

import pytest
import torch

from posenc_ref import from_config
from posenc_ref.command.arguments import main
from posenc_ref.published import SOURCES, published


def rotary(name):
    return from_config(published(name)).layers[0].rotary


@pytest.mark.parametrize("name", SOURCES)
def test_a_published_config_is_json_and_its_only_remark_is_on_a_field_that_nothing_reads(name):
    assert isinstance(json.loads(published(name).read_text(encoding="utf-8")), dict)
    whole = from_config(published(name))
    remarks = [r for part in (whole, *whole.parts.values()) for r in part.remarks]
    expected = ["offset_alibi"] if name == "bloomz_1b7" else []
    assert [remark.values["field"] for remark in remarks] == expected


def test_every_file_has_its_source():
    files = {path.stem for path in published("llama_3_1_8b").parent.glob("*.json")}
    assert files == set(SOURCES)


def test_an_unknown_name_is_told_which_there_are():
    with pytest.raises(ValueError, match="bloomz_1b7"):
        published("gpt_5")


def test_the_lengths_and_bases_are_those_that_the_papers_report():
    llama, deepseek = rotary("llama_3_1_8b"), rotary("deepseek_v3")
    assert (llama.base, llama.trained_length, llama.max_length) == (5e5, 8192, 131072)
    assert (deepseek.rotated, deepseek.layout, deepseek.trained_length) == (64, "interleaved", 4096)
    assert deepseek.score_factor == pytest.approx(1.874, abs=1e-3)  # (0.1 ln 40 + 1)²
    layers = from_config(published("gemma_3_4b_saved_again")).layers
    assert [i for i, layer in enumerate(layers) if layer.window is None] == [5, 11, 17, 23, 29]
    assert {(layer.rotary.base, layer.window) for layer in layers} == {(1e4, 1024), (1e6, None)}


def test_the_short_file_of_gemma_leaves_unsaid_what_the_long_one_says():
    text = from_config(published("gemma_3_4b")).parts["text_config"]
    assert {"rope_theta", "head_dim", "layer_types"} <= set(text.unsaid)
    assert rotary("gemma_3_4b_saved_again").base == 1e4


def test_bloom_has_the_slopes_of_sixteen_heads():
    bias = from_config(published("bloomz_1b7")).layers[0].bias
    expected = torch.tensor([2 ** (-(h + 1) / 2) for h in range(16)])
    assert torch.allclose(bias.slopes().float(), expected)


@pytest.mark.parametrize("name", SOURCES)
def test_the_command_explains_it(name, capsys):
    main([str(published(name)), "--language", "both"])
    printed = capsys.readouterr()
    assert "层" in printed.out
    assert printed.err == ""
