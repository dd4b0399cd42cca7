"""Exercise stretched_config: write into a config what a text several times as long needs."""

from copy import deepcopy
from typing import Any

import torch

from autograde.exercises._read_config import drawn, expect_read, whole
from autograde.kit.exercise import Exercise, Function
from bilingual import Text

Config = dict[str, Any]
exercise = Exercise(
    id="stretched_config",
    chapter="13_real_models",
    title=Text(en="Write the longer config", zh="写出加长后的配置"),
    task=Text(
        en=r"""Return the config, a new dictionary, with which texts may be `times` times as long as
the given one allows. All other fields stay as they are, and so does the input. Set what has to be
set:

- The scaling is in `rope_parameters` if the config has that field (never None or empty here),
otherwise in `rope_scaling`, which may be missing or None. Write yours to the same place; if neither
is there, to `rope_scaling`. A config here has at most one of the two. (With both, transformers
takes `rope_scaling`, and the tool refuses if they contradict each other.)
- Its kind is `rope_type`, or `type` in older files. A file without a kind, `"default"` and
`"mrope"` do not scale: then use YaRN, `rope_type: "yarn"`, with what it needs (6.7), and one name
for its kind.
- `"linear"`, `"yarn"` and `"llama3"` scale already, by their `factor`. They keep their kind,
spelled as it is, and stretch further.
- `"dynamic"` follows the length of the text by itself (6.5), and counts from
`max_position_embeddings`: to raise that field would claim a longer training. (A server's own limit
is set elsewhere.)

Which fields change, and to what, is for you to find: ask of each what it is read for. `times` is a
whole number.""",
        zh=r"""返回一份新的字典，使文本可以长到原来允许的`times`倍。其余各项不变，输入也不能动。
要设置的是：

- 有`rope_parameters`时，缩放写在其中（它不会是None，也不会为空）；
否则写在`rope_scaling`里（它可能缺失，也可能为None）。改动写回原处；
这两个字段都没有，就写进`rope_scaling`。这里的config至多有其中一个。
（两个都有时，transformers取`rope_scaling`；两者互相矛盾，工具就拒绝。）
- 种类是`rope_type`，旧文件里是`type`。没有种类、`"default"`和`"mrope"`都表示不缩放：
这时用YaRN，`rope_type: "yarn"`，配上它需要的字段（6.7），而且种类只留一个名字。
- `"linear"`、`"yarn"`、`"llama3"`已经按`factor`缩放：种类和写法都不变，在此基础上再扩展。
- `"dynamic"`自己跟着文本长度走（6.5），从`max_position_embeddings`算起：
调大这一项，就等于声称训练长度更长。（服务器自己的上限在别处设置。）

哪些字段要改、改成多少，由你来想：逐个问一问，它是被谁读、用来做什么的。`times`是整数。""",
    ),
    signature="stretched_config(config, times) -> dict",
    points=4,
    difficulty=4,
    minutes=20,
    hints=(
        Text(
            en="Two lengths are easily confused: the trained one, by which YaRN measures turns, "
            "and the longest that is allowed. Only one of them grows.",
            zh="有两个长度容易混：YaRN用来数圈的训练长度，和允许的最大长度。会变大的只有一个。",
        ),
        Text(
            en="A model with yarn, factor 4, is to read texts twice as long. Its weights are the "
            "same as before. Which stretch, counted from the trained length, is that?",
            zh="一个yarn、factor为4的模型，要读两倍长的文本。权重没有变。从训练长度算起，这是多少"
            "倍？",
        ),
        Text(
            en="Dynamic NTK counts from `max_position_embeddings`. What would happen to a text of "
            "that length if you raised it?",
            zh="动态NTK从`max_position_embeddings`起算。如果把它调大，正好那么长的文本会怎样？",
        ),
        Text(
            en="Make copies first, `scaling = dict(config.get(name) or {})`; then three cases: "
            "dynamic, not scaled yet, scaled already. `config | {name: scaling, …}` is new.",
            zh="先复制，`scaling = dict(config.get(name) or {})`；再分三种情形：dynamic、尚未缩放、"
            "已经缩放。`config | {name: scaling, …}`是新字典。",
        ),
    ),
)

GROWS = ("linear", "yarn", "llama3")


def _place(config: Config) -> str:
    return "rope_parameters" if config.get("rope_parameters") else "rope_scaling"


def _kind(scaling: Config) -> str:
    return scaling.get("rope_type", scaling.get("type", "default"))


@exercise.truth
def by_kind(config: Config, times: int) -> Config:
    """Return the config for texts `times` as long, by the kind of its scaling."""
    new, place = deepcopy(config), _place(config)
    scaling = new.get(place) or {}
    longest = config["max_position_embeddings"]
    if _kind(scaling) == "dynamic":
        return new
    if _kind(scaling) in GROWS:
        scaling["factor"] *= times
    else:
        scaling.pop("type", None)
        scaling |= {"rope_type": "yarn", "factor": times}
        scaling["original_max_position_embeddings"] = longest
    return new | {place: scaling, "max_position_embeddings": longest * times}


def _config(rng: torch.Generator, **scaling: Any) -> Config:
    """Return a config whose length is what its scaling says, if that names the trained length.

    Then an answer may compute either length, or the factor, from the other two (13.8).
    """
    longest = 1024 * whole(rng, 2, 32)
    if "original_max_position_embeddings" in scaling:
        longest = int(scaling["original_max_position_embeddings"] * scaling["factor"])
    return {"max_position_embeddings": longest, "hidden_size": 64}


def _yarn(rng: torch.Generator, name: str) -> Config:
    return {
        name: "yarn",
        "factor": drawn(rng, 2.0, 4.0, 40.0),
        "original_max_position_embeddings": 512 * whole(rng, 1, 9),
    }


@exercise.check(en="a model without scaling gets YaRN", zh="没有缩放的模型用上YaRN", weight=2)
def first_time(answer: Function, rng: torch.Generator) -> None:
    for scaling in ({}, {"rope_scaling": None}):
        config = _config(rng) | {"rope_theta": 10000.0} | scaling
        expect_read(exercise, answer, config, whole(rng, 2, 8))


@exercise.check(
    en="a model that is stretched already stretches further",
    zh="已经缩放过的模型再扩展",
    weight=3,
)
def further(answer: Function, rng: torch.Generator) -> None:
    for name in ("rope_type", "type"):
        yarn = _yarn(rng, name)
        config = _config(rng, **yarn) | {"rope_scaling": yarn}
        expect_read(exercise, answer, config, whole(rng, 2, 8))
    llama3 = _yarn(rng, "rope_type") | {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
    llama3["rope_type"] = "llama3"
    linear = {"rope_type": "linear", "factor": drawn(rng, 2.0, 8.0)}
    for scaling in (llama3, linear):
        config = _config(rng, **scaling) | {"rope_scaling": scaling}
        expect_read(exercise, answer, config, whole(rng, 2, 8))


@exercise.check(
    en="today's spelling keeps its place and its base", zh="新写法：位置不变，base还在", weight=2
)
def new_spelling(answer: Function, rng: torch.Generator) -> None:
    base = {"rope_theta": drawn(rng, 5e5, 1e6)}
    for scaling in (base, base | {"rope_type": "default"}, base | _yarn(rng, "rope_type")):
        config = _config(rng, **scaling) | {"rope_parameters": scaling}
        expect_read(exercise, answer, config, whole(rng, 2, 8))


@exercise.check(
    en="one name for the kind, and sections that are kept",
    zh="种类只留一个名字，轴分配照旧",
    weight=2,
)
def one_name(answer: Function, rng: torch.Generator) -> None:
    sections = {"mrope_section": [16, 24, 24]}
    for kinds in ({"type": "mrope"}, {"type": "default", "rope_type": "default"}):
        config = _config(rng) | {"rope_theta": 1e6, "rope_scaling": sections | kinds}
        expect_read(exercise, answer, config, whole(rng, 2, 8))


@exercise.check(en="dynamic NTK needs nothing", zh="动态NTK什么也不用改", weight=2)
def dynamic(answer: Function, rng: torch.Generator) -> None:
    for name in ("type", "rope_type"):
        scaling = {name: "dynamic", "factor": drawn(rng, 1.0, 2.0)}
        expect_read(exercise, answer, _config(rng) | {"rope_scaling": scaling}, whole(rng, 2, 8))


def _with_scaling(answer: Config, **changes: Any) -> Config:
    """Return an answer with other fields in its scaling."""
    place = _place(answer)
    return answer | {place: answer[place] | changes}


def _scales(config: Config) -> bool:
    return _kind(config.get(_place(config)) or {}) in GROWS


def _is_dynamic(config: Config) -> bool:
    return _kind(config.get(_place(config)) or {}) == "dynamic"


@exercise.misconception(
    en="For a model that is stretched already you wrote today's `max_position_embeddings` as the "
    "trained length. That is the length after the stretch: too many turns would be counted, and "
    "pairs that never went round would be left fast.",
    zh="对已经缩放过的模型，你把现在的`max_position_embeddings`写成了训练长度。那是扩展之后的长度："
    "圈数会数多，没转满一圈的对就不会放慢。",
)
def trained_on_the_longest(config: Config, times: int) -> Config:
    new = by_kind(config, times)
    if not _scales(config):
        return new
    return _with_scaling(new, original_max_position_embeddings=config["max_position_embeddings"])


@exercise.misconception(
    en="The factor of a model that is stretched already became `times`. The stretch counts from "
    "the trained length: multiply.",
    zh="对已经缩放过的模型，你把factor改成了`times`。扩展倍数从训练长度算起：要相乘。",
)
def factor_replaced(config: Config, times: int) -> Config:
    new = by_kind(config, times)
    return _with_scaling(new, factor=times) if _scales(config) else new


@exercise.misconception(
    en="You added `times` to the factor. Stretches multiply: 4 times 2 is 8 times.",
    zh="你把`times`加到了factor上。倍数是相乘的：4倍再2倍是8倍。",
)
def factor_added(config: Config, times: int) -> Config:
    new = by_kind(config, times)
    old = (config.get(_place(config)) or {}).get("factor", 0)
    return _with_scaling(new, factor=old + times) if _scales(config) else new


@exercise.misconception(
    en="`type` still says the old kind beside `rope_type: yarn`. A reader that asks for `type` "
    "first applies no scaling: the two contradict each other.",
    zh="`rope_type: yarn`旁边还留着写着旧种类的`type`。先读`type`的程序就不会缩放：两者自相矛盾。",
)
def two_names(config: Config, times: int) -> Config:
    new = by_kind(config, times)
    old = config.get(_place(config)) or {}
    if "type" in old and not _scales(config) and not _is_dynamic(config):
        return _with_scaling(new, type=old["type"])
    return new


@exercise.misconception(
    en="You multiplied the factor of dynamic NTK. It is not a stretch (6.5), and the base grows "
    "by itself as the text does.",
    zh="你乘了动态NTK的factor。它不是扩展倍数（6.5），文本变长时base自己会变大。",
)
def dynamic_factor(config: Config, times: int) -> Config:
    if not _is_dynamic(config):
        return by_kind(config, times)
    place = _place(config)
    return config | {place: config[place] | {"factor": config[place]["factor"] * times}}


@exercise.misconception(
    en="With dynamic NTK you raised `max_position_embeddings`. That is where it starts to "
    "stretch: now it starts too late, and texts in between meet new angles unscaled.",
    zh="动态NTK时，你调大了`max_position_embeddings`。那正是它开始扩展的地方：这样要等角度都没见过"
    "了才开始。",
)
def dynamic_length(config: Config, times: int) -> Config:
    longest = config["max_position_embeddings"] * times
    new = by_kind(config, times)
    return new | {"max_position_embeddings": longest} if _is_dynamic(config) else new


@exercise.misconception(
    en="With dynamic NTK you multiplied both its factor and `max_position_embeddings`. Neither "
    "has to change: it follows the text.",
    zh="动态NTK时，你把factor和`max_position_embeddings`都乘了。两者都不用改：它自己跟着文本走。",
)
def dynamic_both(config: Config, times: int) -> Config:
    longest = config["max_position_embeddings"] * times
    new = dynamic_factor(config, times)
    return new | {"max_position_embeddings": longest} if _is_dynamic(config) else new


@exercise.misconception(
    en="With dynamic NTK you put YaRN in its place. It needs nothing: it follows the text.",
    zh="你把动态NTK换成了YaRN。它什么也不用改：自己会跟着文本走。",
)
def yarn_for_dynamic(config: Config, times: int) -> Config:
    if not _is_dynamic(config):
        return by_kind(config, times)
    place = _place(config)
    rest = {k: v for k, v in config[place].items() if k not in ("type", "rope_type", "factor")}
    return by_kind(config | {place: rest}, times)


@exercise.misconception(
    en="You left `max_position_embeddings` as it was: the angles would reach further, but a "
    "program that takes this field for its limit will refuse longer texts.",
    zh="`max_position_embeddings`没有变：角度够得着更远，但把这一项当作上限的程序会拒绝更长的文本。",
)
def length_kept(config: Config, times: int) -> Config:
    return by_kind(config, times) | {k: config[k] for k in ("max_position_embeddings",)}


@exercise.misconception(
    en="The trained length is the new, longer one. YaRN measures turns by the length that the "
    "model was trained on.",
    zh="你把新的、加长后的长度写成了训练长度。YaRN按模型训练过的长度来数圈。",
)
def trained_on_the_new(config: Config, times: int) -> Config:
    new = by_kind(config, times)
    if _scales(config) or _is_dynamic(config):
        return new
    return _with_scaling(new, original_max_position_embeddings=new["max_position_embeddings"])


@exercise.misconception(
    en="The scaling is written from scratch: fields that stood there are lost, such as "
    "`rope_theta`, `mrope_section`, or the bands of Llama 3.",
    zh="你把缩放整个重写了，原有的字段丢了，比如`rope_theta`、`mrope_section`，或Llama 3的频段。",
)
def from_scratch(config: Config, times: int) -> Config:
    new, place = by_kind(config, times), _place(config)
    names = ("rope_type", "type", "factor", "original_max_position_embeddings")
    if _is_dynamic(config):
        return new
    return new | {place: {k: v for k, v in new[place].items() if k in names}}


@exercise.misconception(
    en="A new scaling is written from scratch: fields that stood in its place are lost, such as "
    "`rope_theta` or `mrope_section`.",
    zh="新加的缩放是从头写的，那里原有的字段丢了，比如`rope_theta`或`mrope_section`。",
)
def new_from_scratch(config: Config, times: int) -> Config:
    return by_kind(config, times) if _scales(config) else from_scratch(config, times)


@exercise.misconception(
    en="You always write to `rope_scaling`. By the rule of this task, `rope_parameters` goes "
    "first: where the config has it, write there. As it is, the two say different things.",
    zh="你总是写进`rope_scaling`。按本题的规则，`rope_parameters`优先：config里有它，就写在那里；"
    "现在两处不一致。",
)
def always_the_old_place(config: Config, times: int) -> Config:
    if _place(config) == "rope_scaling":
        return by_kind(config, times)
    scaling = by_kind(config, times)["rope_parameters"]
    longest = config["max_position_embeddings"] * times
    return config | {"rope_scaling": scaling, "max_position_embeddings": longest}


@exercise.misconception(
    en="Your scaling lacks the trained length. YaRN then takes `max_position_embeddings` for it, "
    "and you have just raised that.",
    zh="缩放里没有写训练长度：YaRN就会用`max_position_embeddings`来代替，而你刚把它调大。",
)
def without_the_trained_length(config: Config, times: int) -> Config:
    new, place = by_kind(config, times), _place(config)
    if _scales(config) or _is_dynamic(config):
        return new
    scaling = {k: v for k, v in new[place].items() if not k.startswith("original")}
    return new | {place: scaling}


@exercise.misconception(
    en="Every model gets YaRN with factor `times`, from what the config allows now. A model that "
    "is scaled already keeps its kind and its trained length.",
    zh="你给每个模型都换成YaRN，factor为`times`，从现在允许的长度算起。已经缩放过的模型，"
    "种类和训练长度都应保留。",
)
def yarn_for_all(config: Config, times: int) -> Config:
    place = _place(config)
    rest = {k: v for k, v in (config.get(place) or {}).items() if k not in ("type", "rope_type")}
    return by_kind(config | {place: rest}, times)


@exercise.misconception(
    en="You read the kind from `rope_type` alone. An older file says `type: yarn`, and you take "
    "that model for one without scaling.",
    zh="你只从`rope_type`读种类。旧文件写的是`type: yarn`，你把那样的模型当成了没有缩放。",
)
def new_name_alone(config: Config, times: int) -> Config:
    place = _place(config)
    scaling = {k: v for k, v in (config.get(place) or {}).items() if k != "type"}
    return by_kind(config | {place: scaling}, times)


@exercise.misconception(
    en="The trained length of a model that is stretched already was multiplied by `times` as "
    "well. It should stay: turns are counted by the length that the model was trained on.",
    zh="对已经缩放过的模型，你把训练长度也乘了`times`。它不变：圈数按模型训练过的长度来数。",
)
def trained_length_stretched(config: Config, times: int) -> Config:
    new, name = by_kind(config, times), "original_max_position_embeddings"
    old = (config.get(_place(config)) or {}).get(name)
    if not _scales(config) or old is None:
        return new
    return _with_scaling(new, original_max_position_embeddings=old * times)


@exercise.misconception(
    en="For a model that is stretched already you raised `factor` and left "
    "`max_position_embeddings`: the config still promises the old length.",
    zh="对已经缩放过的模型，你只乘了`factor`，没有改`max_position_embeddings`："
    "config里写的还是原来的长度。",
)
def length_kept_where_scaled(config: Config, times: int) -> Config:
    return length_kept(config, times) if _scales(config) else by_kind(config, times)
