"""Exercise equal_sums: how many sentences the crudest positional encoding confuses with one."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations
from math import factorial, prod

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect_values import expect_agreement, expect_number
from bilingual import Text

exercise = Exercise(
    id="equal_sums",
    chapter="00_start",
    title=Text(en="Sentences with the same sum", zh="总和相同的句子"),
    task=Text(
        en=r"""Each word's vector (one-hot: every word has an axis of its own) is multiplied by its
position 1, 2, 3, … and all are added up. In how many orders of the words `tokens` is the sum the
same as now? The present order counts too. Two orders differ if some position holds another word:
exchanging equal words gives the same order.

In: `tokens`, integers of shape `(L,)`, a number for each word, L at most 12. Out: one whole number.
It is 2 for the words 0, 1, 1, 0, since 1, 0, 0, 1 has the same sum.""",
        zh=r"""每个词的向量（独热向量，每个词各占一维）乘以它所在的位置1、2、3……，再全部相加。
把`tokens`里的词重新排列，有多少种次序的总和跟现在一样？现在的次序也算一种。
至少有一个位置上的词不同，才算不同的次序：相同的词互换，次序不变。

输入：`tokens`，形状为`(L,)`的整数，每个词一个编号，L不超过12。
输出：一个整数。词为0、1、1、0时是2，因为1、0、0、1的总和与它相同。""",
    ),
    signature="equal_sums(tokens) -> int",
    points=4,
    difficulty=4,
    minutes=20,
    hints=(
        Text(
            en="By hand, for 0, 1, 1, 0: what does the sum say about the positions of word 0? "
            "Which other sets of positions give the same?",
            zh="用0、1、1、0在纸上试：总和能告诉你词0所在位置的什么信息？"
            "还有哪几组位置给出同样的结果？",
        ),
        Text(
            en="An order has the same sum if for *each* word its positions add up to the same "
            "number. With two different words it is enough to look at one of them. Why not with "
            "three?",
            zh="对*每个*词，它所在的各个位置加起来都不变，这个次序的总和就相同。"
            "只有两种词时，看其中一种就够了。有三种词时为什么不够？",
        ),
        Text(
            en="12 positions have 479 001 600 permutations, too many to try. But where words "
            "repeat, many of them give one and the same order. Fill one position after the other: "
            "which *words* may stand here, and which are left for the rest?",
            zh="12个位置有479 001 600种排列，逐个试太多了；不过有重复的词时，许多排列得到的是同一个"
            "次序。一个位置一个位置地填：这里可以放哪些*词*？还有哪些词留给后面的位置？",
        ),
        Text(
            en="A recursion `ways(position, left)` does it: for each word, `left` holds how many "
            "copies are still to be placed and what their positions must add up to. When no "
            "position remains, it is one way if all in `left` is 0, else none.",
            zh="可以递归：`ways(position, left)`，其中`left`记着每个词还要放几个、"
            "这些位置之和还差多少。位置用完时，`left`恰好全为0就算一种，否则算零种。",
        ),
    ),
)


def _copies(tokens: Tensor) -> list[int]:
    return tokens.unique(return_counts=True)[1].tolist()


def _totals(tokens: Tensor) -> list[int]:
    """Return what the positions of each word add up to, words in rising order."""
    places = torch.arange(1, len(tokens) + 1)
    return [int(places[tokens == word].sum()) for word in tokens.unique()]


def _ways(free: frozenset[int], needs: list[tuple[int, int]]) -> int:
    """Return in how many ways words find positions; of each: how many, and what they add up to."""
    if not needs:
        return 1
    (number, total), *others = needs
    sets = (each for each in combinations(free, number) if sum(each) == total)
    return sum(_ways(free - {*each}, others) for each in sets)


def _with_totals(tokens: Tensor, totals: Sequence[int]) -> int:
    """Return how many orders have these totals, in place of their own."""
    places = frozenset(range(1, len(tokens) + 1))
    return _ways(places, [*zip(_copies(tokens), totals, strict=True)])


@exercise.truth
def word_by_word(tokens: Tensor) -> int:
    return _with_totals(tokens, _totals(tokens))


def _sentence(rng: torch.Generator, *copies: int) -> Tensor:
    """Return words drawn below 20, each with so many copies, in an order that is drawn."""
    words = torch.randperm(20, generator=rng)[: len(copies)]
    tokens = words.repeat_interleave(torch.tensor(copies))
    return tokens[torch.randperm(len(tokens), generator=rng)]


@exercise.check(
    en="1 where all words differ, and where all are equal", zh="词全都不同或全都相同时为1"
)
def ends(answer: Function, rng: torch.Generator) -> None:
    for copies in ((1,), (5,), (1, 1, 1, 1)):
        expect_number(answer(_sentence(rng, *copies)), 1)


@exercise.check(
    en="right for two different words, repeated", zh="只有两种词、有重复时正确", weight=3
)
def two_words(answer: Function, rng: torch.Generator) -> None:
    expect_agreement(answer, word_by_word, torch.tensor([0, 1, 1, 0]))
    # Thue and Morse: backwards it is another order with the same sum
    expect_agreement(answer, word_by_word, torch.tensor([5, 9, 9, 5, 9, 5, 5, 9]))
    for copies in ((2, 3), (4, 4), (1, 5), (3, 6)):
        expect_agreement(answer, word_by_word, _sentence(rng, *copies))


@exercise.check(
    en="right for three different words and more", zh="有三种或更多的词时正确", weight=3
)
def more_words(answer: Function, rng: torch.Generator) -> None:
    expect_agreement(answer, word_by_word, torch.tensor([0, 1, 1, 2, 0, 0, 1]))
    for copies in ((2, 2, 2), (3, 1, 3), (2, 2, 1, 2), (1, 1, 2, 1, 2)):
        expect_agreement(answer, word_by_word, _sentence(rng, *copies))


@exercise.check(en="right for a sentence of twelve words", zh="句子共十二个词时正确", weight=2)
def twelve(answer: Function, rng: torch.Generator) -> None:
    for copies in ((6, 6), (4, 5, 3)):
        expect_agreement(answer, word_by_word, _sentence(rng, *copies))


@exercise.misconception(
    en="Equal words were told apart: exchanging two of them counted as a new order. It is the same "
    "sentence; with n copies of a word it was counted n! times.",
    zh="你把相同的词也区分开了：两个相同的词互换，被当成了新的次序。句子并没有变；"
    "一个词出现n次，同一个句子就被数了n!次。",
)
def copies_told_apart(tokens: Tensor) -> int:
    return word_by_word(tokens) * prod(map(factorial, _copies(tokens)))


@exercise.misconception(
    en="The order of `tokens` itself was left out. It has its own sum, so it counts.",
    zh="漏了`tokens`自己的次序。它的总和当然与自己相同，也要算进去。",
)
def without_itself(tokens: Tensor) -> int:
    return word_by_word(tokens) - 1


@exercise.misconception(
    en="You multiplied the words' *numbers* by the positions and compared one total. Words are "
    "vectors here, each on its own axis: each word's own total must stay as it was.",
    zh="你用词的*编号*乘以位置，只比较了一个总数。这里的词是向量，各占一个维度："
    "要对每个词分别比较。",
)
def numbers_for_vectors(tokens: Tensor) -> int:
    words = tokens.unique().tolist()

    @cache
    def ways(position: int, copies: tuple[int, ...], total: int) -> int:
        if not position:
            return int(not total)
        return sum(
            ways(
                position - 1,
                (*copies[:kind], number - 1, *copies[kind + 1 :]),
                total - position * words[kind],
            )
            for kind, number in enumerate(copies)
            if number
        )

    length = len(tokens)
    total = int((torch.arange(1, length + 1) * tokens).sum())
    return ways(length, tuple(_copies(tokens)), total)


@exercise.misconception(
    en="You compared the positions of one word alone. With two different words the other follows; "
    "with three the remaining two may still differ.",
    zh="你只比较了一个词的位置。只有两种词时，另一种随之确定；有三种词时，其余两种仍可能不同。",
)
def first_word_alone(tokens: Tensor) -> int:
    rest = tokens[tokens != tokens[0]]
    return _sets_of_the_first(tokens) * factorial(len(rest)) // prod(map(factorial, _copies(rest)))


def _sets_of_the_first(tokens: Tensor) -> int:
    places = torch.arange(1, len(tokens) + 1)
    own = places[tokens == tokens[0]].tolist()
    return sum(sum(each) == sum(own) for each in combinations(places.tolist(), len(own)))


@exercise.misconception(
    en="You chose the positions of one word and counted what remains as one order. That is so for "
    "two different words; three or more can fill the remaining positions in several ways.",
    zh="你选好了一个词的位置，就把剩下的当成一种次序。只有两种词时确实如此；有三种或更多的词时，"
    "剩下的位置有好几种填法。",
)
def positions_of_one_word(tokens: Tensor) -> int:
    return _sets_of_the_first(tokens)


@exercise.misconception(
    en="You compared the words' totals as sorted lists, without asking which word each belongs to. "
    "Each word must keep its own.",
    zh="你没有管哪个位置之和是哪个词的，等于把各个和排序后再比较。每个词都要保持自己的和不变。",
)
def totals_exchanged(tokens: Tensor) -> int:
    return sum(_with_totals(tokens, each) for each in {*permutations(_totals(tokens))})


@exercise.misconception(
    en="That is the number of *all* orders of these words: nothing was compared.",
    zh="这是这些词*全部*次序的个数：你根本没有比较总和。",
)
def all_orders(tokens: Tensor) -> int:
    return factorial(len(tokens)) // prod(map(factorial, _copies(tokens)))


@exercise.misconception(
    en="You looked at the sentence read backwards and at no other order.",
    zh="你只看了倒着读的句子，没有看其他次序。",
)
def backwards_alone(tokens: Tensor) -> int:
    places = torch.arange(1, len(tokens) + 1)
    words = tokens.unique()[:, None]
    there, back = ((places * (order == words)).sum(1) for order in (tokens, tokens.flip(0)))
    return 1 + int(torch.equal(there, back) and not torch.equal(tokens, tokens.flip(0)))


@exercise.misconception(
    en="You return 1 for every sentence: only the present order was found. Exchanging two "
    "different words changes the sum; an order with the same sum moves four words or more.",
    zh="不论什么句子，你都返回1：只找到了原来的次序。互换两个不同的词，总和就变了；"
    "要让总和不变，至少要动四个词。",
)
def itself_alone(tokens: Tensor) -> int:
    return 1


@exercise.misconception(
    en="You let a word occur more or less often than in `tokens`: 1, 1, 0 has the sum of 0, 0, 1, "
    "but is not an order of the same words.",
    zh="你没有保持每个词的个数：1、1、0与`tokens`为0、0、1时的总和相同，但它不是同样这些词的重排。",
)
def copies_not_kept(tokens: Tensor) -> int:
    @cache
    def ways(position: int, totals: tuple[int, ...]) -> int:
        if not position:
            return int(not any(totals))
        return sum(
            ways(position - 1, (*totals[:kind], total - position, *totals[kind + 1 :]))
            for kind, total in enumerate(totals)
            if total >= position
        )

    return ways(len(tokens), tuple(_totals(tokens)))


@exercise.misconception(
    en="You multiplied the numbers of ways of each word, as if two words could stand at the same "
    "position. What one word takes is no longer free for the next.",
    zh="你把各个词的放法数直接相乘，好像两个词可以占同一个位置。一个词占了的位置，下一个词就不能再用。",
)
def words_on_top_of_each_other(tokens: Tensor) -> int:
    places = frozenset(range(1, len(tokens) + 1))
    needs = zip(_copies(tokens), _totals(tokens), strict=True)
    return prod(_ways(places, [need]) for need in needs)
