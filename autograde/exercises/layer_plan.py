"""Exercise layer_plan: base and window of every layer, read from a config.json."""

from typing import Any

import torch

from autograde.exercises._read_config import drawn, expect_read, whole
from autograde.kit.exercise import Exercise, Function
from bilingual import Text

Config = dict[str, Any]
Plan = list[tuple[float | None, int | None]]
exercise = Exercise(
    id="layer_plan",
    chapter="13_real_models",
    title=Text(en="Base and window, layer by layer", zh="逐层的base与窗口"),
    task=Text(
        en=r"""Return a list with a pair for each of the `num_hidden_layers` layers: its base (None
if it does not rotate), and the width of its window (None if it sees everything). `config` is a
dictionary.

**Which layers have a window** depends on the first of these fields that is there: with the list
`layer_types`, those for which it says `"sliding_attention"`; with `sliding_window_pattern` $p$, all
layers but every $p$-th, counted from one; else all layers, if `sliding_window` is a number and
`use_sliding_window` is not False. The width is `sliding_window`. (`max_window_layers` is left out.)

**Base**: `rope_theta`; layers with a window take `rope_local_base_freq` if it is there.
`no_rope_layers`, a list with a number for each layer, has **0** where a layer does not rotate.""",
        zh=r"""返回一个列表，`num_hidden_layers`层每层一对：它的base（不旋转则为None），
以及窗口宽度（看得到全部则为None）。`config`是一个字典。

**哪些层有窗口**，按下面的次序看，以第一个存在的为准。有列表`layer_types`时，写着
`"sliding_attention"`的层有。`sliding_window_pattern`为$p$时，从1数起，编号是$p$的倍数的层没有，其余都有。
两者都没有时，只要`sliding_window`是数而`use_sliding_window`不是False，就每层都有。宽度是`sliding_window`。
（不管`max_window_layers`。）

**base**取`rope_theta`；配置里有`rope_local_base_freq`时，有窗口的层改取它。`no_rope_layers`是列表，
每层一个数，不旋转的层为**0**。""",
    ),
    signature="layer_plan(config) -> [(float | None, int | None), …]",
    points=3,
    difficulty=3,
    minutes=12,
    hints=(
        Text(
            en="Decide for one layer i whether it has a window; everything else follows from that.",
            zh="先判断第i层有没有窗口，其余都由它而定。",
        ),
        Text(
            en="Counted from one, layer i of Python is layer i + 1. With p = 6 the layers 5, 11, … "
            "see everything.",
            zh="Python的第i层，从1数起就是第i + 1层。p = 6时，看得到全部的是5、11……",
        ),
        Text(
            en="`no_rope_layers` of SmolLM3 is [1, 1, 1, 0, …]: 1 rotates. Where the list is "
            "missing, `[1] * n` stands for it.",
            zh="SmolLM3的`no_rope_layers`是[1, 1, 1, 0, …]：1表示旋转。没有这个列表时，用`[1] * "
            "n`代替。",
        ),
    ),
)


@exercise.truth
def one_by_one(config: Config) -> Plan:
    """Return (base, window) of each layer, by the rules of the task."""
    return [_layer(config, i, _has_window(config, i)) for i in range(config["num_hidden_layers"])]


def _has_window(config: Config, i: int) -> bool:
    if "layer_types" in config:
        return config["layer_types"][i] == "sliding_attention"
    if "sliding_window_pattern" in config:
        return (i + 1) % config["sliding_window_pattern"] != 0
    return (
        config.get("sliding_window") is not None and config.get("use_sliding_window") is not False
    )


def _layer(config: Config, i: int, window: bool) -> tuple[float | None, int | None]:
    base = config["rope_theta"]
    if window:
        base = config.get("rope_local_base_freq", base)
    turns = config.get("no_rope_layers", [1] * (i + 1))[i]
    return base if turns else None, config["sliding_window"] if window else None


def _config(rng: torch.Generator, layers: int) -> Config:
    base = drawn(rng, 10000.0, 500000.0, 1000000.0)
    return {"num_hidden_layers": layers, "rope_theta": base}


def _window(rng: torch.Generator) -> Config:
    return {"sliding_window": 128 * whole(rng, 1, 32)}


def _types(rng: torch.Generator, layers: int) -> list[str]:
    names = ["full_attention", "sliding_attention"]
    kinds = [drawn(rng, *names) for _ in range(layers - 2)]
    return [*kinds, *(names if whole(rng, 0, 1) else names[::-1])]


@exercise.check(en="all layers alike", zh="各层相同")
def alike(answer: Function, rng: torch.Generator) -> None:
    layers = whole(rng, 3, 9)
    for window in ({}, {"sliding_window": None}, _window(rng)):
        expect_read(exercise, answer, _config(rng, layers) | window)


@exercise.check(
    en="a window that is switched off, as in Qwen2.5", zh="关掉的窗口，如Qwen2.5", weight=2
)
def switched(answer: Function, rng: torch.Generator) -> None:
    for use in (False, True):
        config = _config(rng, whole(rng, 2, 6)) | _window(rng) | {"use_sliding_window": use}
        expect_read(exercise, answer, config)


@exercise.check(
    en="a pattern with two bases, as in Gemma 3", zh="周期与两个base，如Gemma 3", weight=3
)
def pattern(answer: Function, rng: torch.Generator) -> None:
    for every in (6, whole(rng, 2, 4)):
        config = _config(rng, whole(rng, 11, 14)) | _window(rng)
        config |= {"sliding_window_pattern": every}
        expect_read(exercise, answer, config | {"rope_local_base_freq": 8000.0})
        expect_read(exercise, answer, config)


@exercise.check(en="a list of layer types, which goes first", zh="层类型列表，排在最前", weight=3)
def listed(answer: Function, rng: torch.Generator) -> None:
    layers = whole(rng, 5, 9)
    config = _config(rng, layers) | _window(rng) | {"rope_local_base_freq": 8000.0}
    config |= {"layer_types": _types(rng, layers)}
    expect_read(exercise, answer, config)
    expect_read(exercise, answer, config | {"sliding_window_pattern": 3})
    expect_read(exercise, answer, config | {"use_sliding_window": False})
    third = [kind.replace("full", "chunked") for kind in config["layer_types"]]
    expect_read(exercise, answer, config | {"layer_types": third})


@exercise.check(en="layers that do not rotate, as in SmolLM3", zh="不旋转的层，如SmolLM3", weight=2)
def still(answer: Function, rng: torch.Generator) -> None:
    layers = whole(rng, 5, 9)
    turns = [int((i + 1) % 4 != 0) for i in range(layers)]
    expect_read(exercise, answer, _config(rng, layers) | {"no_rope_layers": turns})
    expect_read(exercise, answer, _config(rng, layers) | _window(rng) | {"no_rope_layers": turns})


def _changed(config: Config, **changes: Any) -> Config:
    return {k: v for k, v in (config | changes).items() if v != "gone"}


@exercise.misconception(
    en="`use_sliding_window` is False, and you use the window all the same. Qwen2.5 ships a width "
    "that is switched off.",
    zh="`use_sliding_window`是False，你还是用了窗口。Qwen2.5的文件里写着宽度，但没有启用。",
)
def switch_ignored(config: Config) -> Plan:
    return one_by_one(_changed(config, use_sliding_window="gone"))


@exercise.misconception(
    en="Your pattern counts layers from zero: layer 0 sees everything. Counted from one, it is "
    "layer p − 1 of Python that does.",
    zh="你的周期从0数起，第0层看得到全部。从1数起，应是Python的第p − 1层。",
)
def pattern_from_zero(config: Config) -> Plan:
    every = config.get("sliding_window_pattern")
    if every is None or "layer_types" in config:
        return one_by_one(config)
    layers = range(config["num_hidden_layers"])
    return [_layer(config, i, i % every != 0) for i in layers]


@exercise.misconception(
    en="The pattern is the other way round: every p-th layer should see *everything*, and all "
    "others have the window.",
    zh="周期弄反了：编号是p的倍数的层应看得到*全部*，其余的才有窗口。",
)
def pattern_reversed(config: Config) -> Plan:
    every = config.get("sliding_window_pattern")
    if every is None or "layer_types" in config:
        return one_by_one(config)
    layers = range(config["num_hidden_layers"])
    return [_layer(config, i, (i + 1) % every == 0) for i in layers]


@exercise.misconception(
    en="`no_rope_layers` is read as its name says, 1 for a layer without RoPE. It has 0 there: 1 "
    "means that the layer rotates.",
    zh="你按`no_rope_layers`的名字去读，把1当成没有RoPE。其实那里写的是0：1表示这一层旋转。",
)
def list_by_its_name(config: Config) -> Plan:
    turns = config.get("no_rope_layers")
    reversed_ = {} if turns is None else {"no_rope_layers": [1 - turn for turn in turns]}
    return one_by_one(config | reversed_)


@exercise.misconception(
    en="One base for all layers: `rope_local_base_freq` is not read.",
    zh="各层都用同一个base：没有读`rope_local_base_freq`。",
)
def one_base(config: Config) -> Plan:
    return one_by_one(_changed(config, rope_local_base_freq="gone"))


@exercise.misconception(
    en="The local base went to the layers that see everything. It belongs to those with a window.",
    zh="局部的base给了看得到全部的层。它属于有窗口的层。",
)
def bases_swapped(config: Config) -> Plan:
    local = config.get("rope_local_base_freq")
    if local is None:
        return one_by_one(config)
    return one_by_one(config | {"rope_theta": local, "rope_local_base_freq": config["rope_theta"]})


@exercise.misconception(
    en="`layer_types` is not read. Where it is there, it decides.",
    zh="没有读`layer_types`。有它时以它为准。",
)
def types_ignored(config: Config) -> Plan:
    return one_by_one(_changed(config, layer_types="gone"))


@exercise.misconception(
    en='Every layer whose type is not `"full_attention"` got the window. There are other types, '
    'such as Llama 4\'s `"chunked_attention"`: ask for `"sliding_attention"`.',
    zh='凡类型不是`"full_attention"`的层，你都给了窗口。类型不止两种，例如Llama 4的'
    '`"chunked_attention"`：要看写的是不是`"sliding_attention"`。',
)
def all_but_full(config: Config) -> Plan:
    full, sliding = "full_attention", "sliding_attention"
    kinds = config.get("layer_types")
    if kinds is None:
        return one_by_one(config)
    types = [full if kind == full else sliding for kind in kinds]
    return one_by_one(config | {"layer_types": types})


@exercise.misconception(
    en="Without `rope_local_base_freq` your layers with a window have the base None, which is for "
    "layers that do not rotate. `.get` gives None for a missing field: take `rope_theta` then.",
    zh="没有`rope_local_base_freq`时，有窗口的层，你给的base是None，可None表示不旋转。"
    "字段缺失时`.get`返回None：这时应取`rope_theta`。",
)
def no_base_with_a_window(config: Config) -> Plan:
    local = config.get("rope_local_base_freq")
    plan = one_by_one(config)
    return [(base if window is None else base and local, window) for base, window in plan]


@exercise.misconception(
    en="`use_sliding_window` decides even where `layer_types` is there. The list goes first.",
    zh="有`layer_types`时，你仍让`use_sliding_window`来决定。列表排在最前。",
)
def switch_before_the_list(config: Config) -> Plan:
    if config.get("use_sliding_window") is False:
        layers = config["num_hidden_layers"]
        return one_by_one(config | {"layer_types": ["full_attention"] * layers})
    return one_by_one(config)


@exercise.misconception(
    en="The pattern decides although `layer_types` is there. The list goes first.",
    zh="有`layer_types`时，你仍让周期来决定。列表排在最前。",
)
def pattern_before_the_list(config: Config) -> Plan:
    return one_by_one(
        _changed(config, layer_types="gone") if "sliding_window_pattern" in config else config
    )


@exercise.misconception(
    en="Layers that see everything get the width of the window too. Theirs should be None.",
    zh="看得到全部的层，你也写上了窗口宽度。它们应是None。",
)
def width_everywhere(config: Config) -> Plan:
    return [(base, config.get("sliding_window")) for base, _ in one_by_one(config)]


@exercise.misconception(
    en="`no_rope_layers` is not read: every layer rotates in your list.",
    zh="没有读`no_rope_layers`：你的列表里每层都旋转。",
)
def all_rotate(config: Config) -> Plan:
    return one_by_one(_changed(config, no_rope_layers="gone"))


@exercise.misconception(
    en="The pattern is not read: with `sliding_window_pattern`, every p-th layer sees everything.",
    zh="没有读周期：有`sliding_window_pattern`时，编号是p的倍数的层看得到全部。",
)
def pattern_ignored(config: Config) -> Plan:
    return one_by_one(_changed(config, sliding_window_pattern="gone"))


@exercise.misconception(
    en="Where `use_sliding_window` is missing you take it for False. Mistral's files have a width "
    "and no switch, and use the window.",
    zh="没有`use_sliding_window`时，你当它是False。Mistral的文件只有宽度，没有开关，窗口是用的。",
)
def off_where_missing(config: Config) -> Plan:
    return one_by_one({"use_sliding_window": False} | config)


@exercise.misconception(
    en="Where `rope_local_base_freq` is there, every layer got it. Layers that see everything keep "
    "`rope_theta`.",
    zh="有`rope_local_base_freq`时，你让每层都用它。看得到全部的层仍用`rope_theta`。",
)
def local_base_for_all(config: Config) -> Plan:
    base = config.get("rope_local_base_freq", config["rope_theta"])
    return one_by_one(config | {"rope_theta": base})


@exercise.misconception(
    en="`no_rope_layers` is read as a list of layer numbers. It has an entry for every layer, 0 "
    "where that layer does not rotate.",
    zh="你把`no_rope_layers`读成了层号的列表。它每层有一项，为0的那层不旋转。",
)
def list_of_layer_numbers(config: Config) -> Plan:
    still = config.get("no_rope_layers", [])
    plan = one_by_one(_changed(config, no_rope_layers="gone"))
    return [(None if i in still else base, window) for i, (base, window) in enumerate(plan)]
