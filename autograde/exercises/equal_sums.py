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
    title=Text(en="Sentences with one sum", zh="和相同的句子"),
    task=Text(
        en=r"""Each word's vector (one-hot: every word has an axis of its own) is multiplied by its
position 1, 2, 3, … and all are added up. In how many orders do the words `tokens` have the sum that
they have now? The present order counts too. Two orders differ if some position holds another word:
equal words exchanged are the same order.

In: `tokens`, integers of shape `(L,)`, a number for each word, L at most 12. Out: one whole number.
It is 2 for the words 0, 1, 1, 0, since 1, 0, 0, 1 has the same sum.""",
        zh=r"""每个词的向量（独热向量，每个词各占一维）乘以它所在的位置1、2、3……，再全部相加。
把`tokens`里的词重新排列，有多少种次序的和与现在相同？现在的次序也算一种。
至少有一个位置上的词不同，才算不同的次序：相同的词互换，次序不变。

输入：`tokens`，形状为`(L,)`的整数，每个词一个编号，L不超过12。
输出：一个整数。词为0、1、1、0时是2，因为1、0、0、1的和与它相同。""",
    ),
    signature="equal_sums(tokens) -> int",
    points=4,
    difficulty=4,
    minutes=20,
    hints=(
        Text(
            en="By hand, for 0, 1, 1, 0: what does the sum say about the positions of word 0? "
            "Which sets of positions say the same?",
            zh="用0、1、1、0在纸上试：从和里能看出词0的位置的什么？还有哪几组位置给出同样的结果？",
        ),
        Text(
            en="An order has the same sum if for *each* word its positions add up to the same "
            "number. With two words it is enough to look at one of them. Why not with three?",
            zh="对*每个*词，它所在的各个位置加起来都不变，这个次序的和就相同。"
            "只有两个词时，看其中一个就够了。有三个词时为什么不够？",
        ),
        Text(
            en="12 positions have 479 001 600 permutations, too many to try, but most of them only "
            "exchange equal words. Fill one position after the other: which *words* may stand "
            "here, and what is left for the rest?",
            zh="12个位置有479 001 600种排列，逐个试太多了，但其中大多数只是把相同的词互换。"
            "一个位置一个位置地填：这里可以放哪些*词*？剩下的位置还剩什么？",
        ),
        Text(
            en="A recursion `ways(position, left)` does it: for each word, `left` holds how many "
            "copies are still to be placed and what their positions must add up to. When there is "
            "no position left, it is one way if nothing is left, else none.",
            zh="可以递归：`ways(position, left)`，其中`left`记着每个词还要放几个、"
            "它们的位置还要加到多少。位置用完时，如果什么都没有剩下就是一种，否则是零种。",
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


@exercise.check(en="right for two words, each several times", zh="两个词各出现几次时正确", weight=3)
def two_words(answer: Function, rng: torch.Generator) -> None:
    expect_agreement(answer, word_by_word, torch.tensor([0, 1, 1, 0]))
    # Thue and Morse: backwards it is another order with the same sum
    expect_agreement(answer, word_by_word, torch.tensor([5, 9, 9, 5, 9, 5, 5, 9]))
    for copies in ((2, 3), (4, 4), (1, 5), (3, 6)):
        expect_agreement(answer, word_by_word, _sentence(rng, *copies))


@exercise.check(en="right for three words and more", zh="三个或更多的词时正确", weight=3)
def more_words(answer: Function, rng: torch.Generator) -> None:
    expect_agreement(answer, word_by_word, torch.tensor([0, 1, 1, 2, 0, 0, 1]))
    for copies in ((2, 2, 2), (3, 1, 3), (2, 2, 1, 2), (1, 1, 2, 1, 2)):
        expect_agreement(answer, word_by_word, _sentence(rng, *copies))


@exercise.check(en="right for twelve words", zh="共十二个词时正确", weight=2)
def twelve(answer: Function, rng: torch.Generator) -> None:
    for copies in ((6, 6), (4, 5, 3)):
        expect_agreement(answer, word_by_word, _sentence(rng, *copies))


@exercise.misconception(
    en="Equal words were told apart: exchanging two of them counted as a new order. It is the same "
    "sentence; n copies of a word were counted n! times.",
    zh="你把相同的词也区分开了：两个相同的词互换，被当成了新的次序。句子并没有变；"
    "一个词有n个，就多数了n!倍。",
)
def copies_told_apart(tokens: Tensor) -> int:
    return word_by_word(tokens) * prod(map(factorial, _copies(tokens)))


@exercise.misconception(
    en="The order of `tokens` itself was left out. It has its own sum, so it counts.",
    zh="漏了`tokens`自己的次序。它的和当然与自己相同，也要算进去。",
)
def without_itself(tokens: Tensor) -> int:
    return word_by_word(tokens) - 1


@exercise.misconception(
    en="You multiplied the words' *numbers* by the positions and compared one total. Words are "
    "vectors here, each on its own axis: the total must be the same for each word.",
    zh="你用词的*编号*乘以位置，只比较了一个总数。这里的词是向量，各占一个维度："
    "每个词都要各自比较。",
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
    en="You compared the positions of one word alone. With two words the other follows; with three "
    "the remaining two may still differ.",
    zh="你只比较了一个词的位置。只有两个词时，另一个随之确定；有三个词时，其余两个仍可能不同。",
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
    "two words; three or more can fill the remaining positions in several ways.",
    zh="你选好了一个词的位置，就把剩下的当成一种次序。只有两个词时确实如此；有三个或更多的词时，"
    "剩下的位置有好几种填法。",
)
def positions_of_one_word(tokens: Tensor) -> int:
    return _sets_of_the_first(tokens)


@exercise.misconception(
    en="You compared the words' totals without asking whose they are, as sorted lists. Each word "
    "must keep its own.",
    zh="你比较的是各词的位置之和，却没有管哪个和是哪个词的，就像比较排好序的列表。"
    "每个词都要保持自己的和不变。",
)
def totals_exchanged(tokens: Tensor) -> int:
    return sum(_with_totals(tokens, each) for each in {*permutations(_totals(tokens))})


@exercise.misconception(
    en="That is the number of *all* orders of these words: nothing was compared.",
    zh="这是这些词*全部*次序的个数：没有比较和。",
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
    en="It is 1 for every sentence: you found the present order alone. Exchanging two different "
    "words changes the sum; an order with the same sum moves four words or more.",
    zh="每个句子你都得1：只找到了原来的次序。互换两个不同的词，和就变了；"
    "要让和不变，至少要动四个词。",
)
def itself_alone(tokens: Tensor) -> int:
    return 1
