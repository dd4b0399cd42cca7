"""Exercise mend_cache_estimate: an estimate of a cache that takes every head for a KV head."""

from typing import Any

import torch

from autograde.exercises._whole import expect_whole
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect_values import expect_number
from bilingual import Text

exercise = Exercise(
    id="mend_cache_estimate",
    chapter="11_choose",
    title=Text(en="Fix: too large a cache", zh="改错：缓存估大了"),
    task=Text(
        en=r"""Fix `cache_of_all_heads`: return the bytes of the KV cache of `length` tokens, an
int, for a config of Hugging Face (a dictionary). `num_key_value_heads` and `head_dim` may be
missing: then there is one KV head for each of the `num_attention_heads` query heads, and these
share `hidden_size` equally.""",
        zh=r"""修好`cache_of_all_heads`：给定一份Hugging Face配置（字典），
返回`length`个词元的KV缓存占多少字节，整数。
`num_key_value_heads`和`head_dim`可能缺失：这时`num_attention_heads`个查询头各有一个KV头，
并平分`hidden_size`。""",
    ),
    signature="mend_cache_estimate(config, length, bytes_each=2) -> int",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="The line marked `# the mistake` uses the width of all queries. What is cached?",
            zh="标着`# the mistake`的那一行用的是全部查询的宽度。缓存里存的是什么？",
        ),
        Text(
            en="A token takes 2 · layers · KV heads · width numbers: keys and values, in every "
            "layer.",
            zh="每个词元要存的数，共有2 · 层数 · KV头数 · 头宽这么多：键和值，每层都有。",
        ),
        Text(
            en="`config.get(key, other)` returns `other` where the key is missing: what stands for "
            "the KV heads then, and what for the width?",
            zh="`config.get(key, other)`在键缺失时返回`other`：那时用什么代替KV头数，"
            "用什么代替头宽？",
        ),
    ),
)

OPTIONAL = ("num_key_value_heads", "head_dim")
LLAMA3 = {  # 8B
    "num_hidden_layers": 32,
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
}


@exercise.truth
def keys_and_values(config: dict[str, Any], length: int, bytes_each: int = 2) -> int:
    """Return two numbers for each channel, KV head, layer and token, in bytes."""
    heads = config["num_attention_heads"]
    kv_heads = config.get("num_key_value_heads", heads)
    width = config.get("head_dim", config["hidden_size"] // heads)
    return 2 * config["num_hidden_layers"] * kv_heads * width * length * bytes_each


def _config(rng: torch.Generator, *optional: str) -> dict[str, int]:
    """Return a config of drawn sizes, with these optional keys."""
    layers, kv_heads, groups, width, other = torch.randint(2, 40, (5,), generator=rng).tolist()
    heads = kv_heads * groups
    config = {
        "num_hidden_layers": layers,
        "hidden_size": heads * width,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "head_dim": width + other,
    }
    return {k: v for k, v in config.items() if k not in OPTIONAL or k in optional}


@exercise.check(en="one KV head for each query head", zh="每个查询头各有一个KV头")
def plain(answer: Function, rng: torch.Generator) -> None:
    expect_whole(exercise, answer, _config(rng), 100)
    expect_whole(exercise, answer, _config(rng), 1)


@exercise.check(
    en="grouped-query attention: only KV heads are stored", zh="分组查询注意力：只存KV头", weight=2
)
def grouped(answer: Function, rng: torch.Generator) -> None:
    expect_number(answer(LLAMA3, 1), 128 * 1024, rtol=0)
    expect_whole(exercise, answer, _config(rng, "num_key_value_heads"), 32768)


@exercise.check(en="heads with a width of their own", zh="头宽另行给出")
def own_width(answer: Function, rng: torch.Generator) -> None:
    expect_whole(exercise, answer, _config(rng, *OPTIONAL), 10)
    expect_whole(exercise, answer, _config(rng, "head_dim"), 10)


@exercise.check(en="other numbers of bytes", zh="其他字节数")
def other_bytes(answer: Function, rng: torch.Generator) -> None:
    for bytes_each in (1, 4):
        expect_whole(exercise, answer, _config(rng, "num_key_value_heads"), 7, bytes_each)


@exercise.misconception(
    en="You share `hidden_size` among the KV heads. It is the query heads that share it.",
    zh="你让KV头来平分`hidden_size`。平分它的是查询头。",
)
def width_by_key_heads(config: dict[str, Any], length: int, bytes_each: int = 2) -> int:
    kv_heads = config.get("num_key_value_heads", config["num_attention_heads"])
    width = config.get("head_dim", config["hidden_size"] // kv_heads)
    return 2 * config["num_hidden_layers"] * kv_heads * width * length * bytes_each


@exercise.misconception(
    en="You still store every head. With 32 query heads and 8 KV heads that is four times what is "
    "kept.",
    zh="你仍把每个头都存了。32个查询头、8个KV头时，这是实际存储的四倍。",
)
def every_head(config: dict[str, Any], length: int, bytes_each: int = 2) -> int:
    return 2 * config["num_hidden_layers"] * config["hidden_size"] * length * bytes_each


@exercise.misconception(
    en="This is the broken line as it stands: it caches every query head, always at 2 bytes.",
    zh="这还是出错的那一行：它给每个查询头都存一份，而且总按2字节算。",
)
def as_it_stands(config: dict[str, Any], length: int, bytes_each: int = 2) -> int:
    return 2 * config["num_hidden_layers"] * config["hidden_size"] * length * 2


@exercise.misconception(
    en="You multiply by the query heads. What is cached are the KV heads, `num_key_value_heads`.",
    zh="你乘的是查询头数。缓存里存的是KV头，`num_key_value_heads`个。",
)
def query_heads(config: dict[str, Any], length: int, bytes_each: int = 2) -> int:
    heads = config["num_attention_heads"]
    width = config.get("head_dim", config["hidden_size"] // heads)
    return 2 * config["num_hidden_layers"] * heads * width * length * bytes_each


SHARING = Text(
    en="`num_attention_heads` divided by `num_key_value_heads` is how many query heads share one "
    "KV head. The number of KV heads is `num_key_value_heads` itself: 8 in the example, not 4.",
    zh="`num_attention_heads`除以`num_key_value_heads`，得到的是几个查询头共用一个KV头，不是KV头数。"
    "KV头数就是`num_key_value_heads`：例子里是8，不是4。",
)


@exercise.misconception(en=SHARING.en, zh=SHARING.zh)
def queries_per_kv_head(config: dict[str, Any], length: int, bytes_each: int = 2) -> int:
    heads = config["num_attention_heads"]
    groups = heads // config.get("num_key_value_heads", heads)
    return keys_and_values(config | {"num_key_value_heads": groups}, length, bytes_each)


@exercise.misconception(en=SHARING.en, zh=SHARING.zh)
def queries_per_kv_head_where_given(
    config: dict[str, Any], length: int, bytes_each: int = 2
) -> int:
    groups = config["num_attention_heads"] // config.get("num_key_value_heads", 1)
    return keys_and_values(config | {"num_key_value_heads": groups}, length, bytes_each)


@exercise.misconception(
    en="You always count 2 bytes a number. `bytes_each` may be 1 or 4.",
    zh="你总按每个数2字节算。`bytes_each`也可能是1或4。",
)
def always_two_bytes(config: dict[str, Any], length: int, bytes_each: int = 2) -> int:
    heads = config["num_attention_heads"]
    width = config.get("head_dim", config["hidden_size"] // heads)
    kv_heads = config.get("num_key_value_heads", heads)
    return 2 * config["num_hidden_layers"] * kv_heads * width * length * 2


@exercise.misconception(
    en="You count keys alone. Values are cached too: twice as much.",
    zh="你只算了键。值也要缓存：是两倍。",
)
def keys_alone(config: dict[str, Any], length: int, bytes_each: int = 2) -> int:
    heads = config["num_attention_heads"]
    width = config.get("head_dim", config["hidden_size"] // heads)
    kv_heads = config.get("num_key_value_heads", heads)
    return config["num_hidden_layers"] * kv_heads * width * length * bytes_each


@exercise.misconception(
    en="You always divide `hidden_size`. Some models give their heads a different width: read "
    "`head_dim` first.",
    zh="你总是用`hidden_size`除以头数。有些模型的头另有宽度：先看`head_dim`。",
)
def width_by_division(config: dict[str, Any], length: int, bytes_each: int = 2) -> int:
    heads = config["num_attention_heads"]
    kv_heads = config.get("num_key_value_heads", heads)
    width = config["hidden_size"] // heads
    return 2 * config["num_hidden_layers"] * kv_heads * width * length * bytes_each


@exercise.misconception(
    en="Where `num_key_value_heads` is missing you take one KV head. Then every query head "
    "has its own.",
    zh="`num_key_value_heads`缺失时，你取了一个KV头。其实那时每个查询头各有一个。",
)
def one_key_head(config: dict[str, Any], length: int, bytes_each: int = 2) -> int:
    return keys_and_values({"num_key_value_heads": 1} | config, length, bytes_each)


@exercise.misconception(
    en="These are bits: a byte has 8 of them, and `bytes_each` counts bytes.",
    zh="这是位数：一个字节8位，而`bytes_each`数的是字节。",
)
def bits(config: dict[str, Any], length: int, bytes_each: int = 2) -> int:
    return 8 * keys_and_values(config, length, bytes_each)


@exercise.misconception(
    en="Without `head_dim` you take 128 channels, which many models have, not all. Then the query "
    "heads share `hidden_size`: divide.",
    zh="没有`head_dim`时你取了128个通道：许多模型如此，但并非都是。这时由查询头平分`hidden_size`：要做除法。",
)
def always_128_channels(config: dict[str, Any], length: int, bytes_each: int = 2) -> int:
    return keys_and_values({"head_dim": 128} | config, length, bytes_each)


@exercise.misconception(
    en="You take a quarter of all heads, whatever the model is. The share is that of its KV "
    "heads: 8 of 32 in the example, all of them in a model without groups.",
    zh="不管什么模型，你都取所有头的四分之一。比例要看KV头数：例子里是32个中的8个，"
    "不分组的模型则是全部。",
)
def always_a_quarter(config: dict[str, Any], length: int, bytes_each: int = 2) -> int:
    return every_head(config, length, bytes_each) // 4


@exercise.misconception(
    en="You count a single layer. Every layer has a cache of its own: multiply by "
    "`num_hidden_layers`.",
    zh="你只算了一层。每一层都有自己的缓存：要乘以`num_hidden_layers`。",
)
def one_layer(config: dict[str, Any], length: int, bytes_each: int = 2) -> int:
    return keys_and_values(config | {"num_hidden_layers": 1}, length, bytes_each)
