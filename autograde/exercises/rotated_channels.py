"""Exercise rotated_channels: how wide a head is, and how much of it RoPE turns, from a config."""

from typing import Any

import torch

from autograde.exercises._read_config import drawn, expect_read, whole
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import excerpt, expect
from bilingual import Text

Config = dict[str, Any]
exercise = Exercise(
    id="rotated_channels",
    chapter="13_real_models",
    title=Text(en="How much of a head turns?", zh="一个头里有多少通道在转？"),
    task=Text(
        en=r"""Return two ints: the channels of a query head, and how many of them RoPE turns.
`config` is a dictionary. The rules, in this order:

1. `qk_rope_head_dim` is there (latent attention): that many channels turn, beside
`qk_nope_head_dim` that do not. A head has both, whatever else the config says.
2. Else a head has `head_dim` channels; where that is missing or None, the query heads share
`hidden_size` equally. The share `partial_rotary_factor` of them turns, a whole number of channels;
if it is missing, all do.""",
        zh=r"""返回两个整数：一个查询头有多少通道，其中有多少由RoPE旋转。`config`是一个字典。
规则依次为：

1. 有`qk_rope_head_dim`（隐向量注意力，MLA）：旋转的就是这么多通道，另有`qk_nope_head_dim`个不转。
一个头包含这两部分，不管config里别的项怎么写。
2. 否则一个头有`head_dim`个通道；这一项缺失或为None时，由查询头平分`hidden_size`。
其中旋转的占`partial_rotary_factor`，通道数恰为整数；没有这一项就是全部。""",
    ),
    signature="rotated_channels(config) -> (int, int)",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="Two rules, two `return`s. Start with the question whether `qk_rope_head_dim` is in "
            "the config.",
            zh="两条规则，两个`return`。先看config里有没有`qk_rope_head_dim`。",
        ),
        Text(
            en="Where a key is there with the value None, `config.get(key) or other` takes "
            "`other`, too.",
            zh="有的键在，值却是None：`config.get(key) or other`这时也会取`other`。",
        ),
        Text(
            en="A share is a float: `int(head * share)` makes channels of it.",
            zh="比例是浮点数：`int(head * share)`把它变成通道数。",
        ),
    ),
)


@exercise.truth
def two_rules(config: Config) -> tuple[int, int]:
    """Return the channels of a query head and those that turn, by the rules of the task."""
    if "qk_rope_head_dim" in config:
        return config["qk_nope_head_dim"] + config["qk_rope_head_dim"], config["qk_rope_head_dim"]
    head = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
    return head, int(head * config.get("partial_rotary_factor", 1.0))


def _sizes(rng: torch.Generator) -> Config:
    """Return a config of four to eight query heads, and half as many KV heads."""
    heads = 2 * whole(rng, 2, 4)
    width = 16 * whole(rng, 2, 8)
    sizes = {"hidden_size": heads * width, "num_attention_heads": heads}
    return sizes | {"num_key_value_heads": heads // 2}


def _latent(rng: torch.Generator) -> Config:
    turning = 16 * whole(rng, 1, 4)
    return _sizes(rng) | {"qk_nope_head_dim": 2 * turning, "qk_rope_head_dim": turning}


@exercise.check(
    en="the heads share hidden_size, and all of a head turns", zh="各头平分hidden_size，全部旋转"
)
def plain(answer: Function, rng: torch.Generator) -> None:
    for config in (_sizes(rng), _sizes(rng) | {"head_dim": None}):
        got = expect_read(exercise, answer, config)
        expect(
            all(type(number) is int for number in got),
            f"channels are counted in ints, yours is {excerpt(got)}",
            f"通道数应是整数，你的结果是{excerpt(got)}",
        )


@exercise.check(en="a head with a width of its own", zh="头宽另行给出", weight=2)
def own_width(answer: Function, rng: torch.Generator) -> None:
    expect_read(exercise, answer, _sizes(rng) | {"head_dim": 144 + 16 * whole(rng, 0, 7)})
    gemma = {"hidden_size": 2560, "num_attention_heads": 8, "num_key_value_heads": 4}
    expect_read(exercise, answer, gemma | {"head_dim": 256})


@exercise.check(
    en="only a part of the head turns; its size is an int", zh="只转一部分，结果是整数", weight=2
)
def partial(answer: Function, rng: torch.Generator) -> None:
    for config in (_sizes(rng), _sizes(rng) | {"head_dim": 160}):
        config |= {"partial_rotary_factor": drawn(rng, 0.25, 0.5, 0.75)}
        got = expect_read(exercise, answer, config)
        expect(
            all(type(number) is int for number in got),
            f"channels are counted in ints, yours is {excerpt(got)}",
            f"通道数应是整数，你的结果是{excerpt(got)}",
        )


@exercise.check(
    en="latent attention: both parts are one head", zh="隐向量注意力：两部分合成一个头", weight=3
)
def latent(answer: Function, rng: torch.Generator) -> None:
    deepseek = {"hidden_size": 7168, "num_attention_heads": 128}
    expect_read(exercise, answer, deepseek | {"qk_nope_head_dim": 128, "qk_rope_head_dim": 64})
    config = _latent(rng)
    expect_read(exercise, answer, config)
    for more in ({"head_dim": config["qk_rope_head_dim"]}, {"partial_rotary_factor": 0.5}):
        expect_read(exercise, answer, config | more)


@exercise.misconception(
    en="You divide by the KV heads. It is the query heads that share `hidden_size`.",
    zh="你除以的是KV头数。平分`hidden_size`的是查询头。",
)
def by_key_heads(config: Config) -> tuple[int, int]:
    heads = config.get("num_key_value_heads", config["num_attention_heads"])
    return two_rules(config | {"num_attention_heads": heads})


@exercise.misconception(
    en="You always divide `hidden_size`. Gemma 3 has 2560 channels, 8 heads, and heads of 256: "
    "`head_dim` goes first.",
    zh="你总是用`hidden_size`除以头数。Gemma 3有2560个通道、8个头，每头却是256：要先看`head_dim`。",
)
def always_divided(config: Config) -> tuple[int, int]:
    return two_rules({key: value for key, value in config.items() if key != "head_dim"})


@exercise.misconception(
    en="All channels turn in your answer: `partial_rotary_factor` is not read.",
    zh="你的答案里所有通道都旋转：没有读`partial_rotary_factor`。",
)
def all_of_it(config: Config) -> tuple[int, int]:
    return two_rules({k: v for k, v in config.items() if k != "partial_rotary_factor"})


@exercise.misconception(
    en="With latent attention you give the turning part alone as the head. A query head is "
    "`qk_nope_head_dim` and `qk_rope_head_dim` together: 192 in DeepSeek-V3, of which 64 turn.",
    zh="隐向量注意力时，你把旋转的那部分当成了整个头。"
    "查询头是`qk_nope_head_dim`加`qk_rope_head_dim`：DeepSeek-V3是192，其中转64。",
)
def turning_part_alone(config: Config) -> tuple[int, int]:
    turning = config.get("qk_rope_head_dim")
    return two_rules(config) if turning is None else (turning, turning)


@exercise.misconception(
    en="With latent attention you give the part that stands still as the head, without the "
    "channels that turn. Add the two.",
    zh="隐向量注意力时，你把不转的那部分当成了整个头，漏了旋转的通道。两部分要相加。",
)
def still_part_alone(config: Config) -> tuple[int, int]:
    head, turning = two_rules(config)
    return config.get("qk_nope_head_dim", head), turning


@exercise.misconception(
    en="With latent attention you divide `hidden_size` by the heads, or take `head_dim`. Such a "
    "head is not cut out of `hidden_size`: add `qk_nope_head_dim` and `qk_rope_head_dim`.",
    zh="隐向量注意力时，你用`hidden_size`除以头数，或取了`head_dim`。这种头不是从`hidden_size`里切出"
    "来的：要把`qk_nope_head_dim`和`qk_rope_head_dim`相加。",
)
def cut_out_of_the_width(config: Config) -> tuple[int, int]:
    head = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
    return head, config.get("qk_rope_head_dim", two_rules(config)[1])


@exercise.misconception(
    en="You never look at `qk_rope_head_dim`: latent attention turns those channels alone.",
    zh="你没有看`qk_rope_head_dim`：隐向量注意力只转这些通道。",
)
def never_latent(config: Config) -> tuple[int, int]:
    return two_rules({key: value for key, value in config.items() if not key.startswith("qk")})


@exercise.misconception(
    en="Your second number counts pairs. The task asks for channels, two to a pair.",
    zh="你的第二个数是对的个数。问的是通道数，一对是两个通道。",
)
def pairs(config: Config) -> tuple[int, int]:
    head, turning = two_rules(config)
    return head, turning // 2


@exercise.misconception(
    en="You take the share of `hidden_size`. It should be the share of one head.",
    zh="你取的是`hidden_size`的一部分。应是一个头的一部分。",
)
def share_of_the_width(config: Config) -> tuple[int, int]:
    head, turning = two_rules(config)
    share = None if "qk_rope_head_dim" in config else config.get("partial_rotary_factor")
    return head, turning if share is None else int(config["hidden_size"] * share)


@exercise.misconception(
    en="The two numbers have changed places: the channels of the head should come first, then "
    "those that turn.",
    zh="两个数的次序反了：应先写头的通道数，再写旋转的通道数。",
)
def swapped(config: Config) -> tuple[int, int]:
    return two_rules(config)[::-1]


@exercise.misconception(
    en="With latent attention you take the share `partial_rotary_factor` of the channels that "
    "turn. All `qk_rope_head_dim` of them do.",
    zh="隐向量注意力时，你对旋转的那部分又取了`partial_rotary_factor`。`qk_rope_head_dim`个通道全都旋转。",
)
def share_of_the_turning_part(config: Config) -> tuple[int, int]:
    head, turning = two_rules(config)
    latent = "qk_rope_head_dim" in config
    return head, int(turning * config.get("partial_rotary_factor", 1.0)) if latent else turning


@exercise.misconception(
    en="With latent attention you take `head_dim` for the head where it is given. The head is "
    "`qk_nope_head_dim` and `qk_rope_head_dim` together.",
    zh="隐向量注意力时，只要有`head_dim`，你就把它当成了头宽。头宽是`qk_nope_head_dim`加`qk_rope_head_dim`。",
)
def head_dim_before_both_parts(config: Config) -> tuple[int, int]:
    head, turning = two_rules(config)
    return config.get("head_dim") or head, turning


@exercise.misconception(
    en="`head_dim` may be there with the value None: `config.get(key, other)` returns None then, "
    "since it takes `other` only where the key is missing.",
    zh="`head_dim`这个键可能在，值却是None：这时`config.get(key, other)`返回None，"
    "只有键缺失时它才取`other`。",
)
def none_for_a_width(config: Config) -> tuple[int, int]:
    if "qk_rope_head_dim" in config:
        return two_rules(config)
    head = config.get("head_dim", config["hidden_size"] // config["num_attention_heads"])
    return head, int(head * config.get("partial_rotary_factor", 1.0))
