"""Exercise bias_overtakes: the context at which a bias costs more per token than a rotation."""

import torch

from autograde.exercises._whole import expect_whole
from autograde.kit.exercise import Exercise, Function
from bilingual import Text

exercise = Exercise(
    id="bias_overtakes",
    chapter="11_choose",
    title=Text(en="When the bias overtakes", zh="偏置何时更贵"),
    task=Text(
        en=r"""In one layer and one decode step RoPE turns $H$ queries and $H_{kv}$ keys of $D$
channels: 4 multiplications a pair, $2D$ a vector. A bias (ALiBi, T5) adds one number to each of
$H\,n$ scores. Return the **smallest** number of keys $n$ at which there are **more** additions
than multiplications, an int.""",
        zh=r"""一层里解码一步，RoPE旋转$H$个查询和$H_{kv}$个键，各$D$个通道：每对4次乘法，
每个向量$2D$次。偏置（ALiBi、T5）给$H\,n$个得分各加一个数。
返回加法次数**多于**乘法次数的**最小**键数$n$，整数。""",
    ),
    signature="bias_overtakes(heads, kv_heads, head_dim) -> int",
    points=1,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Write down both counts as formulas: one grows with n, one does not.",
            zh="先把两个次数写成公式：一个随n增长，一个不变。",
        ),
        Text(
            en="Solve H n > 2 D (H + H_kv) for n.",
            zh="从H n > 2 D (H + H_kv)解出n。",
        ),
        Text(
            en="Whole-number division gives the last n at which there are not yet more additions "
            "than multiplications; add 1.",
            zh="整除得到的是最后一个“不多于”的n，再加1。",
        ),
    ),
)


@exercise.truth
def counted_up(heads: int, kv_heads: int, head_dim: int) -> int:
    """Return the first n with more additions than multiplications, by trying."""
    n = 1
    while heads * n <= 4 * (head_dim // 2) * (heads + kv_heads):
        n += 1
    return n


@exercise.check(en="as many KV heads as query heads", zh="KV头与查询头一样多")
def all_heads(answer: Function, rng: torch.Generator) -> None:
    drawn, half = torch.randint(2, 70, (2,), generator=rng).tolist()
    for heads, head_dim in ((8, 64), (drawn, 2 * half), (1, 2)):
        expect_whole(exercise, answer, heads, heads, head_dim)


@exercise.check(en="grouped-query attention", zh="分组查询注意力", weight=2)
def grouped(answer: Function, rng: torch.Generator) -> None:
    kv_heads, groups, half = torch.randint(3, 20, (3,), generator=rng).tolist()
    for sizes in ((12, 5, 64), (32, 8, 128), (7, 1, 10), (kv_heads * groups, kv_heads, 2 * half)):
        expect_whole(exercise, answer, *sizes)


@exercise.misconception(
    en="At your n the two are equal, or the bias is still cheaper. The task asks for the first n "
    "with more additions.",
    zh="在你的n处两者相等，或者偏置还更便宜。要的是加法开始多于乘法的第一个n。",
)
def not_yet_more(heads: int, kv_heads: int, head_dim: int) -> int:
    return 2 * head_dim * (heads + kv_heads) // heads


@exercise.misconception(
    en="You turned the queries alone. The new keys are turned as well, before they are stored.",
    zh="你只转了查询。新的键在存入之前也要转。",
)
def queries_alone(heads: int, kv_heads: int, head_dim: int) -> int:
    return 2 * head_dim + 1


@exercise.misconception(
    en="You turned as many keys as queries. With grouped-query attention there are fewer KV heads.",
    zh="你转的键与查询一样多。用分组查询注意力时KV头更少。",
)
def no_groups(heads: int, kv_heads: int, head_dim: int) -> int:
    return 4 * head_dim + 1


@exercise.misconception(
    en="You took 4 multiplications for each channel. They are for a pair: 2D for a vector.",
    zh="你给每个通道都算了4次乘法。其实一对才4次：每个向量2D次。",
)
def four_a_channel(heads: int, kv_heads: int, head_dim: int) -> int:
    return 4 * head_dim * (heads + kv_heads) // heads + 1


@exercise.misconception(
    en="You count one addition for each key. Every head has its own row: H n additions.",
    zh="你给每个键只算了一次加法。每个头各有一行：共H n次。",
)
def one_row_for_all_heads(heads: int, kv_heads: int, head_dim: int) -> int:
    return 2 * head_dim * (heads + kv_heads) + 1


@exercise.misconception(
    en="You round up and then add 1. Where the division leaves a remainder, that is one too many.",
    zh="你先向上取整又加了1。除不尽时就多了1。",
)
def up_and_one_more(heads: int, kv_heads: int, head_dim: int) -> int:
    return -(-2 * head_dim * (heads + kv_heads) // heads) + 1


@exercise.misconception(
    en="You give the quotient itself: there both are equal, and it need not be a whole number. The "
    "task asks for the first whole n above it: divide with `//`, then add 1.",
    zh="你给出的是商本身：那里两者恰好相等，而且商未必是整数。要的是比它大的第一个整数："
    "先用`//`整除，再加1。",
)
def quotient(heads: int, kv_heads: int, head_dim: int) -> float:
    return 2 * head_dim * (heads + kv_heads) / heads


@exercise.misconception(
    en="You give the point where both are equal, plus 1, as a fraction. The task asks for "
    "a number of keys: divide with `//` first.",
    zh="你给出的是两者相等处再加1，是个小数。要的是键的个数：先用`//`整除。",
)
def fraction(heads: int, kv_heads: int, head_dim: int) -> float:
    return 2 * head_dim * (heads + kv_heads) / heads + 1


@exercise.misconception(
    en="Where the division leaves no remainder, both are equal at your n: the task asks for the "
    "first with more additions.",
    zh="除得尽时，在你的n处两者恰好相等：要的是加法开始多于乘法的第一个n。",
)
def rounded_up(heads: int, kv_heads: int, head_dim: int) -> int:
    return -(-2 * head_dim * (heads + kv_heads) // heads)


@exercise.misconception(
    en="Brackets are missing around H + H_kv: `*` and `//` come before `+`, so 2D multiplies the "
    "queries alone, and H divides the keys alone.",
    zh="H + H_kv少了括号：`*`和`//`先于`+`计算，于是2D只乘了查询，H只除了键。",
)
def brackets_forgotten(heads: int, kv_heads: int, head_dim: int) -> int:
    return 2 * head_dim * heads + kv_heads // heads + 1


@exercise.misconception(
    en="You divided by the number of KV heads. There is a row of scores for each query head, and "
    "the bias is added to every one of them.",
    zh="你除以了KV头的个数。每个查询头都有一行得分，偏置要加到每一行上。",
)
def one_row_for_each_key_head(heads: int, kv_heads: int, head_dim: int) -> int:
    return 2 * head_dim * (heads + kv_heads) // kv_heads + 1


@exercise.misconception(
    en="You count D multiplications for a vector. A pair takes 4, and there are D/2 pairs: 2D.",
    zh="每个向量你只算了D次乘法。每对4次，共D/2对：2D次。",
)
def one_a_channel(heads: int, kv_heads: int, head_dim: int) -> int:
    return head_dim * (heads + kv_heads) // heads + 1


@exercise.misconception(
    en="You divided H_kv by H in whole numbers: with grouped-query attention that is 0, and the "
    "keys are gone. Multiply first, divide last.",
    zh="你先用H_kv整除了H：用分组查询注意力时结果是0，键就没有了。应先乘后除。",
)
def divided_too_early(heads: int, kv_heads: int, head_dim: int) -> int:
    return 2 * head_dim * (1 + kv_heads // heads) + 1
