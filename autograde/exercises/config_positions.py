"""Exercise config_positions: the encoding and its length, read from a config.json."""

from typing import Any

import torch

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import excerpt, expect
from bilingual import Text

exercise = Exercise(
    id="config_positions",
    chapter="11_choose",
    title=Text(en="Read a config", zh="读懂配置"),
    task=Text(
        en=r"""Return the name of the encoding and the length that the file gives for it, before any
extension. (Mostly the trained one; Qwen3's files say 40960, of which 32768 were trained.) `config`
is a dictionary. The rules, in this order:

1. `relative_attention_num_buckets` is there: `("T5", None)`, whatever length the file gives: T5's
bias does not end with it.
2. `alibi` is true, or `position_embedding_type` is `"alibi"`: `("ALiBi", length)`.
3. One of the keys `rope_theta`, `rope_scaling`, `rope_parameters` is there, even with the value
None: RoPE. The scaling is what `rope_parameters` holds or, where that is missing, None or empty,
what `rope_scaling` holds (a dictionary, or None); its kind is `rope_type`, in older files `type`;
no kind means `"default"`. The name is `"RoPE"` for the default, else for example `"RoPE + yarn"`.
The length is the scaling's `original_max_position_embeddings` if given, else `length`.
4. Else `("learned", length)`. (The files of GPT-NeoX, the first LLaMA and BLOOM
end up here as well, wrongly: real code asks `model_type` first.)

The `length` is `max_position_embeddings`, or else `n_positions`, or else None.""",
        zh=r"""返回编码的名称和文件里写的长度；做过扩展的，取扩展前的长度。它多半就是训练长度，但不总是：
Qwen3写的是40960，训练用的是其中的32768。`config`是一个字典。规则依次为：

1. 有`relative_attention_num_buckets`：`("T5", None)`；不管文件写了什么长度，T5的偏置都不受它限制。
2. `alibi`为真，或`position_embedding_type`为`"alibi"`：`("ALiBi", length)`。
3. `rope_theta`、`rope_scaling`、`rope_parameters`这几个键有其一，哪怕值是None：RoPE。
缩放设置取`rope_parameters`，没有、为None或为空则取`rope_scaling`（字典，或None）；
种类是其中的`rope_type`，旧文件里是`type`；都没有就是`"default"`。
默认种类的名称是`"RoPE"`，否则如`"RoPE + yarn"`。
设置里若有`original_max_position_embeddings`，长度就取它，没有则取`length`。
4. 其余为`("learned", length)`。
（本章提到的三种文件，即GPT-NeoX、最早的LLaMA和BLOOM的，也会误落到这里，真正的代码要先看`model_type`。）

`length`取`max_position_embeddings`，没有则取`n_positions`，再没有就是None。""",
    ),
    signature="config_positions(config) -> (str, int | None)",
    points=3,
    difficulty=2,
    minutes=12,
    hints=(
        Text(
            en="Four rules, four `return`s, in the order of the task.",
            zh="四条规则，四个`return`，按题目的顺序写。",
        ),
        Text(
            en='`config.get("rope_scaling") or {}` also serves where the file says null.',
            zh='文件里写着null时，`config.get("rope_scaling") or {}`也管用。',
        ),
        Text(
            en="`get` takes a second argument, which may be another `get`: one key first, the "
            "other in its place. This serves for kind and length.",
            zh="`get`可以有第二个参数，而它可以又是一个`get`：先看一个键，没有再看另一个。"
            "种类和长度都可以这样取。",
        ),
    ),
)

KEYS_OF_ROPE = {"rope_theta", "rope_scaling", "rope_parameters"}


@exercise.truth
def four_rules(config: dict[str, Any]) -> tuple[str, int | None]:
    """Return the name and the trained length, by the four rules of the task in their order."""
    name, scaling, length = _name_and_scaling(config)
    if name.startswith("RoPE"):
        length = scaling.get("original_max_position_embeddings", length)
    return name, length


def _name_and_scaling(config: dict[str, Any]) -> tuple[str, dict[str, Any], int | None]:
    """Return the name, the scaling, and the length that the config gives."""
    scaling = config.get("rope_parameters") or config.get("rope_scaling") or {}
    length = config.get("max_position_embeddings", config.get("n_positions"))
    if "relative_attention_num_buckets" in config:
        return "T5", scaling, None
    if config.get("alibi") or config.get("position_embedding_type") == "alibi":
        return "ALiBi", scaling, length
    if config.keys() & KEYS_OF_ROPE:
        return _rope(scaling.get("rope_type", scaling.get("type", "default"))), scaling, length
    return "learned", scaling, length


def _rope(kind: str) -> str:
    return "RoPE" if kind == "default" else f"RoPE + {kind}"


def _lengths(rng: torch.Generator) -> tuple[int, int, int]:
    """Return three different lengths, the shortest first."""
    first, second, third = torch.randint(1, 200, (3,), generator=rng).cumsum(0).tolist()
    return 64 * first, 64 * second, 64 * third


def _expect(answer: Function, *configs: dict[str, Any]) -> None:
    for config in configs:
        got, want = answer(config), exercise.true_answer(config)
        expect(
            isinstance(got, tuple | list) and tuple(got) == want,
            f"for config = {config} yours is {excerpt(got)}, expected {want!r}",
            f"config = {config}时，你的结果是{excerpt(got)}，应为{want!r}",
        )


@exercise.check(en="learned tables", zh="可学习的表")
def learned(answer: Function, rng: torch.Generator) -> None:
    length, _, _ = _lengths(rng)
    bert = {"max_position_embeddings": length, "position_embedding_type": "absolute"}
    _expect(answer, {"n_positions": length}, bert, bert | {"alibi": False}, {})


@exercise.check(en="biases: T5 and ALiBi", zh="偏置：T5与ALiBi", weight=2)
def biases(answer: Function, rng: torch.Generator) -> None:
    short, length, _ = _lengths(rng)
    by_type = {"position_embedding_type": "alibi"}
    for buckets in (32, None):
        _expect(answer, {"relative_attention_num_buckets": buckets, "n_positions": short})
    _expect(answer, {"alibi": True, "max_position_embeddings": length}, by_type)


@exercise.check(en="RoPE without scaling", zh="没有缩放的RoPE", weight=2)
def plain(answer: Function, rng: torch.Generator) -> None:
    length, _, _ = _lengths(rng)
    new = {"rope_theta": 5e5, "rope_type": "default"}
    for key in sorted(KEYS_OF_ROPE):
        _expect(answer, {"max_position_embeddings": length, key: None})
    _expect(answer, {"max_position_embeddings": length, "rope_theta": 1e4})
    _expect(answer, {"max_position_embeddings": length, "rope_parameters": new})
    _expect(answer, {"n_positions": length, "rope_parameters": {"rope_theta": 5e5}})
    _expect(answer, {"rope_theta": 1e4})


@exercise.check(
    en="RoPE with scaling: the length before it", zh="带缩放的RoPE：之前的长度", weight=3
)
def scaled(answer: Function, rng: torch.Generator) -> None:
    short, length, longest = _lengths(rng)
    llama3 = {"rope_type": "llama3", "factor": 8.0, "original_max_position_embeddings": short}
    yarn = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": length}
    long = {"max_position_embeddings": longest, "rope_theta": 5e5}
    _expect(answer, long | {"rope_scaling": llama3}, long | {"rope_parameters": llama3})
    _expect(answer, long | {"rope_scaling": yarn})
    linear = {"type": "linear", "factor": 4.0}
    _expect(answer, {"max_position_embeddings": length, "rope_scaling": linear})


@exercise.check(en="the rules in their order", zh="规则的先后", weight=2)
def order(answer: Function, rng: torch.Generator) -> None:
    short, length, longest = _lengths(rng)
    alibi = {"alibi": True, "max_position_embeddings": length}
    falcon = alibi | {"rope_theta": 1e4, "rope_scaling": None}
    old = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": short}
    new = {"rope_type": "llama3", "original_max_position_embeddings": length}
    long = {"max_position_embeddings": longest}
    _expect(answer, {"rope_theta": 1e4, "relative_attention_num_buckets": 32})
    _expect(answer, alibi | {"relative_attention_num_buckets": 32}, falcon)
    _expect(answer, {"n_positions": short, "max_position_embeddings": length})
    _expect(answer, long | {"rope_parameters": new, "rope_scaling": old})
    _expect(answer, long | {"rope_parameters": None, "rope_scaling": old})
    _expect(answer, long | {"rope_scaling": {"type": "linear", "rope_type": "dynamic"}})


@exercise.misconception(
    en="You report `max_position_embeddings` of a scaled model. For `llama3` that is the length "
    "after stretching; the one before is `original_max_position_embeddings`, inside the scaling.",
    zh="对缩放过的模型，你给的是`max_position_embeddings`。用`llama3`时，那是扩展之后的长度；"
    "扩展之前的是缩放设置里的`original_max_position_embeddings`。",
)
def after_stretching(config: dict[str, Any]) -> tuple[str, int | None]:
    name, _, length = _name_and_scaling(config)
    return name, length


@exercise.misconception(
    en="You multiplied by the factor: that is the length aimed at, not the one trained first.",
    zh="你乘了factor：那是想要达到的长度，不是最初训练的长度。",
)
def times_the_factor(config: dict[str, Any]) -> tuple[str, int | None]:
    name, scaling, length = _name_and_scaling(config)
    length = scaling.get("original_max_position_embeddings", length)
    return name, int(length * scaling.get("factor", 1)) if length else length


DIVIDED = Text(
    en="You divided `max_position_embeddings` by `factor`. Nothing is divided here: where the "
    "scaling says `original_max_position_embeddings`, take that, else the file's length as it "
    "stands.",
    zh="你把`max_position_embeddings`除以了`factor`。这里不用除：设置里有"
    "`original_max_position_embeddings`，就取它；没有，就取文件里的长度，原样不动。",
)


@exercise.misconception(en=DIVIDED.en, zh=DIVIDED.zh)
def divided_by_the_factor(config: dict[str, Any]) -> tuple[str, int | None]:
    name, scaling, length = _name_and_scaling(config)
    return name, int(length / scaling.get("factor", 1)) if length else length


@exercise.misconception(en=DIVIDED.en, zh=DIVIDED.zh)
def divided_without_an_original(config: dict[str, Any]) -> tuple[str, int | None]:
    name, length = divided_by_the_factor(config)
    _, scaling, _ = _name_and_scaling(config)
    return name, scaling.get("original_max_position_embeddings", length)


@exercise.misconception(
    en="You read only `type`. Newer files spell it `rope_type`.",
    zh="你只读了`type`。新的文件写的是`rope_type`。",
)
def old_spelling(config: dict[str, Any]) -> tuple[str, int | None]:
    name, scaling, length = _name_and_scaling(config)
    if name.startswith("RoPE"):
        name = _rope(scaling.get("type", "default"))
    return name, scaling.get("original_max_position_embeddings", length)


@exercise.misconception(
    en="You give T5 the length of its config. It has no table with an end; `n_positions` is left "
    "over from training.",
    zh="你给了T5配置里的长度。它没有会走到头的表；`n_positions`只是训练留下的数。",
)
def t5_with_an_end(config: dict[str, Any]) -> tuple[str, int | None]:
    name, scaling, length = _name_and_scaling(config)
    if name == "T5":
        length = config.get("max_position_embeddings", config.get("n_positions"))
    return name, scaling.get("original_max_position_embeddings", length)


def _without_none(config: dict[str, Any], *keys: str) -> dict[str, Any]:
    """Return the config without these keys where their value is None."""
    return {k: v for k, v in config.items() if k not in keys or v is not None}


@exercise.misconception(
    en="You look at the value of a key of RoPE. None there is RoPE as well: ask whether the key "
    'is there, `"rope_scaling" in config`, and so for all three.',
    zh="你看的是RoPE的某个键的值。值为None同样是RoPE：要看键在不在，"
    '如`"rope_scaling" in config`，三个键都一样。',
)
def value_for_key(config: dict[str, Any]) -> tuple[str, int | None]:
    return four_rules(_without_none(config, *KEYS_OF_ROPE))


@exercise.misconception(
    en="You look at the value of `relative_attention_num_buckets`. Ask whether the key is there: "
    "with None, too, it is T5.",
    zh="你看的是`relative_attention_num_buckets`的值。要看键在不在：值为None也是T5。",
)
def value_for_buckets(config: dict[str, Any]) -> tuple[str, int | None]:
    return four_rules(_without_none(config, "relative_attention_num_buckets"))


@exercise.misconception(
    en="You look at values. The rules of T5 and of RoPE ask whether a key is there, even with the "
    "value None: `key in config`.",
    zh="你看的是值。T5和RoPE这两条规则看的是键在不在，哪怕值是None：`key in config`。",
)
def values_for_keys(config: dict[str, Any]) -> tuple[str, int | None]:
    return four_rules({key: value for key, value in config.items() if value is not None})


@exercise.misconception(
    en="You read only `rope_type`. Older files spell it `type`.",
    zh="你只读了`rope_type`。旧的文件写的是`type`。",
)
def new_spelling(config: dict[str, Any]) -> tuple[str, int | None]:
    name, scaling, length = _name_and_scaling(config)
    if name.startswith("RoPE"):
        name = _rope(scaling.get("rope_type", "default"))
    return name, scaling.get("original_max_position_embeddings", length)


@exercise.misconception(
    en="You look for RoPE's keys before ALiBi. A file may hold both, as Falcon's does: `alibi` "
    "comes first.",
    zh="你先找RoPE的键，后看ALiBi。一份文件里可能两样都有，Falcon的就是：`alibi`在前。",
)
def rope_before_alibi(config: dict[str, Any]) -> tuple[str, int | None]:
    if config.keys() & KEYS_OF_ROPE and "relative_attention_num_buckets" not in config:
        config = {k: v for k, v in config.items() if not k.startswith(("alibi", "position_emb"))}
    return four_rules(config)


@exercise.misconception(
    en="You look for ALiBi before T5. The buckets decide first.",
    zh="你先看ALiBi，后看T5。桶排在最前面。",
)
def alibi_before_t5(config: dict[str, Any]) -> tuple[str, int | None]:
    if config.get("alibi") or config.get("position_embedding_type") == "alibi":
        config = {k: v for k, v in config.items() if not k.startswith("relative")}
    return four_rules(config)


@exercise.misconception(
    en="You look for RoPE's keys first of all. T5's buckets and ALiBi come before them.",
    zh="你最先找RoPE的键。T5的桶和ALiBi排在它前面。",
)
def rope_first(config: dict[str, Any]) -> tuple[str, int | None]:
    if config.keys() & KEYS_OF_ROPE:
        others = ("alibi", "position_emb", "relative")
        config = {k: v for k, v in config.items() if not k.startswith(others)}
    return four_rules(config)


@exercise.misconception(
    en="You read `n_positions` before `max_position_embeddings`. If both are there, the latter is "
    "the length.",
    zh="你先读`n_positions`，后读`max_position_embeddings`。两个都有时，长度取后者。",
)
def n_positions_first(config: dict[str, Any]) -> tuple[str, int | None]:
    if "n_positions" in config:
        config = config | {"max_position_embeddings": config["n_positions"]}
    return four_rules(config)


@exercise.misconception(
    en="You read `type` before `rope_type`. If both are there, the newer spelling decides.",
    zh="你先读`type`，后读`rope_type`。两个都有时，以新的写法为准。",
)
def type_first(config: dict[str, Any]) -> tuple[str, int | None]:
    name, scaling, length = _name_and_scaling(config)
    if name.startswith("RoPE"):
        name = _rope(scaling.get("type", scaling.get("rope_type", "default")))
    return name, scaling.get("original_max_position_embeddings", length)


@exercise.misconception(
    en="You read `rope_scaling` before `rope_parameters`. If both are there, by the rule of this "
    "task, `rope_parameters` goes first.",
    zh="你先读`rope_scaling`，后读`rope_parameters`。按本题的规则，两个都有时，"
    "`rope_parameters`优先。",
)
def scaling_first(config: dict[str, Any]) -> tuple[str, int | None]:
    if config.get("rope_scaling"):
        config = config | {"rope_parameters": config["rope_scaling"]}
    return four_rules(config)


@exercise.misconception(
    en="You ask whether the key `alibi` is there. It may be there and false: look at its value.",
    zh="你看的是`alibi`这个键在不在。它可能在，而值为假：要看它的值。",
)
def alibi_by_its_key(config: dict[str, Any]) -> tuple[str, int | None]:
    return four_rules(config | {"alibi": True} if "alibi" in config else config)


@exercise.misconception(
    en="The default kind has no addition to its name: it is `RoPE`, not `RoPE + default`.",
    zh="默认种类的名称不加后缀：是`RoPE`，不是`RoPE + default`。",
)
def named_default(config: dict[str, Any]) -> tuple[str, int | None]:
    name, length = four_rules(config)
    return "RoPE + default" if name == "RoPE" else name, length


@exercise.misconception(
    en="You read `rope_scaling` alone. Newer files keep the scaling in `rope_parameters`.",
    zh="你只读了`rope_scaling`。新的文件把缩放设置放在`rope_parameters`里。",
)
def old_key(config: dict[str, Any]) -> tuple[str, int | None]:
    others = {key: value for key, value in config.items() if key != "rope_parameters"}
    return four_rules(
        others | {"rope_scaling": config.get("rope_scaling")}
        if config.keys() & KEYS_OF_ROPE
        else others
    )


@exercise.misconception(
    en="The default kind has no addition to its name, neither where the scaling names it nor where "
    "the scaling has no kind: `RoPE`, not `RoPE + default`.",
    zh="默认种类的名称不加后缀，无论设置里写了default，还是没写种类：是`RoPE`，不是`RoPE + "
    "default`。",
)
def named_default_of_a_scaling(config: dict[str, Any]) -> tuple[str, int | None]:
    name, scaling, length = _name_and_scaling(config)
    name = "RoPE + default" if name == "RoPE" and scaling else name
    return name, scaling.get("original_max_position_embeddings", length)


@exercise.misconception(
    en="You know the key `rope_scaling`, not `rope_parameters`, where newer files keep base and "
    "scaling: a model with that key alone becomes `learned`.",
    zh="你只认`rope_scaling`这个键，不认`rope_parameters`，而新的文件把base和缩放都放在那里："
    "只有这个键的模型就成了`learned`。",
)
def without_the_new_key(config: dict[str, Any]) -> tuple[str, int | None]:
    return four_rules({k: v for k, v in config.items() if k != "rope_parameters"})


@exercise.misconception(
    en="You never read `n_positions`. Files without `max_position_embeddings`, such as GPT-2's, "
    "keep the length there.",
    zh="你没有读`n_positions`。没有`max_position_embeddings`的文件（如GPT-2的），长度就写在那里。",
)
def n_positions_never_read(config: dict[str, Any]) -> tuple[str, int | None]:
    return four_rules({k: v for k, v in config.items() if k != "n_positions"})
