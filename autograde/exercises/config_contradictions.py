"""Exercise config_contradictions: what in a config.json cannot be true together."""

import math
from typing import Any

import torch

from autograde.exercises._read_config import drawn, whole
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import excerpt, expect, expect_something
from autograde.kit.shuffled import shuffled
from bilingual import Text

Config = dict[str, Any]
exercise = Exercise(
    id="config_contradictions",
    chapter="13_real_models",
    title=Text(en="A config that contradicts itself", zh="自相矛盾的配置"),
    task=Text(
        en=r"""Return the set of what contradicts itself in `config`, a dictionary; an empty set if
nothing does. The scaling is what `rope_parameters` holds, or else `rope_scaling`. Each of the two
is a non-empty dictionary, or None, or missing.

- `"kind"`: the scaling has both `rope_type` and `type`, and they differ.
- `"base"`: `rope_theta` is given both in the scaling and at the top level, and the two differ.
- `"length"`: the kind is `"yarn"`, by either name, the scaling gives
`original_max_position_embeddings`, and that times `factor` is not `max_position_embeddings`.
- `"heads"`: there is no `head_dim`, and `num_attention_heads` does not divide `hidden_size`.
- `"layers"`: the list `layer_types` is there, and does not have `num_hidden_layers` entries.

Any field may be missing, and then contradicts nothing. Only the scaling may be None.""",
        zh=r"""返回`config`（字典）中自相矛盾之处的集合；没有矛盾就返回空集。
缩放取`rope_parameters`，没有则取`rope_scaling`。两者各自或是非空的字典，或是None，或缺失。

- `"kind"`：缩放里既有`rope_type`又有`type`，而且不同。
- `"base"`：缩放里和顶层都有`rope_theta`，而且不同。
- `"length"`：种类（不论写在哪个名字下）是`"yarn"`，缩放里有`original_max_position_embeddings`，
而它乘`factor`不等于`max_position_embeddings`。
- `"heads"`：没有`head_dim`，而`num_attention_heads`不能整除`hidden_size`。
- `"layers"`：有列表`layer_types`，而它的项数不是`num_hidden_layers`。

任何字段都可能缺失，缺失的不与任何东西矛盾。只有缩放可能是None。""",
    ),
    signature="config_contradictions(config) -> set[str]",
    points=3,
    difficulty=3,
    minutes=12,
    hints=(
        Text(
            en="Start with `found = set()` and one `if` for each kind of contradiction.",
            zh="先写`found = set()`，再给每种矛盾写一个`if`。",
        ),
        Text(
            en='`config.get("rope_parameters") or config.get("rope_scaling") or {}` is a '
            "dictionary in every case.",
            zh='`config.get("rope_parameters") or config.get("rope_scaling") or {}`总是一个字典。',
        ),
        Text(
            en='`config.get("hidden_size")` is None where the field is missing: compare only what '
            "is there on both sides.",
            zh='字段缺失时`config.get("hidden_size")`是None：两边都有，才去比较。',
        ),
        Text(
            en='`{scaling[key] for key in ("rope_type", "type") if key in scaling}` is the set of '
            "kinds that are named: two of them contradict each other; one, or none at all, is "
            "fine.",
            zh='`{scaling[key] for key in ("rope_type", "type") if key in scaling}`是写出的种类：'
            "有两个就是不同，一个或没有都无妨。",
        ),
    ),
)


def _scaling(config: Config) -> Config:
    return config.get("rope_parameters") or config.get("rope_scaling") or {}


def _kinds(config: Config) -> set[str]:
    scaling = _scaling(config)
    return {scaling[name] for name in ("rope_type", "type") if name in scaling}


@exercise.truth
def one_question_each(config: Config) -> set[str]:
    """Return the names of the contradictions, by the five rules of the task."""
    scaling = _scaling(config)
    bases = {place["rope_theta"] for place in (config, scaling) if "rope_theta" in place}
    trained, factor = (scaling.get(k) for k in ("original_max_position_embeddings", "factor"))
    longest, layers = config.get("max_position_embeddings"), config.get("num_hidden_layers")
    width, heads = config.get("hidden_size"), config.get("num_attention_heads")
    has_length = "yarn" in _kinds(config) and None not in (trained, factor, longest)
    shared = "head_dim" not in config and None not in (width, heads)
    answers = {
        "kind": len(_kinds(config)) > 1,
        "base": len(bases) > 1,
        "length": has_length and trained * factor != longest,
        "heads": shared and width % heads,
        "layers": layers is not None and len(config.get("layer_types", [None] * layers)) != layers,
    }
    return {name for name, contradicts in answers.items() if contradicts}


def _sound(rng: torch.Generator) -> Config:
    """Return a config without a contradiction, with a scaling of no kind."""
    heads, width = 2 * whole(rng, 2, 6), 32 * whole(rng, 1, 4)
    return {
        "hidden_size": heads * width,
        "num_attention_heads": heads,
        "num_key_value_heads": 2,
        "num_hidden_layers": whole(rng, 3, 8),
        "max_position_embeddings": 12288 * whole(rng, 1, 4),
        "rope_theta": 500000.0,
    }


def _yarn(config: Config, factor: float, name: str = "rope_type") -> Config:
    """Return a scaling by YaRN that is true of a config."""
    trained = int(config["max_position_embeddings"] / factor)
    return {name: "yarn", "factor": factor, "original_max_position_embeddings": trained}


def _expect(answer: Function, rng: torch.Generator, *configs: Config) -> object:
    """Return what came back last, if each config gets the right names, in a set or a list."""
    for config in shuffled(rng, configs):
        got, want = answer(config), exercise.true_answer(config)
        expect_something(got)
        expect(
            isinstance(got, set | frozenset | list | tuple) and set(got) == want,
            f"for config = {excerpt(config)} yours is {excerpt(got)}, expected {excerpt(want)}",
            f"config = {excerpt(config)}时，你的结果是{excerpt(got)}，应为{excerpt(want)}",
        )
    return got


@exercise.check(en="nothing to object to", zh="没有矛盾")
def sound(answer: Function, rng: torch.Generator) -> None:
    config = _sound(rng)
    got = _expect(answer, rng, config | {"rope_scaling": None})
    kind = type(got).__name__
    expect(
        isinstance(got, set | frozenset),
        f"yours is a {kind}, {excerpt(got)}, expected a set: an empty one is `set()`",
        f"你返回的是{kind}，{excerpt(got)}，应为集合：空集写作`set()`",
    )
    both = {"rope_type": "default", "type": "default"}
    inner = {"rope_parameters": {"rope_theta": config["rope_theta"]}}
    bare = {name: value for name, value in config.items() if name != "rope_theta"}
    _expect(
        answer,
        rng,
        config | {"rope_scaling": _yarn(config, drawn(rng, 2.0, 4.0), "type")},
        config | {"rope_scaling": _yarn(config, 1.5)},
        config | {"rope_scaling": both},
        config | inner,
        bare,
        bare | inner,
    )


@exercise.check(en="two kinds, two bases", zh="两个种类，两个base", weight=2)
def twice(answer: Function, rng: torch.Generator) -> None:
    config = _sound(rng)
    other = {"rope_type": "linear", "type": drawn(rng, "dynamic", "default"), "factor": 2.0}
    inner = {"rope_type": "default", "rope_theta": 10000.0}
    old = other | {"type": "linear"}
    _expect(
        answer,
        rng,
        config | {"rope_scaling": other},
        config | {"rope_parameters": other},
        config | {"rope_parameters": None, "rope_scaling": other},
        config | {"rope_parameters": inner},
        config | {"rope_parameters": inner, "rope_scaling": old},
        config | {"rope_scaling": old},
    )


@exercise.check(en="a factor that does not fit the lengths", zh="factor与长度对不上", weight=3)
def lengths(answer: Function, rng: torch.Generator) -> None:
    config = _sound(rng)
    trained = config["max_position_embeddings"]
    scalings: list[Config] = [{"rope_type": "yarn", "factor": 4.0}]
    for name, kind in (("rope_type", "yarn"), ("type", "yarn"), ("rope_type", "llama3")):
        scaling = {name: kind, "factor": 4.0, "original_max_position_embeddings": trained}
        scalings += [scaling, scaling | {"rope_type": "linear"}]  # one name, or two
    _expect(answer, rng, *(config | {"rope_scaling": scaling} for scaling in scalings))


@exercise.check(en="a missing field contradicts nothing", zh="缺失的字段不与任何东西矛盾")
def missing(answer: Function, rng: torch.Generator) -> None:
    config = _sound(rng)
    half = config["max_position_embeddings"] // 2
    yarn = {"type": "yarn", "original_max_position_embeddings": half}
    kinds = ["full_attention"] * (config["num_hidden_layers"] + 1)
    lacking = [
        {key: value for key, value in (config | wrong).items() if key != name}
        for name, wrong in (
            ("max_position_embeddings", {"rope_scaling": yarn | {"factor": 4.0}}),
            ("num_attention_heads", {}),
            ("hidden_size", {}),
            ("num_hidden_layers", {"layer_types": kinds}),
        )
    ]
    _expect(answer, rng, config | {"rope_scaling": yarn | {"rope_type": "yarn"}}, *lacking)


@exercise.check(en="heads and layers that do not fit", zh="头与层对不上", weight=2)
def counts(answer: Function, rng: torch.Generator) -> None:
    config = _sound(rng)
    odd = config | {"hidden_size": config["hidden_size"] + 2}
    kinds = [["full_attention"] * (config["num_hidden_layers"] + more) for more in (0, 1, -1)]
    layers = [config | {"layer_types": each} for each in kinds]
    _expect(answer, rng, odd, odd | {"head_dim": 64}, *layers)


@exercise.check(en="several at once", zh="几处矛盾并存", weight=2)
def several(answer: Function, rng: torch.Generator) -> None:
    config = _sound(rng)
    inner = _yarn(config, drawn(rng, 2.0, 4.0)) | {"type": "linear", "rope_theta": 10000.0}
    kinds = ["full_attention"] * (config["num_hidden_layers"] + 2)
    more = {"rope_parameters": inner | {"factor": 3.0}, "layer_types": kinds}
    width = {"hidden_size": config["hidden_size"] + 2}
    _expect(
        answer,
        rng,
        config | {"rope_parameters": inner},
        config | more | width,
        config | more,
        config | {"rope_parameters": inner} | width,
    )


@exercise.misconception(
    en="`length` is asked of YaRN alone. Llama 3.1 has factor 8 and 8192, and allows 131072: its "
    "factor is not a quotient of lengths.",
    zh="`length`只针对YaRN。Llama 3.1的factor是8，训练长度8192，允许131072："
    "它的factor并不是两个长度之比。",
)
def length_of_all_kinds(config: Config) -> set[str]:
    scaling = _scaling(config)
    as_yarn = one_question_each(config | {"rope_parameters": scaling | {"rope_type": "yarn"}})
    return one_question_each(config) | (as_yarn & {"length"})


@exercise.misconception(
    en="You read the kind from `rope_type` alone. Older files say `type`.",
    zh="你只从`rope_type`读种类。旧文件写的是`type`。",
)
def new_name_alone(config: Config) -> set[str]:
    other = _scaling(config).get("rope_type") != "yarn"
    return one_question_each(config) - ({"length"} if other else set())


@exercise.misconception(
    en="A kind that is named once is reported as a contradiction: the missing name counts as a "
    "different kind. Missing fields contradict nothing.",
    zh="只写了一个名字的种类，你也报了矛盾：把缺失当成了另一种。缺失的字段不与任何东西矛盾。",
)
def missing_kind_differs(config: Config) -> set[str]:
    scaling = _scaling(config)
    differs = scaling.get("rope_type") != scaling.get("type")
    return one_question_each(config) - {"kind"} | ({"kind"} if differs else set())


base_given_once = exercise.misconception(
    en="A base that is given once is reported: the missing one counts as a different base. It "
    "contradicts nothing.",
    zh="只给了一处的base，你也报了矛盾：把缺失的那处当成了另一个base。缺失不是矛盾。",
)


@base_given_once
def missing_base_differs(config: Config) -> set[str]:
    differs = _scaling(config).get("rope_theta") != config.get("rope_theta")
    return one_question_each(config) - {"base"} | ({"base"} if differs else set())


@base_given_once
def missing_base_differs_in_a_scaling(config: Config) -> set[str]:
    return missing_base_differs(config) if _scaling(config) else one_question_each(config)


@exercise.misconception(
    en="`heads` is reported although `head_dim` is given. Then nothing has to divide: Gemma 3 has "
    "2560 channels, 8 heads, and heads of 256.",
    zh="给了`head_dim`，你仍报了`heads`。这时不必整除：Gemma 3有2560个通道、8个头，每头256。",
)
def heads_in_spite_of_head_dim(config: Config) -> set[str]:
    return one_question_each({key: value for key, value in config.items() if key != "head_dim"})


@exercise.misconception(
    en="You read `rope_scaling` alone. Newer files have `rope_parameters`, which, by the rule of "
    "this task, goes first.",
    zh="你只读了`rope_scaling`。新的文件写的是`rope_parameters`，按本题的规则，它优先。",
)
def old_place(config: Config) -> set[str]:
    return one_question_each({k: v for k, v in config.items() if k != "rope_parameters"})


@exercise.misconception(
    en="`rope_scaling` goes first in your answer. If both are there, by the rule of this task, "
    "`rope_parameters` goes first.",
    zh="你让`rope_scaling`优先。按本题的规则，两者都有时，`rope_parameters`优先。",
)
def old_place_first(config: Config) -> set[str]:
    old = config.get("rope_scaling")
    return one_question_each(config | {"rope_parameters": old} if old else config)


@exercise.misconception(
    en="You report the first contradiction and stop. The task asks for all of them.",
    zh="你报出第一处矛盾就停了。问的是全部。",
)
def first_alone(config: Config) -> set[str]:
    order = ("kind", "base", "length", "heads", "layers")
    return {name for name in order if name in one_question_each(config)} and {
        next(name for name in order if name in one_question_each(config))
    }


@exercise.misconception(
    en="A `layer_types` that is too long goes unnoticed: you ask only whether it is too short.",
    zh="`layer_types`太长时你没有发现：你只看了它是不是太短。",
)
def too_short_alone(config: Config) -> set[str]:
    layers = config.get("num_hidden_layers", 0)
    enough = len(config.get("layer_types", [None] * layers)) >= layers
    return one_question_each(config) - ({"layers"} if enough else set())


@exercise.misconception(
    en="You divide by the KV heads. It is the query heads that share `hidden_size`.",
    zh="你除以的是KV头数。平分`hidden_size`的是查询头。",
)
def by_key_heads(config: Config) -> set[str]:
    return one_question_each(config | {"num_attention_heads": config["num_key_value_heads"]})


@exercise.misconception(
    en="A `layer_types` that is too short goes unnoticed: you ask only whether it is too long.",
    zh="`layer_types`太短时你没有发现：你只看了它是不是太长。",
)
def too_long_alone(config: Config) -> set[str]:
    layers = config.get("num_hidden_layers", math.inf)
    enough = len(config.get("layer_types", [])) <= layers
    return one_question_each(config) - ({"layers"} if enough else set())


@exercise.misconception(
    en="Your set holds letters: `update` and `set(…)` take a string apart. `add` puts it in whole.",
    zh="你的集合里是单个字母：`update`和`set(…)`会把字符串拆开。`add`才把它整个放进去。",
)
def letters(config: Config) -> set[str]:
    return set("".join(one_question_each(config)))


@exercise.misconception(
    en="`{}` is an empty dictionary, not an empty set: that is `set()`.",
    zh="`{}`是空字典，不是空集：空集写作`set()`。",
)
def empty_dictionary(config: Config) -> set[str] | dict[str, str]:
    return one_question_each(config) or {}


@exercise.misconception(
    en="The names are right, but in a list, which has an order and may hold one twice. The task "
    "asks for a set: begin with `set()` and `add`, or return `set(…)` of your list.",
    zh="名字都对，但你返回的是列表，列表有次序，也可能重复。题目要的是集合：从`set()`开始用`add`，"
    "或者最后返回`set(…)`，括号里放你的列表。",
)
def as_a_list(config: Config) -> list[str]:
    return sorted(one_question_each(config))


@exercise.misconception(
    en="YaRN without a `factor` is reported: you took the missing factor for 1. It contradicts "
    "nothing.",
    zh="YaRN缺了`factor`时，你也报了矛盾：把缺失的factor当成了1。缺失不是矛盾。",
)
def missing_factor_is_one(config: Config) -> set[str]:
    scaling, place = _scaling(config), "rope_parameters"
    return one_question_each(config | {place: {"factor": 1.0} | scaling} if scaling else config)


@exercise.misconception(
    en="YaRN that lacks `factor`, and a config that lacks `max_position_embeddings`, are reported: "
    "you took the missing factor for 1, and the missing length for another one. They contradict "
    "nothing.",
    zh="YaRN缺了`factor`，或者配置缺了`max_position_embeddings`，你都报了矛盾："
    "把缺失的factor当成了1，把缺失的长度当成了另一个长度。缺失不是矛盾。",
)
def missing_length_differs(config: Config) -> set[str]:
    scaling = _scaling(config)
    trained = scaling.get("original_max_position_embeddings")
    stretched = trained and trained * scaling.get("factor", 1)
    differs = stretched and stretched != config.get("max_position_embeddings")
    length = {"length"} if differs and "yarn" in _kinds(config) else set()
    return one_question_each(config) - {"length"} | length


@exercise.misconception(
    en="You read `type` only where `rope_type` is missing. The kind counts by either name, also "
    "where the two differ: `length` may be reported beside `kind`.",
    zh="你只在没有`rope_type`时才读`type`。两个名字都算，哪怕写得不一样：`length`可以和`kind`同时报出。",
)
def old_name_as_a_default(config: Config) -> set[str]:
    scaling = _scaling(config)
    yarn = scaling.get("rope_type", scaling.get("type")) == "yarn"
    return one_question_each(config) - (set() if yarn else {"length"})


@exercise.misconception(
    en="You merged the two places: `rope_scaling` fills in what `rope_parameters` lacks. Where "
    "`rope_parameters` is there, nothing in `rope_scaling` counts.",
    zh="你把两处合并了：`rope_parameters`里没有的，用`rope_scaling`补上。"
    "只要有`rope_parameters`，`rope_scaling`里的就都不算。",
)
def merged_places(config: Config) -> set[str]:
    old, new = (config.get(place) or {} for place in ("rope_scaling", "rope_parameters"))
    return one_question_each(config | {"rope_parameters": old | new})


@exercise.misconception(
    en="You made a whole number of `factor`: 1.5 is taken for 1, and a sound config is reported. "
    "Compare the product as it is.",
    zh="你把`factor`取整了：1.5当成了1，没有矛盾的配置也被报了出来。乘积要原样比较。",
)
def whole_factor(config: Config) -> set[str]:
    scaling, place = _scaling(config), "rope_parameters"
    cut = {"factor": int(scaling["factor"])} if "factor" in scaling else {}
    return one_question_each(config | {place: scaling | cut} if cut else config)


@exercise.misconception(
    en="`rope_parameters` may be there and be None: `config.get(key, other)` is None then, and you "
    "never read `rope_scaling`. Write `config.get(a) or config.get(b)`.",
    zh="`rope_parameters`可能在，值却是None：这时`config.get(key, other)`得到None，"
    "`rope_scaling`就没有被读到。应写`config.get(a) or config.get(b)`。",
)
def none_hides_the_old_place(config: Config) -> set[str]:
    hidden = {"rope_scaling": None} if "rope_parameters" in config else {}
    return one_question_each(config | hidden)
