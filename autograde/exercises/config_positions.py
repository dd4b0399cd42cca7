"""Exercise config_positions: the encoding and the trained length, read from a config.json."""

from typing import Any

import torch

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect
from bilingual import Text

exercise = Exercise(
    id="config_positions",
    chapter="11_choose",
    title=Text(en="Read a config", zh="读懂配置"),
    task=Text(
        en=r"""Return the name of the encoding and the length it was trained for (before any
stretching). `config` is a dictionary. The rules, in this order:

1. `relative_attention_num_buckets` is there: `("T5", None)`; a bias has no trained end.
2. `alibi` is true, or `position_embedding_type` is `"alibi"`: `("ALiBi", length)`.
3. One of the keys `rope_theta`, `rope_scaling`, `rope_parameters` is there, even with the value
None: RoPE. The scaling is what `rope_parameters` or else `rope_scaling` holds (a dictionary, or
None); its kind is `rope_type`, in older files `type`; no kind means `"default"`. The name is
`"RoPE"` for the default, else for example `"RoPE + yarn"`. The length is the scaling's
`original_max_position_embeddings` if given, else `length`.
4. Else `("learned", length)`.

The `length` is `max_position_embeddings`, or else `n_positions`, or else None.""",
        zh=r"""返回编码的名称，以及训练时的长度（拉伸之前）。`config`是一个字典。规则依次为：

1. 有`relative_attention_num_buckets`：`("T5", None)`；偏置没有训练的尽头。
2. `alibi`为真，或`position_embedding_type`为`"alibi"`：`("ALiBi", length)`。
3. `rope_theta`、`rope_scaling`、`rope_parameters`这几个键有其一，哪怕值是None：RoPE。
缩放设置取`rope_parameters`，没有则取`rope_scaling`（字典，或None）；种类是其中的`rope_type`，
旧文件里是`type`；都没有就是`"default"`。默认种类的名称是`"RoPE"`，否则如`"RoPE + yarn"`。
设置里若有`original_max_position_embeddings`，长度就取它，没有则取`length`。
4. 其余为`("learned", length)`。

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
            en='`scaling.get("rope_type", scaling.get("type", "default"))`, and the same way '
            "for the length.",
            zh='`scaling.get("rope_type", scaling.get("type", "default"))`，长度同理。',
        ),
    ),
)

LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "original_max_position_embeddings": 8192}
YARN = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}


def _expect(answer: Function, config: dict[str, Any], want: tuple[str, int | None]) -> None:
    got = answer(config)
    expect(
        isinstance(got, tuple | list) and tuple(got) == want,
        f"for {config} yours is {got!r}, expected {want!r}",
        f"对{config}你的结果是{got!r}，应为{want!r}",
    )


@exercise.check(en="learned tables", zh="可学习的表")
def learned(answer: Function, rng: torch.Generator) -> None:
    _expect(answer, {"n_positions": 1024}, ("learned", 1024))
    bert = {"max_position_embeddings": 512, "position_embedding_type": "absolute"}
    _expect(answer, bert, ("learned", 512))
    _expect(answer, bert | {"alibi": False}, ("learned", 512))


@exercise.check(en="biases: T5 and ALiBi", zh="偏置：T5与ALiBi", weight=2)
def biases(answer: Function, rng: torch.Generator) -> None:
    _expect(answer, {"relative_attention_num_buckets": 32, "n_positions": 512}, ("T5", None))
    _expect(answer, {"alibi": True, "max_position_embeddings": 2048}, ("ALiBi", 2048))
    _expect(answer, {"position_embedding_type": "alibi"}, ("ALiBi", None))


@exercise.check(en="RoPE without scaling", zh="没有缩放的RoPE", weight=2)
def plain(answer: Function, rng: torch.Generator) -> None:
    _expect(answer, {"max_position_embeddings": 4096, "rope_scaling": None}, ("RoPE", 4096))
    _expect(answer, {"max_position_embeddings": 2048, "rope_theta": 1e4}, ("RoPE", 2048))
    new = {"rope_theta": 5e5, "rope_type": "default"}
    _expect(answer, {"max_position_embeddings": 8192, "rope_parameters": new}, ("RoPE", 8192))
    old = {"rope_theta": 5e5}
    _expect(answer, {"n_positions": 2048, "rope_parameters": old}, ("RoPE", 2048))


@exercise.check(
    en="RoPE with scaling: the length before it", zh="带缩放的RoPE：之前的长度", weight=3
)
def scaled(answer: Function, rng: torch.Generator) -> None:
    long = {"max_position_embeddings": 131072, "rope_theta": 5e5}
    _expect(answer, long | {"rope_scaling": LLAMA3}, ("RoPE + llama3", 8192))
    _expect(answer, long | {"rope_parameters": LLAMA3}, ("RoPE + llama3", 8192))
    _expect(answer, long | {"rope_scaling": YARN}, ("RoPE + yarn", 32768))
    both = {"rope_parameters": LLAMA3, "rope_scaling": YARN}
    _expect(answer, long | both, ("RoPE + llama3", 8192))
    linear = {"type": "linear", "factor": 4.0}
    four = {"max_position_embeddings": 4096, "rope_scaling": linear}
    _expect(answer, four, ("RoPE + linear", 4096))


def _named(config: dict[str, Any]) -> tuple[str, dict[str, Any], int | None]:
    scaling = config.get("rope_parameters") or config.get("rope_scaling") or {}
    length = config.get("max_position_embeddings", config.get("n_positions"))
    kind = scaling.get("rope_type", scaling.get("type", "default"))
    if "relative_attention_num_buckets" in config:
        return "T5", scaling, None
    if config.get("alibi") or config.get("position_embedding_type") == "alibi":
        return "ALiBi", scaling, length
    if config.keys() & {"rope_theta", "rope_scaling", "rope_parameters"}:
        return "RoPE" if kind == "default" else f"RoPE + {kind}", scaling, length
    return "learned", scaling, length


@exercise.misconception(
    en="You report `max_position_embeddings` of a scaled model. For `llama3` that is the length "
    "after stretching.",
    zh="对缩放过的模型，你给的是`max_position_embeddings`。用`llama3`时，那是拉伸之后的长度。",
)
def after_stretching(config: dict[str, Any]) -> tuple[str, int | None]:
    name, _, length = _named(config)
    return name, length


@exercise.misconception(
    en="You multiplied by the factor: that is the length aimed at, not the one trained first.",
    zh="你乘了factor：那是想要达到的长度，不是最初训练的长度。",
)
def times_the_factor(config: dict[str, Any]) -> tuple[str, int | None]:
    name, scaling, length = _named(config)
    length = scaling.get("original_max_position_embeddings", length)
    return name, int(length * scaling.get("factor", 1)) if length else length


@exercise.misconception(
    en="You read only `type`. Newer files spell it `rope_type`.",
    zh="你只读了`type`。新的文件写的是`rope_type`。",
)
def old_spelling(config: dict[str, Any]) -> tuple[str, int | None]:
    name, scaling, length = _named(config)
    if name.startswith("RoPE"):
        kind = scaling.get("type", "default")
        name = "RoPE" if kind == "default" else f"RoPE + {kind}"
    return name, scaling.get("original_max_position_embeddings", length)


@exercise.misconception(
    en="You give T5 the length of its config. It has no table with an end; `n_positions` is left "
    "over from training.",
    zh="你给了T5配置里的长度。它没有会走到头的表；`n_positions`只是训练留下的数。",
)
def t5_with_an_end(config: dict[str, Any]) -> tuple[str, int | None]:
    name, scaling, length = _named(config)
    length = config.get("n_positions") if name == "T5" else length
    return name, scaling.get("original_max_position_embeddings", length)


@exercise.misconception(
    en="You look at the value of `rope_scaling`. None there is RoPE as well: ask whether the key "
    'is there, `"rope_scaling" in config`.',
    zh='你看的是`rope_scaling`的值。值为None同样是RoPE：要看键在不在，`"rope_scaling" in config`。',
)
def value_for_key(config: dict[str, Any]) -> tuple[str, int | None]:
    full = {key: value for key, value in config.items() if value is not None}
    name, scaling, length = _named(full)
    return name, scaling.get("original_max_position_embeddings", length)


@exercise.misconception(
    en="You read only `rope_type`. Older files spell it `type`.",
    zh="你只读了`rope_type`。旧的文件写的是`type`。",
)
def new_spelling(config: dict[str, Any]) -> tuple[str, int | None]:
    name, scaling, length = _named(config)
    if name.startswith("RoPE"):
        kind = scaling.get("rope_type", "default")
        name = "RoPE" if kind == "default" else f"RoPE + {kind}"
    return name, scaling.get("original_max_position_embeddings", length)
