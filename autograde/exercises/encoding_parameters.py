"""Exercise encoding_parameters: what each encoding adds to the numbers that training learns."""

import torch

from autograde.exercises._whole import expect_whole
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect_values import expect_number
from bilingual import Text

exercise = Exercise(
    id="encoding_parameters",
    chapter="11_choose",
    title=Text(en="Parameters", zh="参数量"),
    task=Text(
        en=r"""Return how many learned parameters the positional encoding of a model has, an int.

- `"sinusoidal"`, `"RoPE"`, `"ALiBi"`: none; their numbers are fixed.
- `"learned"`: one table of `rows` × `dim`, added once.
- `"T5"`: one table of `rows` buckets × `heads`, shared by all layers.
- `"Shaw"`: in each layer a table for the keys and one for the values, each `rows` × $D$ with
$D$ = `dim / heads`, shared by the heads.""",
        zh=r"""返回一个模型的位置编码有多少个可学习的参数，整数。

- `"sinusoidal"`、`"RoPE"`、`"ALiBi"`：没有，它们的数是固定的。
- `"learned"`：一张`rows` × `dim`的表，只加一次。
- `"T5"`：一张表，`rows`个桶 × `heads`，所有层共用。
- `"Shaw"`：每层给键、值各一张表，都是`rows` × $D$，其中$D$ = `dim / heads`，各头共用。""",
    ),
    signature="encoding_parameters(name, layers, heads, dim, rows) -> int",
    points=2,
    difficulty=1,
    minutes=6,
    hints=(
        Text(
            en="Ask of each table: how many rows, how wide, how many copies?",
            zh="对每张表问三件事：几行，多宽，几份？",
        ),
        Text(
            en="Only Shaw's tables are in every layer, and there are two of them.",
            zh="只有Shaw的表每层都有，而且每层两张。",
        ),
        Text(
            en="One product for each name: `rows` times a width, and for Shaw times the number "
            "of its tables in the whole model.",
            zh="每个名称一个乘积：`rows`乘以宽度；Shaw还要乘以整个模型里这种表的张数。",
        ),
    ),
)


@exercise.truth
def tables_counted(name: str, layers: int, heads: int, dim: int, rows: int) -> int:
    """Return the size of the tables: added once, shared by all layers, or two in each layer."""
    shaw = layers * 2 * rows * (dim // heads)
    return {"learned": rows * dim, "T5": rows * heads, "Shaw": shaw}.get(name, 0)


def _expect(answer: Function, rng: torch.Generator, *names: str) -> None:
    """Compare for a model of drawn sizes, for one layer, and for one head."""
    layers, heads, width, rows = torch.randint(2, 130, (4,), generator=rng).tolist()
    for name in names:
        for size in (
            (layers, heads, heads * width, rows),
            (1, heads, heads * width, 33),
            (layers, 1, width, rows),
        ):
            expect_whole(exercise, answer, name, *size)


@exercise.check(en="fixed encodings have none", zh="固定的编码没有参数")
def fixed(answer: Function, rng: torch.Generator) -> None:
    _expect(answer, rng, "sinusoidal", "RoPE", "ALiBi")


@exercise.check(en="a learned table", zh="可学习的表", weight=2)
def learned(answer: Function, rng: torch.Generator) -> None:
    expect_number(answer("learned", 12, 12, 768, 1024), 786432, rtol=0)  # GPT-2
    _expect(answer, rng, "learned")


@exercise.check(en="T5's buckets", zh="T5的桶", weight=2)
def t5(answer: Function, rng: torch.Generator) -> None:
    _expect(answer, rng, "T5")


@exercise.check(en="Shaw's two tables a layer", zh="Shaw每层的两张表", weight=2)
def shaw(answer: Function, rng: torch.Generator) -> None:
    _expect(answer, rng, "Shaw")


@exercise.misconception(
    en="You gave T5 a table in every layer. Only its first layer has one; the others reuse it.",
    zh="你让T5每层都有一张表。其实只有第一层有，其余各层共用。",
)
def t5_in_every_layer(name: str, layers: int, heads: int, dim: int, rows: int) -> int:
    shaw = layers * 2 * rows * dim // heads
    counts = {"learned": rows * dim, "T5": layers * rows * heads, "Shaw": shaw}
    return counts.get(name, 0)


@exercise.misconception(
    en="You counted the table of sines. It is computed, not learned: nothing is stored in a "
    "checkpoint.",
    zh="你把正弦表也算进去了。它是算出来的，不是学出来的：权重文件里什么也不存。",
)
def sines_counted(name: str, layers: int, heads: int, dim: int, rows: int) -> int:
    shaw = layers * 2 * rows * dim // heads
    counts = {"learned": rows * dim, "T5": rows * heads, "Shaw": shaw, "sinusoidal": rows * dim}
    return counts.get(name, 0)


@exercise.misconception(
    en="You gave each head tables of its own. Shaw's heads share them: the width is D, not d.",
    zh="你让每个头都有自己的表。Shaw的各头共用一份：宽度是D，不是d。",
)
def tables_for_each_head(name: str, layers: int, heads: int, dim: int, rows: int) -> int:
    counts = {"learned": rows * dim, "T5": rows * heads, "Shaw": layers * 2 * rows * dim}
    return counts.get(name, 0)


@exercise.misconception(
    en="You counted one table a layer for Shaw. The values have one too.",
    zh="Shaw每层你只算了一张表。值也有一张。",
)
def keys_alone(name: str, layers: int, heads: int, dim: int, rows: int) -> int:
    shaw = layers * rows * dim // heads
    return {"learned": rows * dim, "T5": rows * heads, "Shaw": shaw}.get(name, 0)


@exercise.misconception(
    en="You gave Shaw one pair of tables for the whole model. Every layer has a pair of its own.",
    zh="你让整个模型共用Shaw的一对表。其实每层各有一对。",
)
def one_pair_for_all_layers(name: str, layers: int, heads: int, dim: int, rows: int) -> int:
    shaw = 2 * rows * dim // heads
    return {"learned": rows * dim, "T5": rows * heads, "Shaw": shaw}.get(name, 0)


@exercise.misconception(
    en="You gave every layer a learned table. It is added once, before the first layer.",
    zh="你让每层都有一张可学习的表。它只在第一层之前加一次。",
)
def learned_in_every_layer(name: str, layers: int, heads: int, dim: int, rows: int) -> int:
    shaw = layers * 2 * rows * dim // heads
    counts = {"learned": layers * rows * dim, "T5": rows * heads, "Shaw": shaw}
    return counts.get(name, 0)


@exercise.misconception(
    en="You counted ALiBi's slopes, one for each head. They are fixed before training.",
    zh="你把ALiBi的斜率也算进去了，每个头一个。它们在训练前就定好了。",
)
def slopes_counted(name: str, layers: int, heads: int, dim: int, rows: int) -> int:
    shaw = layers * 2 * rows * dim // heads
    counts = {"learned": rows * dim, "T5": rows * heads, "Shaw": shaw, "ALiBi": heads}
    return counts.get(name, 0)


@exercise.misconception(
    en="You took `rows` for the largest distance, and made 2·rows + 1 rows of it. `rows` is the "
    "number of rows already.",
    zh="你把`rows`当成最大距离，算成了2·rows + 1行。`rows`本身就是行数。",
)
def rows_for_distance(name: str, layers: int, heads: int, dim: int, rows: int) -> int:
    rows = 2 * rows + 1 if name == "Shaw" else rows
    return tables_counted(name, layers, heads, dim, rows)


@exercise.misconception(
    en="You counted ALiBi's slopes and RoPE's frequencies. Both follow from a formula: nothing is "
    "learned, nothing is stored.",
    zh="你把ALiBi的斜率和RoPE的频率也算了进去。它们都由公式得出：既不学习，也不存储。",
)
def slopes_and_frequencies(name: str, layers: int, heads: int, dim: int, rows: int) -> int:
    fixed = {"ALiBi": heads, "RoPE": dim // heads // 2}
    return fixed.get(name, tables_counted(name, layers, heads, dim, rows))


@exercise.misconception(
    en='The names are compared letter by letter: `"t5"` is not `"T5"`, so that yours fell through '
    "to the 0 of encodings without parameters.",
    zh='名称要一字不差：`"t5"`不等于`"T5"`，你写的名称对不上，就得到了无参数编码的那个0。',
)
def small_letters(name: str, layers: int, heads: int, dim: int, rows: int) -> int:
    return 0 if name in ("T5", "Shaw") else tables_counted(name, layers, heads, dim, rows)


@exercise.misconception(
    en="You counted one number for each of T5's buckets. Every head has its own: `rows` × `heads`.",
    zh="T5的每个桶你只算了一个数。其实每个头各有一个：`rows` × `heads`。",
)
def t5_of_one_head(name: str, layers: int, heads: int, dim: int, rows: int) -> int:
    return rows if name == "T5" else tables_counted(name, layers, heads, dim, rows)
