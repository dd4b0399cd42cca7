"""Exercise two_layer_weights: what two uniform causal layers make of the order."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text

exercise = Exercise(
    id="two_layer_weights",
    chapter="01_permutation",
    title=Text(en="Two layers tell the order", zh="两层就能分出顺序"),
    task=Text(
        en=r"""Both layers are uniform causal attention: each token averages over itself and all
earlier tokens, first of the inputs $x_s$, then of the results. The last output is then a weighted
sum $\sum_sw_sx_s$ of the inputs. Return the weights $w_s$.

In: `length`, an int. Out: shape `(length,)`; entry s belongs to token s, the last one included.""",
        zh=r"""两层都是均匀的因果注意力：每个词元对自己和所有更早的词元求平均，第一层平均的是输入$x_s$，
第二层平均的是第一层的结果。于是最后一个输出是输入的加权和$\sum_sw_sx_s$。返回权重$w_s$。

输入：`length`，整数。输出：形状为`(length,)`；第s项对应词元s，包括最后一个词元。""",
    ),
    signature="two_layer_weights(length) -> (length,)",
    points=3,
    difficulty=3,
    minutes=12,
    hints=(
        Text(
            en="One layer is a matrix A: row t holds 1/(t+1) at s ≤ t, and 0 beyond. What are two "
            "layers?",
            zh="一层就是一个矩阵A：第t行在s ≤ t处是1/(t+1)，之后是0。两层是什么？",
        ),
        Text(
            en="The last output is the last row of A @ A. Through which middle tokens t can x_s "
            "reach it?",
            zh="最后一个输出对应A @ A的最后一行。x_s可以经过哪些中间词元t到达那里？",
        ),
        Text(
            en="Only through t ≥ s. The path through t contributes 1/L (from the last token to t) "
            "times 1/(t+1) (from t to s).",
            zh="只能经过t ≥ s的词元。经过t的那条路贡献1/L（最后一个词元看t）乘以1/(t+1)（t看s）。",
        ),
    ),
)


@exercise.truth
def sum_over_paths(length: int) -> Tensor:
    steps = [1 / (t + 1) for t in range(length)]  # what middle token t gives to each it sees
    return torch.tensor([sum(steps[s:]) / length for s in range(length)])


def _length(rng: torch.Generator) -> int:
    return int(torch.randint(5, 20, (), generator=rng))


@exercise.check(en="one weight per token", zh="每个词元一个权重")
def shape(answer: Function, rng: torch.Generator) -> None:
    for length in (4, 1):
        expect_shape(answer(length), (length,))


@exercise.check(en="the weights sum to 1", zh="权重之和为1")
def sums_to_one(answer: Function, rng: torch.Generator) -> None:
    length = _length(rng)
    got = expect_shape(answer(length), (length,)).double()
    expect(
        abs(got.sum().item() - 1) < 1e-4,
        f"they sum to {got.sum().item():.4g}: an average of averages has weights that sum to 1",
        f"它们的和是{got.sum().item():.4g}：平均的平均，权重之和应为1",
    )


@exercise.check(
    en="equals the average over t of the averages up to t",
    zh="等于“到t为止的平均”再对t求平均",
    weight=5,
)
def values(answer: Function, rng: torch.Generator) -> None:
    for length in (1, 2, 3, _length(rng), 100 + _length(rng)):
        expect_agreement(answer, sum_over_paths, length, atol=1e-6)


@exercise.check(
    en="earlier tokens weigh more, so exchanging any two tokens shows",
    zh="越早的词元权重越大，所以交换任意两个词元都会被看出来",
    weight=2,
)
def strictly_falling(answer: Function, rng: torch.Generator) -> None:
    length = _length(rng)
    got = expect_shape(answer(length), (length,))
    expect(
        (got.diff() < 0).all(),
        "the weights do not fall strictly from token 0 to the last token",
        "从词元0到最后一个，权重没有严格递减",
    )


@exercise.misconception(
    en="All equal: that is *one* layer, or two without the causal mask, or A @ Aᵀ, and none of "
    "them sees order. "
    "The second layer averages prefix means, and token 0 is in every prefix.",
    zh="全都相等：这是*一*层的结果，或者两层都没加因果掩码，或者算的是A @ Aᵀ，这样看不出顺序。"
    "第二层平均的是各个前缀的平均，而词元0在每个前缀里。",
)
def one_layer(length: int) -> Tensor:
    return torch.full((length,), 1 / length)


@exercise.misconception(
    en="Turned round: x_s reaches the end through the tokens t ≥ s, not t ≤ s. The first token "
    "weighs most.",
    zh="方向反了：x_s经过的是t ≥ s的词元，不是t ≤ s。权重最大的是第一个词元。",
)
def turned_round(length: int) -> Tensor:
    return (1 / torch.arange(1.0, length + 1)).cumsum(0) / length


@exercise.misconception(
    en="Off by one: t = s is missing. A token averages over itself too, so x_s also reaches the "
    "end through its own position.",
    zh="差了一项：漏了t = s。词元求平均时也包括自己，所以x_s也能经过自己的位置到达终点。",
)
def without_itself(length: int) -> Tensor:
    paths = 1 / torch.arange(1.0, length + 1) / length  # (length,): through middle place t
    return paths.sum() - paths.cumsum(0)


@exercise.misconception(
    en="Two layers are a matrix product, A @ A. You multiplied entry by entry.",
    zh="两层是矩阵乘积A @ A。你做的是逐元素相乘。",
)
def entry_by_entry(length: int) -> Tensor:
    return torch.full((length,), 1 / length**2)


@exercise.misconception(
    en="The second layer averages too: the division by L is missing, so the weights sum to L.",
    zh="第二层也是求平均：少除了L，权重之和成了L。",
)
def second_layer_adds(length: int) -> Tensor:
    return (1 / torch.arange(1.0, length + 1)).flip(0).cumsum(0).flip(0)


@exercise.misconception(
    en="You took a column: the weight that each output gives to token 0. You want what the *last "
    "output* takes from each token: a row.",
    zh="你取的是一列：每个输出给词元0的权重。题目要的是*最后一个输出*从每个词元取多少，也就是一行。",
)
def column(length: int) -> Tensor:
    a = torch.ones(length, length).tril() / torch.arange(1.0, length + 1)[:, None]
    return (a @ a)[:, 0]


@exercise.misconception(
    en="You took the last column: what each output takes from the *last token*. You want the last "
    "*row*.",
    zh="你取的是最后一列：每个输出从*最后一个词元*取多少。题目要的是最后一*行*。",
)
def last_column(length: int) -> Tensor:
    return (torch.arange(length) == length - 1) / float(length) ** 2


@exercise.misconception(
    en="This is all of A @ A. The weights of the *last* output are its last row.",
    zh="这是整个A @ A。*最后一个*输出的权重是它的最后一行。",
)
def whole_matrix(length: int) -> Tensor:
    a = torch.ones(length, length).tril() / torch.arange(1.0, length + 1)[:, None]
    return a @ a


@exercise.misconception(
    en="Only the path through t = s is counted, 1/(L(s+1)). x_s reaches the end through every "
    "middle token t ≥ s: add them up.",
    zh="只算了经过t = s的那条路，即1/(L(s+1))。x_s可以经过每个t ≥ s的词元到达终点，要全部加起来。",
)
def one_path(length: int) -> Tensor:
    return 1 / torch.arange(1.0, length + 1) / length


@exercise.misconception(
    en="These are the readings 1, 1/2, 1/3, … of the counter: the weight that each output "
    "of *one* layer gives to token 0.",
    zh="这是计数器的读数1、1/2、1/3……，即*一*层里每个输出给词元0的权重。",
)
def counter(length: int) -> Tensor:
    return 1 / torch.arange(1.0, length + 1)


@exercise.misconception(
    en="You normalised the columns. A row of A says how one token divides its attention, so it is "
    "the *rows* that sum to 1: `A / A.sum(1, keepdim=True)`.",
    zh="你归一化的是列。A的一行表示一个词元怎样分配注意力，所以和为1的是*行*："
    "`A / A.sum(1, keepdim=True)`。",
)
def columns_sum_to_one(length: int) -> Tensor:
    visible = torch.ones(length, length).tril()
    layer = visible / visible.sum(0, keepdim=True)
    return (layer @ layer)[-1]


@exercise.misconception(
    en="The sums of the rows met the *columns*: in `A / A.sum(1)`, (L, L) by (L,), column s is "
    "divided by the sum of row s. `A.sum(1, keepdim=True)` divides each row by its own sum.",
    zh="各行的和对到了*列*上：`A / A.sum(1)`是(L, L)除以(L,)，第s列除的是第s行的和。"
    "写`A.sum(1, keepdim=True)`，每一行才除以自己的和。",
)
def row_sums_on_columns(length: int) -> Tensor:
    visible = torch.ones(length, length).tril()
    layer = visible / visible.sum(1)
    return (layer @ layer)[-1]
