"""Exercise mend_ignored_factor: a factor that is declared, and recomputed from two lengths."""

from typing import Any

import torch

from autograde.exercises._read_config import drawn, whole
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect_values import expect_agreement
from autograde.kit.shuffled import shuffled
from bilingual import Text

Config = dict[str, Any]
exercise = Exercise(
    id="mend_ignored_factor",
    chapter="13_real_models",
    title=Text(en="Fix: the factor that nobody reads", zh="改错：没人读的factor"),
    task=Text(
        en=r"""Fix `factor_from_lengths`: return the stretch of a model with YaRN. `config` has
`max_position_embeddings` and `rope_scaling`, a dictionary. The `factor` that the user declares
there is the answer, even below 1. If it is missing or None: `max_position_embeddings` divided by
the scaling's `original_max_position_embeddings`, but at least 1; without that length, 1.""",
        zh=r"""修好`factor_from_lengths`：返回一个用YaRN的模型的扩展倍数。`config`里有
`max_position_embeddings`和字典`rope_scaling`。以用户在其中声明的`factor`为准，小于1也一样。
它缺失或为None时，取`max_position_embeddings`除以缩放里的`original_max_position_embeddings`，但不小于1；
没有那个长度就是1。""",
    ),
    signature="mend_ignored_factor(config) -> float",
    points=2,
    difficulty=1,
    minutes=5,
    hints=(
        Text(
            en="When does the broken line read `factor`?",
            zh="出错的那一行什么时候读`factor`？",
        ),
        Text(
            en="Ask for the declared factor first, and return it.",
            zh="先看有没有声明factor，有就返回它。",
        ),
        Text(
            en='`scaling.get("original_max_position_embeddings", longest)`: with this default the '
            "quotient is 1 where the length is missing.",
            zh='`scaling.get("original_max_position_embeddings", longest)`：有了这个默认值，'
            "缺少那个长度时商就是1。",
        ),
    ),
)


@exercise.truth
def declared_first(config: Config) -> float:
    """Return the declared factor, else the quotient of the lengths, at least 1."""
    scaling, longest = config["rope_scaling"], config["max_position_embeddings"]
    if scaling.get("factor") is not None:
        return scaling["factor"]
    return max(longest / scaling.get("original_max_position_embeddings", longest), 1.0)


def _config(rng: torch.Generator, **scaling: Any) -> Config:
    longest = 1024 * whole(rng, 8, 40)
    return {"max_position_embeddings": longest, "rope_scaling": {"rope_type": "yarn"} | scaling}


@exercise.check(en="what is declared holds", zh="以声明的factor为准", weight=3)
def declared(answer: Function, rng: torch.Generator) -> None:
    qwen = {"factor": 4.0, "original_max_position_embeddings": 32768}
    less = {"factor": 2.0, "original_max_position_embeddings": 8192}
    configs = [
        _config(rng, **qwen) | {"max_position_embeddings": 40960},
        _config(rng, factor=drawn(rng, 2.0, 8.0)),
        _config(rng, **less) | {"max_position_embeddings": 32768},
        _config(rng, factor=0.5),
    ]
    for trained in (4096, 65536):
        scaling = {"factor": drawn(rng, 3.0, 16.0), "original_max_position_embeddings": trained}
        configs.append(_config(rng, **scaling))
    for config in shuffled(rng, configs):
        expect_agreement(answer, exercise.true_answer, config)


@exercise.check(
    en="without it, the quotient of the lengths", zh="没有声明时，取两个长度之商", weight=2
)
def quotient(answer: Function, rng: torch.Generator) -> None:
    lengths = {"original_max_position_embeddings": 16384}
    qwen = _config(rng, **lengths) | {"max_position_embeddings": 40960}
    expect_agreement(answer, exercise.true_answer, qwen)
    for more in ({}, {"factor": None}):
        config = _config(rng, original_max_position_embeddings=512 * whole(rng, 1, 9), **more)
        expect_agreement(answer, exercise.true_answer, config)


@exercise.check(en="never a quotient below 1", zh="商不小于1")
def at_least_one(answer: Function, rng: torch.Generator) -> None:
    longer = {"original_max_position_embeddings": 65536}
    configs = [_config(rng, factor=2.0, **longer), _config(rng, **longer), _config(rng)]
    for config in shuffled(rng, [*configs, _config(rng, factor=None)]):
        expect_agreement(answer, exercise.true_answer, config)


@exercise.misconception(
    en="Still the broken line: with both lengths there, `factor` is never read. Qwen3 with factor "
    "4, 40960 and 32768 is stretched by 1.25.",
    zh="还是出错的那一行：两个长度都在时，`factor`根本没有被读。Qwen3的factor为4，"
    "两个长度为40960和32768，实际的扩展倍数只有1.25。",
)
def unchanged(config: Config) -> float:
    scaling, longest = config["rope_scaling"], config["max_position_embeddings"]
    if "original_max_position_embeddings" in scaling:
        return longest / scaling["original_max_position_embeddings"]
    return scaling.get("factor") or 1.0


@exercise.misconception(
    en="The quotient is at least 1 now, but with both lengths there, `factor` is still never read: "
    "ask for it first.",
    zh="商已经不小于1了，可两个长度都在时，`factor`还是没有被读：要先看它。",
)
def quotient_first(config: Config) -> float:
    lengths = "original_max_position_embeddings" in config["rope_scaling"]
    return max(unchanged(config), 1.0) if lengths else unchanged(config)


@exercise.misconception(
    en="You take the larger of the declared factor and the quotient. A user who declares 2 for a "
    "model that allows more wants 2.",
    zh="声明的factor与长度之商，你取了较大的。用户声明了2，哪怕模型允许更长，要的就是2。",
)
def larger(config: Config) -> float:
    return max(declared_first(config), unchanged(config), 1.0)


@exercise.misconception(
    en="A declared factor below 1 comes out as 1. “At least 1” is said of the quotient alone: what "
    "the user declares is returned as it is.",
    zh="声明的factor小于1时，你返回了1。“不小于1”说的只是那个商：用户声明了多少，就返回多少。",
)
def declared_at_least_one(config: Config) -> float:
    return max(declared_first(config), 1.0)


@exercise.misconception(
    en="The quotient may fall below 1: then frequencies would be raised. Take at least 1.",
    zh="商可能小于1，那样频率反而变高。至少取1。",
)
def below_one(config: Config) -> float:
    scaling, longest = config["rope_scaling"], config["max_position_embeddings"]
    if scaling.get("factor") is not None:
        return scaling["factor"]
    return longest / scaling.get("original_max_position_embeddings", longest)


@exercise.misconception(
    en="Where no factor is declared you return 1. The lengths say how far the model is to go.",
    zh="没有声明factor时你返回了1。两个长度说明了要扩展多远。",
)
def one_without_it(config: Config) -> float:
    return config["rope_scaling"].get("factor") or 1.0


@exercise.misconception(
    en="The fraction is upside down: `max_position_embeddings` belongs above.",
    zh="分数上下颠倒了：`max_position_embeddings`应在上面。",
)
def upside_down(config: Config) -> float:
    scaling, longest = config["rope_scaling"], config["max_position_embeddings"]
    if scaling.get("factor") is not None:
        return scaling["factor"]
    return max(scaling.get("original_max_position_embeddings", longest) / longest, 1.0)


counted_twice = exercise.misconception(
    en="You multiply the declared factor by the quotient of the lengths: the stretch is counted "
    "twice.",
    zh="你把声明的factor又乘了两个长度之商：扩展倍数算了两遍。",
)


@counted_twice
def both(config: Config) -> float:
    scaling, longest = config["rope_scaling"], config["max_position_embeddings"]
    trained = scaling.get("original_max_position_embeddings", longest)
    return max((scaling.get("factor") or 1.0) * longest / trained, 1.0)


@counted_twice
def times_at_least_one(config: Config) -> float:
    scaling = config["rope_scaling"]
    quotient = declared_first(config | {"rope_scaling": scaling | {"factor": None}})
    return (scaling.get("factor") or 1.0) * quotient


@exercise.misconception(
    en="A `factor` that is there and None is returned as it is. It counts as missing: `in` does "
    "not tell the two apart, `.get(…) is not None` does.",
    zh="有`factor`这一项而值为None时，你原样返回了None。它算缺失：`in`分不出来，"
    "要用`.get(…) is not None`。",
)
def none_returned(config: Config) -> float | None:
    scaling = config["rope_scaling"]
    return scaling["factor"] if "factor" in scaling else declared_first(config)


@exercise.misconception(
    en="The quotient is cut to a whole number by `//`: 40960 over 16384 is 2.5.",
    zh="商被`//`截成了整数：40960除以16384是2.5。",
)
def whole_quotient(config: Config) -> float:
    declared = config["rope_scaling"].get("factor") is not None
    return declared_first(config) if declared else declared_first(config) // 1
