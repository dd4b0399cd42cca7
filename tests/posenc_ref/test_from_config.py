"""Spellings that mean the same, contradictions that are named, what is not said and not guessed."""

import json
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref import from_config
from posenc_ref.config.fields import Fields
from posenc_ref.config.remarks import SENTENCES, ConfigError

LLAMA = {
    "model_type": "llama",
    "hidden_size": 512,
    "num_attention_heads": 8,
    "num_hidden_layers": 4,
    "max_position_embeddings": 4096,
}
LISTS = {"short_factor": [1.0] * 32, "long_factor": [2.0] * 32}
SCALINGS = {
    "linear": {"factor": 4.0},
    "dynamic": {"factor": 2.0},
    "yarn": {"factor": 4.0, "original_max_position_embeddings": 1024, "beta_fast": 16},
    "llama3": {
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 1024,
    },
    "longrope": {"original_max_position_embeddings": 1024, **LISTS},
}


def frequencies(config, length=None):
    omega, factor = from_config(config).layers[0].rotary.frequencies(length)
    return omega.tolist(), factor


@pytest.mark.parametrize("kind", SCALINGS)
@given(base=st.floats(100, 1e7), share=st.sampled_from([0.25, 0.5, 1.0]))
@settings(max_examples=10, deadline=None)
def test_old_and_new_spelling_give_the_same(kind, base, share):
    numbers = SCALINGS[kind]
    if kind == "longrope":
        numbers = {**numbers, **{name: by[: int(32 * share)] for name, by in LISTS.items()}}
    new = {"rope_type": kind, "rope_theta": base, "partial_rotary_factor": share, **numbers}
    old = {"rope_theta": base, "partial_rotary_factor": share}
    for length in (None, 900, 5000):
        answers = [
            frequencies(LLAMA | {"rope_parameters": new}, length),
            frequencies(LLAMA | old | {"rope_scaling": {"rope_type": kind, **numbers}}, length),
            frequencies(LLAMA | old | {"rope_scaling": {"type": kind, **numbers}}, length),
        ]
        assert answers[0] == answers[1] == answers[2]


def test_the_older_names_of_types_are_read():
    old = LLAMA | {"rope_theta": 1e4, "original_max_position_embeddings": 1024}
    for first, todays in (("su", "longrope"), ("mrope", "default")):
        numbers = LISTS if first == "su" else {"mrope_section": [16, 8, 8]}
        rotary = from_config(old | {"rope_scaling": {"type": first, **numbers}}).layers[0].rotary
        assert rotary.scaling == todays


def test_gemma_3_s_two_bases_are_read_in_both_spellings():
    types = ["sliding_attention"] * 3 + ["full_attention"]
    common = LLAMA | {
        "model_type": "gemma3_text",
        "head_dim": 64,
        "sliding_window": 512,
        "layer_types": types,
    }
    linear = {"rope_type": "linear", "factor": 8.0}
    old = common | {"rope_theta": 1e6, "rope_local_base_freq": 1e4, "rope_scaling": linear}
    new = common | {
        "rope_parameters": {
            "full_attention": linear | {"rope_theta": 1e6},
            "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
        }
    }
    assert from_config(old).layers == from_config(new).layers
    assert [layer.rotary.base for layer in from_config(old).layers] == [1e4, 1e4, 1e4, 1e6]
    pattern = {k: v for k, v in old.items() if k != "layer_types"} | {"sliding_window_pattern": 4}
    assert from_config(pattern).layers == from_config(old).layers


def test_what_cannot_be_is_an_error_that_names_it(subtests):
    for fields, error, word in [
        ({"rope_scaling": {"rope_type": "yarn", "type": "linear"}}, "types_differ", "linear"),
        ({"rope_scaling": {"type": "yam", "factor": 2}}, "unknown_rope_type", "yam"),
        ({"rope_scaling": {"type": "linear"}}, "missing", "factor"),
        ({"rope_scaling": {"type": "llama3", "factor": 8}}, "missing", "low_freq_factor"),
        ({"rope_scaling": {"type": "longrope"}}, "missing", "short_factor"),
        ({"rope_scaling": {"type": "linear", "factor": 0.5}}, "factor_below_one", "0.5"),
        ({"rope_scaling": {"type": "linear", "factor": "4"}}, "not_a_number", "'4'"),
        ({"rope_scaling": "linear"}, "not_a_dict", "rope_scaling"),
        (
            {
                "rope_scaling": {"type": "linear", "factor": 2},
                "rope_parameters": {"type": "linear", "factor": 4},
            },
            "spellings_differ",
            "factor",
        ),
        ({"layer_types": ["full_attention"]}, "wrong_count", "layer_types"),
        ({"no_rope_layers": [1, 0]}, "wrong_count", "no_rope_layers"),
        ({"num_hidden_layers": 2.5}, "not_an_integer", "num_hidden_layers"),
        ({"rope_theta": 1}, "not_a_base", "rope_theta"),
        (
            {"rope_scaling": SCALINGS["yarn"] | {"type": "yarn", "beta_slow": 40}},
            "out_of_order",
            "beta_slow = 40",
        ),
        (
            {"rope_scaling": SCALINGS["llama3"] | {"type": "llama3", "low_freq_factor": 9}},
            "out_of_order",
            "low_freq_factor = 9",
        ),
        (
            {"rope_scaling": LISTS | {"type": "longrope", "short_factor": [1.0] * 5}},
            "wrong_count",
            "short_factor has 5",
        ),
        ({"rope_theta": True}, "not_a_number", "rope_theta"),
        ({"partial_rotary_factor": 1.5}, "not_a_share", "partial_rotary_factor"),
        ({"head_dim": 65, "rope_scaling": {"type": "linear", "factor": 2}}, "not_pairs", "65"),
        (
            {"rope_scaling": SCALINGS["yarn"] | {"type": "yarn", "attention_factor": -1}},
            "not_positive",
            "attention_factor",
        ),
        ({"rope_scaling": LISTS | {"type": "longrope", "short_factor": 1}}, "not_a_list", "short"),
        (
            {
                "rope_scaling": SCALINGS["linear"] | {"type": "linear"},
                "rope_parameters": SCALINGS["yarn"] | {"rope_type": "yarn"},
            },
            "spellings_differ",
            "rope_type",
        ),
    ]:
        with subtests.test(fields=fields, error=error, word=word):
            with pytest.raises(ConfigError, match=word) as raised:
                from_config(LLAMA | {"rope_theta": 1e4} | fields)
            assert raised.value.remark.name == error


def test_what_is_odd_is_a_remark_that_names_it(subtests):
    for fields, remark, word in [
        ({"rope_stretch": 4}, "unknown_field", "rope_stretch"),
        ({"rope_parameters": {"rope_theta": 1e4, "betta_fast": 16}}, "unknown_field", "betta_fast"),
        (
            {"rope_parameters": {"type": "linear", "factor": 2, "beta_fast": 16}},
            "unread_field",
            "beta_fast",
        ),
        ({"rope_parameters": {"rope_theta": 5e5, "rope_type": "default"}}, "base_twice", "500000"),
        (
            {"rope_scaling": {"type": "yarn", "factor": 4}},
            "trained_length_from_max",
            "original_max_position_embeddings",
        ),
        (
            {"rope_scaling": SCALINGS["yarn"] | {"type": "yarn", "factor": 3}},
            "factor_and_lengths",
            "3072",
        ),
        (
            {
                "original_max_position_embeddings": 2048,
                "rope_scaling": SCALINGS["yarn"] | {"type": "yarn"},
            },
            "trained_length_twice",
            "2048",
        ),
        ({"layer_types": ["odd_attention"] * 4}, "unknown_layer_type", "odd_attention"),
        ({"layer_types": ["sliding_attention"] * 4}, "no_window", "sliding_window"),
        ({"hidden_size": 500}, "not_whole", "500"),
        ({"position_embedding_type": "relative_key"}, "other_encoding", "relative_key"),
        ({"rope_scaling": {"type": "mrope", "mrope_section": [9, 9, 9]}}, "sections_differ", "27"),
        ({"model_type": "nobody_s"}, "unknown_model_type", "nobody_s"),
    ]:
        with subtests.test(fields=fields, remark=remark, word=word):
            remarks = from_config(LLAMA | {"rope_theta": 1e4} | fields).remarks
            sentences = [r.in_both() for r in remarks if r.name == remark]
            assert sentences, remarks
            assert all(word in sentence for sentence in sentences[0])


def test_a_config_that_is_whole_has_no_remarks():
    for kind, numbers in SCALINGS.items():
        config = LLAMA | {"rope_theta": 1e4, "rope_scaling": {"rope_type": kind, **numbers}}
        assert from_config(config).remarks == (), kind


def test_what_the_config_does_not_say_is_named(subtests):
    for missing, fields in [
        ("rope_theta", LLAMA),
        ("layout", LLAMA | {"model_type": "nobody_s", "rope_theta": 1e4}),
        ("kind", LLAMA | {"model_type": "nobody_s"}),
        ("head_dim", {k: v for k, v in LLAMA.items() if k != "hidden_size"}),
        ("head_dim", LLAMA | {"model_type": "gemma3_text", "rope_theta": 1e6}),
        ("layer_types", LLAMA | {"model_type": "gemma3_text", "sliding_window": 8}),
        ("no_rope_layers", LLAMA | {"model_type": "smollm3", "rope_theta": 1e6}),
        ("use_sliding_window", LLAMA | {"sliding_window": 8, "max_window_layers": 2}),
        ("sliding_window", LLAMA | {"layer_types": ["sliding_attention"] * 4}),
        ("num_hidden_layers", {"model_type": "llama"}),
        ("attn_layer_offset", LLAMA | {"model_type": "jamba", "attn_layer_period": 2}),
        ("pad_token_id", LLAMA | {"model_type": "roberta"}),
        ("image_size", LLAMA | {"model_type": "vit"}),
    ]:
        with subtests.test(missing=missing, fields=fields):
            assert missing in from_config(fields).unsaid


def test_an_encoding_and_a_width_that_are_not_said_are_not_guessed():
    unknown = from_config(LLAMA | {"model_type": "nobody_s"}).layers
    assert [layer.kind for layer in unknown] == ["unsaid"] * 4
    mixed = from_config(LLAMA | {"layer_types": ["full_attention", "sliding_attention"] * 2}).layers
    assert [(a.reach, a.window) for a in mixed[:2]] == [("all", None), ("sliding", None)]


def test_a_base_that_is_not_said_is_not_guessed():
    (layer, *_) = from_config(LLAMA).layers
    assert layer.kind == "rope"
    assert layer.rotary.base is None
    with pytest.raises(ConfigError, match="rope_theta"):
        layer.rotary.frequencies()


def test_windows_begin_at_the_layer_that_the_config_says():
    config = LLAMA | {"rope_theta": 1e4, "sliding_window": 8, "max_window_layers": 3}
    on = from_config(config | {"use_sliding_window": True}).layers
    assert [layer.window for layer in on] == [None, None, None, 8]
    off = from_config(config | {"use_sliding_window": False}).layers
    assert [layer.window for layer in off] == [None] * 4


def test_deepseek_s_temperature_is_on_the_scores():
    """(0.1 ln 40 + 1)² = 1.874, where q and k are multiplied by mscale / mscale_all_dim = 1."""
    config = LLAMA | {
        "model_type": "deepseek_v3",
        "max_position_embeddings": 163840,
        "qk_rope_head_dim": 64,
        "rope_theta": 1e4,
        "rope_scaling": {
            "type": "yarn",
            "factor": 40,
            "original_max_position_embeddings": 4096,
            "mscale": 1.0,
            "mscale_all_dim": 1.0,
        },
    }
    rotary = from_config(config).layers[0].rotary
    assert (rotary.frequencies()[1], round(rotary.score_factor, 3)) == (1.0, 1.874)
    assert (rotary.layout, rotary.rotated) == ("interleaved", 64)


def test_a_file_is_read_as_the_dict_that_it_holds(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(LLAMA | {"rope_theta": 1e4}), encoding="utf-8")
    assert from_config(path) == from_config(str(path)) == from_config(LLAMA | {"rope_theta": 1e4})


@pytest.mark.parametrize("text", ["[]", "{", "1", "\udcff"])
def test_a_file_that_holds_no_config_is_refused(tmp_path, text):
    path = tmp_path / "config.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ConfigError, match="a config is a dict"):
        from_config(path)


def test_every_sentence_has_the_same_fields_in_both_languages():
    for name, sentences in SENTENCES.items():
        fields = [{f for _, f, _, _ in string.Formatter().parse(s) if f} for s in sentences]
        assert fields[0] == fields[1], name


def test_bloom_says_its_width_as_n_embed():
    """BLOOMZ 1.7B: 2048 channels in 16 heads."""
    assert Fields({"n_embed": 2048, "num_attention_heads": 16}).head_dim() == 128
