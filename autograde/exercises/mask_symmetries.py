"""Exercise mask_symmetries: the orders that masked attention does not see."""

from collections.abc import Iterator
from itertools import permutations
from math import factorial

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect_values import expect_agreement, expect_number
from bilingual import Text

exercise = Exercise(
    id="mask_symmetries",
    chapter="01_permutation",
    title=Text(en="Orders that survive a mask", zh="加了掩码，对哪些次序仍然等变"),
    task=Text(
        en=r"""Let $f$ be attention with a mask, the same mask before and after a reordering.
Return the number of orders for which $f(PX)=P\,f(X)$ holds for *every* $X$, $W_Q$, $W_K$ and
$W_V$. The order 0, 1, 2, … always counts, so the answer is 1 for a mask that breaks equivariance
altogether, and $L!$ for one that leaves it whole.

In: `mask`, boolean, of shape `(L, L)`, True where a query (row) may look at a key (column), with
at least one True in each row; L is 6 at most. Out: one whole number.""",
        zh=r"""设$f$是加了掩码的注意力，重排前后用的是同一个掩码。返回有多少种次序，
使得$f(PX)=P\,f(X)$对*所有*$X$、$W_Q$、$W_K$和$W_V$都成立。次序0、1、2……总是算一种，
所以掩码若完全破坏了等变，答案就是1；若丝毫没有破坏，答案就是$L!$。

输入：`mask`，布尔型，形状为`(L, L)`，查询（行）可以看键（列）的地方为True，每行至少有一个True；
L不超过6。输出：一个整数。""",
    ),
    signature="mask_symmetries(mask) -> int",
    points=3,
    difficulty=4,
    minutes=20,
    hints=(
        Text(
            en="Go through the four steps of the proof with a mask. At which one does it come in, "
            "and what would have to hold there?",
            zh="加上掩码，把证明的四步再走一遍。掩码在哪一步进来？那里需要什么条件成立？",
        ),
        Text(
            en="Reordering the input moves the scores: rows and columns alike. The mask stays "
            "where it is. When does each query still lose exactly the keys that it lost before?",
            zh="重排输入时，得分跟着移动，行和列都动；掩码却留在原处。"
            "什么时候每个查询看不见的，恰好还是原来那些键？",
        ),
        Text(
            en="Test the condition on a window, where positions i and j see each other if they are "
            "at most 1 apart. Reversing the whole sentence must pass; exchanging the first two "
            "words must not.",
            zh="用窗口掩码检验你的条件：相距不超过1的两个位置互相看得见。"
            "整句倒过来应当满足条件，只交换开头两个词则不满足。",
        ),
        Text(
            en="There are at most 720 orders: try them all. `itertools.permutations(range(L))` "
            "lists them.",
            zh="最多只有720种次序：逐个试就行。`itertools.permutations(range(L))`会把它们列出来。",
        ),
    ),
)


@exercise.truth
def try_all(mask: Tensor) -> int:
    rows = mask.tolist()
    places = range(len(rows))
    return sum(
        all(rows[order[i]][order[j]] == rows[i][j] for i in places for j in places)
        for order in permutations(places)
    )


def _masks_in_use(rng: torch.Generator) -> Iterator[Tensor]:
    length = int(torch.randint(4, 7, (), generator=rng))
    place = torch.arange(length)
    apart, causal = (place[:, None] - place).abs(), place[:, None] >= place
    first = int(torch.randint(2, length - 1, (), generator=rng))  # tokens of the prefix
    half = torch.arange(6) // 3  # two documents of three tokens
    yield half[:, None] == half
    yield (half[:, None] == half) & torch.ones(6, 6).tril().bool()
    yield apart <= int(torch.randint(1, length - 2, (), generator=rng))  # window
    yield causal & (apart <= 1)
    yield causal | ((place < first) & (place[:, None] < first))  # prefix


def _other_masks(rng: torch.Generator) -> Iterator[Tensor]:
    ring = torch.rand(5, generator=rng) < 0.5
    ring[1], ring[2] = True, False
    yield ~torch.diag(ring)  # some tokens see all but themselves
    yield torch.stack([ring.roll(i) for i in range(5)])  # every place sees the same distances
    turn = torch.randperm(5, generator=rng)
    yield (turn[:, None] < 2) == (turn < 2)  # two groups, scattered
    yield turn[:, None] >= turn  # causal, in another order
    for length in (3, 5):
        yield (torch.rand(length, length, generator=rng) < 0.5) | torch.eye(length).bool()


@exercise.check(en="1 for a causal mask, L! where all see all", zh="因果掩码为1，处处可见时为L!")
def ends(answer: Function, rng: torch.Generator) -> None:
    for length in (1, 2, int(torch.randint(3, 7, (), generator=rng))):
        everything = torch.ones(length, length).bool()
        expect_number(answer(everything.tril()), 1)
        expect_number(answer(everything), factorial(length))


@exercise.check(
    en="right for the masks in use: windows, a prefix, several documents in one row",
    zh="对实际使用的掩码正确：窗口、前缀、一行里放几篇文档",
    weight=4,
)
def masks_in_use(answer: Function, rng: torch.Generator) -> None:
    for mask in _masks_in_use(rng):
        expect_agreement(answer, try_all, mask)


@exercise.check(en="right for any other mask", zh="对其他任意掩码也正确", weight=2)
def other_masks(answer: Function, rng: torch.Generator) -> None:
    for mask in _other_masks(rng):
        expect_agreement(answer, try_all, mask)


def _orders(mask: Tensor) -> Tensor:
    """Return every order of the places, (L!, L)."""
    return torch.tensor([*permutations(range(len(mask)))])


def _unchanged(reordered: Tensor, mask: Tensor) -> int:
    """Return how many of the reordered, (n, L, …), are still the same."""
    return int((reordered == mask).flatten(1).all(1).sum())


@exercise.misconception(
    en="Rows and columns were reordered in opposite ways, as in P M P. The right factor must be "
    "the transpose, P M Pᵀ: then rows and columns have the same order.",
    zh="行和列按相反的次序重排了，相当于P M P。右边应当是转置，即P M Pᵀ：这样行和列次序相同。",
)
def opposite_orders(mask: Tensor) -> int:
    orders = _orders(mask)
    return _unchanged(mask[orders[:, :, None], orders.argsort(1)[:, None]], mask)


@exercise.misconception(
    en="You reordered one side of the mask alone, its rows or its columns. Queries and keys move "
    "together, as in P S Pᵀ.",
    zh="你只重排了掩码的一边：行或者列。查询和键要一起重排，就像P S Pᵀ那样。",
)
def rows_alone(mask: Tensor) -> int:
    return _unchanged(mask[_orders(mask)], mask)


@exercise.misconception(
    en="You took equivariance for all or nothing. With a mask it may hold for some orders: a "
    "window does not notice that a sentence is read backwards.",
    zh="你把等变当成了非此即彼。加了掩码，对一部分次序仍可以等变：把句子倒过来，"
    "窗口掩码就察觉不到。",
)
def all_or_nothing(mask: Tensor) -> int:
    return factorial(len(mask)) if mask.all() else 1


@exercise.misconception(
    en="You compared *how many* keys each position sees. That must stay the same, but it is not "
    "enough: it must be the same keys.",
    zh="你比较的是每个位置能看见*多少*个键。个数不变是必要的，但还不够：看见的必须是同样的键。",
)
def numbers_of_keys(mask: Tensor) -> int:
    counts = mask.sum(1)
    return _unchanged(counts[_orders(mask)], counts)


@exercise.misconception(
    en="The order that moves nothing was left out. It always counts.",
    zh="漏了原来的次序，即0、1、2……。它总要算进去。",
)
def without_the_trivial(mask: Tensor) -> int:
    return try_all(mask) - 1


@exercise.misconception(
    en="You tried exchanges of two positions only, and the order that moves nothing. An order may "
    "move more of them: it may reverse a whole sentence or exchange two documents.",
    zh="你只试了两两交换，外加原来的次序。重排还可以牵动更多词元：整句倒过来，两篇文档对调。",
)
def exchanges_alone(mask: Tensor) -> int:
    orders = _orders(mask)
    moves = orders[(orders != torch.arange(len(mask))).sum(1) <= 2]
    return _unchanged(mask[moves[:, :, None], moves[:, None]], mask)


@exercise.misconception(
    en="You forgot the direction: whether i sees j or j sees i counted as the same. A causal mask "
    "then looks like one in which all see all.",
    zh="你忘了方向：i看得到j，还是j看得到i，在你那里是一回事。这样，因果掩码就和处处可见没有区别。",
)
def without_direction(mask: Tensor) -> int:
    return try_all(mask | mask.T)


@exercise.misconception(
    en="You left out the diagonal. It counts like all else: a token that sees itself cannot change "
    "places with one that does not.",
    zh="你没有比较对角线。它和别处一样要比：看得到自己的词元，不能和看不到自己的互换。",
)
def diagonal_left_out(mask: Tensor) -> int:
    return try_all(mask | torch.eye(len(mask)).bool())


single_entries = exercise.misconception(
    en="With one list of indices twice, `mask[p, p]` picks single entries, (p₀, p₀), (p₁, p₁) and "
    "so on: the diagonal. `mask[p][:, p]` reorders rows and columns.",
    zh="两个下标用同一个列表，`mask[p, p]`取出的只是(p₀, p₀)、(p₁, p₁)……这些元素，即对角线。"
    "行和列都重排要写`mask[p][:, p]`。",
)


@single_entries
def diagonal_for_the_matrix(mask: Tensor) -> int:
    return _unchanged(mask.diagonal()[_orders(mask)][:, None], mask)


@single_entries
def diagonal_equals_diagonal(mask: Tensor) -> int:
    own = mask.diagonal()
    return _unchanged(own[_orders(mask)], own)


@exercise.misconception(
    en="You found no order at all, but 0, 1, 2, … always counts. `mask[p, p]` would do that: it "
    "is the diagonal, of shape (L,), and never equals the mask. `mask[p][:, p]` reorders rows and "
    "columns.",
    zh="你一种次序也没有找到，可是0、1、2……总要算进去。写`mask[p, p]`就会这样：它是对角线，"
    "形状为(L,)，永远不等于掩码。行和列都重排要写`mask[p][:, p]`。",
)
def none_found(mask: Tensor) -> int:
    return 0


@exercise.misconception(
    en="You return L! for every mask. Each entry must stay what it was; *how many* are True is the "
    "same in every order.",
    zh="不论什么掩码，你都返回L!。每个元素都要保持不变；True的*总数*则在任何次序下都一样。",
)
def all_orders(mask: Tensor) -> int:
    return factorial(len(mask))
