"""`python -m posenc_ref`: configs as found in public, and defaults, explained in both languages."""

import json
import re
import subprocess
import sys
from contextlib import suppress
from copy import deepcopy
from pathlib import Path

import pytest

from posenc_ref import from_config
from posenc_ref.command.arguments import main
from posenc_ref.command.columns import columns
from posenc_ref.command.explain import explain as explain_all
from posenc_ref.command.facts import cache_bytes, turns
from posenc_ref.command.layer_table import spans
from posenc_ref.command.stretch import after, stretched
from posenc_ref.config.remarks import ConfigError

FOUND = sorted((Path(__file__).parent / "configs").glob("*.json"))
DEFAULTS = [
    "bloom",
    "deepseek_v2",
    "falcon",
    "gpt_neox",
    "qwen2_vl_text",
    "smollm3",
    "t5",
    "vit",
    "gemma3_text",
    "gpt2",
]
ODD = ["x", "4", -1, 0, 1.5, float("nan"), float("inf"), True, [], {}, None, [1], 3]
HANZI = re.compile("[一-鿿]")
# nothing here needs a device: what is made are words
pytestmark = pytest.mark.cpu_only("words")


def defaults():
    path = Path(__file__).parents[1] / "golden" / "architectures.json"
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return {case["model_type"]: case["config"] for case in cases if "config" in case}


def config_of(name):
    files = {file.stem: file for file in FOUND}
    if name in files:
        return json.loads(files[name].read_text(encoding="utf-8"))
    return defaults()[name]


@pytest.fixture
def explain(tmp_path, capsys):
    def run(name, *options):
        path = tmp_path / "config.json"
        path.write_text(json.dumps(config_of(name)), encoding="utf-8")
        main([str(path), *options])
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize("name", [*(file.stem for file in FOUND), *DEFAULTS])
def test_each_config_is_explained_in_each_language(explain, name):
    english, chinese = (explain(name, "--language", tongue) for tongue in ("en", "zh"))
    assert not HANZI.search(english)
    assert HANZI.search(chinese)
    numbers = [re.findall(r"\d+", text) for text in (english, chinese)]
    assert sorted(numbers[0]) == sorted(numbers[1])
    assert explain(name, "--language", "both") == chinese + english


@pytest.mark.parametrize(
    ("name", "sentences"),
    [
        (
            "llama-3.1-8b",
            [
                "0–31",
                "500 000",
                "128 of 128",
                "llama3 ×8",
                "312 times the trained 8192",
                "up to 65536",
                "allows 131072",
            ],
        ),
        (
            "qwen2.5-coder-32b-yarn",
            ["yarn ×4", "1.139", "131072, and max_position_embeddings is", "32 GiB now"],
        ),
        ("gemma-3-12b-it", ["all or 1024", "layer_types, head_dim, rope_theta", "4096 learned"]),
        ("phi-3.5-mini", ["longrope ×32", "1.19", "LongRoPE's divisors were searched"]),
        ("deepseek-v3", ["interleaved", "64 of 64", "multiplies its scores by 1.874"]),
        ("smollm3", ["3, 7, 11, … 35 (9)", "none", "2 000 000"]),
        ("gemma3_text", ["window 4096", "5, 11, 17, 23", "1 000 000", "no farther than 4096"]),
        ("bloom", ["ALiBi slopes of 8 heads, from 0.5 to 0.003906", "no length"]),
        ("t5", ["encoder 0–5", "32 buckets", "one table for all layers"]),
        ("vit", ["197 learned rows", "the table has to be resized"]),
        ("gpt_neox", ["24 of 96", "4 pairs do not turn once"]),
        ("gpt2", ["1024 learned rows (n_positions), position p in row p + 0", "no more rows"]),
    ],
)
def test_what_matters_is_said(explain, name, sentences):
    text = explain(name, "--language", "en")
    for sentence in sentences:
        assert any(part in text for part in sentence.split("|")), sentence


@pytest.mark.parametrize("name", ["llama-3.1-8b", "qwen2.5-coder-32b-yarn", "deepseek-v3", "llama"])
@pytest.mark.parametrize("times", [2, 4, 16])
def test_what_is_to_be_set_can_be_pasted_and_reaches_so_far(name, times):
    config = config_of(name)
    before = from_config(config)
    change = stretched(config, before, times)
    longer = after(config, change)
    reached = before.layers[0].rotary.trained_length
    if before.layers[0].rotary.scaling == "yarn":
        reached *= before.layers[0].rotary.numbers["factor"]
    assert longer.max_length == times * max(before.max_length, reached)
    slowest = [e.layers[0].rotary.frequencies()[0][-1].item() for e in (before, longer)]
    assert slowest[0] / slowest[1] == pytest.approx(times)
    assert json.loads(json.dumps(change.fields)) == change.fields


def paths(config, above=()):
    for name, value in config.items():
        yield (*above, name)
        if isinstance(value, dict):
            yield from paths(value, (*above, name))


@pytest.mark.parametrize("name", ["gemma3_text", "phi-3.5-mini", "deepseek-v3", "jamba", "vit"])
def test_any_value_in_any_field_is_read_or_refused(name):
    for *above, last in paths(config := config_of(name)):
        for odd in ODD:
            changed = deepcopy(config)
            place = changed
            for field in above:
                place = place[field]
            place[last] = odd
            with suppress(ConfigError):  # no other error
                list(explain_all(changed, from_config(changed), 4.0))


def test_a_factor_that_the_lengths_give_is_multiplied():
    """GPT-OSS says 131072 and 4096, so 32; four times as long is 128."""
    config = config_of("gpt_oss")
    del config["rope_parameters"]["factor"]
    change = stretched(config, from_config(config), 4.0)
    assert change.fields["rope_parameters"]["factor"] == 128


@pytest.mark.parametrize(("window", "reason"), [(4096, "nothing_far"), (8192, "")])
def test_a_window_within_the_trained_length_needs_nothing(window, reason):
    config = {"model_type": "mistral", "hidden_size": 512, "num_attention_heads": 8}
    config |= {"num_hidden_layers": 2, "rope_theta": 1e4, "max_position_embeddings": 4096}
    encodings = from_config(config := config | {"sliding_window": window})
    assert stretched(config, encodings, 4.0).reason == reason
    assert len(list(explain_all(config, encodings, 4.0))) > 2


def test_nested_parameters_are_changed_for_layers_that_see_all_alone():
    config = config_of("gemma3_text")
    longer = after(config, stretched(config, from_config(config), 4.0))
    pairs = zip(from_config(config).layers, longer.layers, strict=True)
    for old, new in pairs:
        assert (old.rotary.scaling != new.rotary.scaling) == (old.reach == "all")


def test_a_pair_is_unfinished_if_it_makes_no_whole_turn():
    """Wavelengths of base 10000, 8 channels: 2π · (1, 10, 100, 1000) = 6.3, 63, 628, 6283."""
    config = {"model_type": "llama", "head_dim": 8, "num_hidden_layers": 1, "rope_theta": 1e4}
    rotary = from_config(config).layers[0].rotary
    assert [turns(rotary, length).unfinished for length in (6, 7, 63, 629, 6284)] == [4, 3, 2, 1, 0]
    assert turns(rotary, 7).longest == pytest.approx(6283.185, abs=0.01)


def test_bytes_of_a_cache():
    """Llama 3.1 8B: 2 · 8 heads · 128 · 2 bytes · 32 layers = 128 KiB a token."""
    config = config_of("llama-3.1-8b")
    assert cache_bytes(config, from_config(config), 1) == 128 * 1024
    shared = config_of("falcon")  # one head of 64 for all 71, 32 layers
    assert cache_bytes(shared, from_config(shared), 10) == 10 * 2 * 64 * 2 * 32
    latent = config_of("deepseek-v3")  # (512 + 64) · 2 bytes · 61 layers
    assert cache_bytes(latent, from_config(latent), 10) == 10 * 576 * 2 * 61


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([0], "0"),
        ([0, 1, 2], "0–2"),
        ([0, 2, 3, 9], "0, 2–3, 9"),
        ([0, 2, 4, 6, 8, 9], "0, 2, 4, … 8–9 (6)"),
    ],
)
def test_spans_of_layers(numbers, text):
    assert spans(numbers) == text


def test_a_hanzi_is_two_columns_wide():
    lines = columns([["层", "x", "y"], ["0–3", "编码", ""], ["10", "b", ""]]).splitlines()
    assert lines == ["层   x", "───  ────", "0–3  编码", "10   b"]


@pytest.mark.parametrize(
    ("text", "word"),
    [(None, "config.json"), ("[]", "list"), ('{"rope_scaling": {"type": "linear"}}', "factor")],
)
def test_bad_input_is_told_in_both_languages(tmp_path, capsys, text, word):
    path = tmp_path / "config.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    for tongue in ("en", "zh"):
        with pytest.raises(SystemExit) as raised:
            main([str(path), "--language", tongue])
        message = capsys.readouterr().err
        assert raised.value.code == 2
        assert word in message
        assert bool(HANZI.search(message)) == (tongue == "zh")


@pytest.mark.parametrize("times", ["0", "1", "nan", "x", "-4"])
def test_a_stretch_is_a_number_above_one(tmp_path, capsys, times):
    with pytest.raises(SystemExit):
        main([str(tmp_path), f"--times={times}"])
    words = " ".join(capsys.readouterr().err.split())
    assert f"--times: 应为大于1、小于10000的数，而不是'{times}'" in words
    assert f"a number above 1 and below 10000, not '{times}'" in words


def test_it_runs_as_a_module():
    run = subprocess.run(
        [sys.executable, "-m", "posenc_ref", str(FOUND[0]), "--language", "en"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert "learned rows" in run.stdout or "RoPE" in run.stdout
    assert run.stderr == ""


SCOUT = {  # Llama 4 Scout's text_config, as published
    "model_type": "llama4_text",
    "attention_chunk_size": 8192,
    "head_dim": 128,
    "hidden_size": 5120,
    "max_position_embeddings": 10485760,
    "no_rope_layers": [],
    "num_attention_heads": 40,
    "num_hidden_layers": 48,
    "num_key_value_heads": 8,
    "rope_scaling": {
        "factor": 16.0,
        "high_freq_factor": 1.0,
        "low_freq_factor": 1.0,
        "original_max_position_embeddings": 8192,
        "rope_type": "llama3",
    },
    "rope_theta": 500000.0,
}


def test_what_llama_4_leaves_to_its_code_is_not_guessed():
    encodings = from_config(SCOUT)
    text = "\n".join(paragraph.en for paragraph in explain_all(SCOUT, encodings, 4.0))
    assert "all or 8192" in text
    assert "no angle is new up to 131072 tokens" in text  # 16 · 8192
    assert "does not say which layers see all" in text
    assert "has to be trained" not in text  # windows may be all that rotates
    assert encodings.unsaid == ("layer_types", "no_rope_layers")


def test_falcon_says_that_it_divides_the_bias():
    config = {"model_type": "falcon", "alibi": True, "num_attention_heads": 32, "n_layer": 2}
    for model_type, divided in (("falcon", True), ("bloom", False)):
        changed = config | {"model_type": model_type}
        paragraphs = explain_all(changed, from_config(changed), 4.0)
        assert any("divides the bias by √D" in paragraph.en for paragraph in paragraphs) == divided


def test_a_language_that_there_is_not_is_named(monkeypatch):
    monkeypatch.setenv("POSENC_LANGUAGE", "cn")
    with pytest.raises(SystemExit, match="POSENC_LANGUAGE is 'cn'"):
        main(["config.json"])
