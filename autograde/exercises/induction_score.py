"""Exercise induction_score: how much a head reads what followed this token the last time."""

from collections.abc import Callable

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="induction_score",
    chapter="14_under_glass",
    title=Text(en="A head that does induction", zh="给归纳头打分"),
    task=Text(
        en=r"""An induction head looks for the latest earlier occurrence of the token it stands on,
and reads the key right after that occurrence: what followed the last time. Return for each head
the mean weight on this key, over all queries, in all rows, that have such an occurrence, each query
counted alike. An occurrence lies *before* the query; the key after it may be the query itself. If
no query in any row has one, NaN for every head.

In: `weights` `(B, H, L, L)`, attention weights of causal heads, row = query; `tokens` `(B, L)`,
integers. Out: shape `(H,)`.""",
        zh=r"""归纳头（induction head）先找到当前词元上一次出现的地方（在查询*之前*），
再去读紧跟在它后面的键：上一次它后面是什么。对每个头，返回落在这个键上的平均权重：所有行里，
只要查询处的词元在它之前已经出现过，这个查询就计入，权重相同。要读的键可以就是查询自己。如果哪一行都没有这样的查询，每个头都为NaN。

输入：`weights`，形状`(B, H, L, L)`，因果注意力头的权重，每行是一个查询；`tokens`，形状`(B, L)`，
整数。输出：形状`(H,)`。""",
    ),
    signature="induction_score(weights, tokens) -> (H,)",
    points=3,
    difficulty=4,
    minutes=20,
    hints=(
        Text(
            en="By hand first: tokens A B A C A. Which queries have an earlier occurrence of their "
            "own token, and which key does each read? There are two.",
            zh="先用手算：词元为A B A C A。哪些查询的词元更早出现过？各该读哪个键？一共两个。",
        ),
        Text(
            en="`tokens[:, :, None] == tokens[:, None, :]` says for query and key whether their "
            "tokens are the same. Of these keep what is below the diagonal, and take the largest "
            "key of each row.",
            zh="`tokens[:, :, None] == tokens[:, None, :]`给出每个查询与每个键的词元是否相同。"
            "只留对角线以下的，再取每行里最大的键。",
        ),
        Text(
            en="The key to read is one more than that. `weights.gather(-1, …)` reads one key for "
            "each query; the index needs an axis for the heads and a last one of size 1.",
            zh="要读的键比它大1。`weights.gather(-1, …)`给每个查询读一个键；"
            "下标要有头的轴，最后一个轴大小为1。",
        ),
        Text(
            en="Sum over rows and queries that have an occurrence, and divide by the number of "
            "these (row, query) pairs: once, at the end.",
            zh="对有出现的（行，查询）求和，再除以这样的（行，查询）有多少个：只除一次，放在最后。",
        ),
    ),
)

Chosen = Callable[[list[int], int], int | None]  # the tokens of a row, a query → the key it reads


def _latest(row: list[int], query: int) -> int | None:
    earlier = [key for key in range(query) if row[key] == row[query]]
    return earlier[-1] + 1 if earlier else None


def _read(weights: Tensor, tokens: Tensor, key_of: Chosen) -> list[Tensor]:
    """Return for each row the weights (H, …) on the keys that are chosen for its queries."""
    rows = []
    for table, row in zip(weights, tokens.tolist(), strict=True):
        keys = {query: key_of(row, query) for query in range(len(row))}
        read = [table[:, query, key] for query, key in keys.items() if key is not None]
        rows.append(torch.stack(read, -1) if read else table.new_empty(len(table), 0))
    return rows


def _score(weights: Tensor, tokens: Tensor, key_of: Chosen) -> Tensor:
    return torch.cat(_read(weights, tokens, key_of), -1).double().mean(-1)


@exercise.truth
def query_by_query(weights: Tensor, tokens: Tensor) -> Tensor:
    """Return each head's mean over all queries whose token came before."""
    return _score(weights, tokens, _latest)


Case = tuple[Tensor, Tensor]


def _case(rng: torch.Generator, batch: int, heads: int, length: int, kinds: int) -> Case:
    """Return weights, a view of a larger tensor, and tokens; each row has fewer kinds of them."""
    scores = 2 * torch.randn(heads, batch, length, length, generator=rng).transpose(0, 1)
    hidden = torch.ones(length, length, dtype=torch.bool).triu(1)
    # some of 50000 tokens: 16 bits cannot tell them apart
    rows = [
        torch.randint(max(2, kinds - 2 * row), (length,), generator=rng) for row in range(batch)
    ]
    return scores.masked_fill(hidden, -torch.inf).softmax(-1), 50_000 - torch.stack(rows)


@exercise.check(en="one score for every head", zh="每个头一个分数")
def shape(answer: Function, rng: torch.Generator) -> None:
    for batch, heads, length in ((2, 3, 12), (4, 1, 9), (1, 5, 7)):
        expect_shape(answer(*_case(rng, batch, heads, length, 3)), (heads,))


@exercise.check(en="a row whose second half repeats the first", zh="后一半重复前一半的行", weight=2)
def repeated_once(answer: Function, rng: torch.Generator) -> None:
    for heads, block in ((3, 5), (2, 8), (4, 3)):
        tokens = torch.randperm(60, generator=rng)[:block].repeat(1, 2)
        weights, _ = _case(rng, 1, heads, 2 * block, 9)
        expect_close(answer(weights, tokens), exercise.true_answer(weights, tokens))


@exercise.check(
    en="the latest of several occurrences, in rows that differ",
    zh="多次出现取最近的，各行不同",
    weight=3,
)
def several(answer: Function, rng: torch.Generator) -> None:
    batch, heads, more = torch.randint(2, 6, (3,), generator=rng).tolist()
    for sizes in ((batch, heads, 10 + more, 9), (1, 2, 30, 3), (3, 4, 25, 30), (2, 1, 130, 60)):
        case = _case(rng, *sizes)
        expect_close(answer(*case), exercise.true_answer(*case))


@exercise.check(
    en="a token twice in a row: the key after it is the query",
    zh="同一词元连着出现：后面的键就是查询自己",
)
def in_a_row(answer: Function, rng: torch.Generator) -> None:
    for batch, heads, length in ((1, 3, 6), (3, 2, 11)):
        weights, tokens = _case(rng, batch, heads, length, 4)
        tokens = tokens.sort(1).values
        expect_close(answer(weights, tokens), exercise.true_answer(weights, tokens))


@exercise.check(
    en="queries without an occurrence do not count; with none at all the score is NaN",
    zh="没有出现过的查询不算；一个也没有时是NaN",
    weight=2,
)
def few(answer: Function, rng: torch.Generator) -> None:
    weights, _ = _case(rng, 3, 2, 9, 5)
    tokens = torch.stack([torch.randperm(40, generator=rng)[:9] for _ in range(3)])
    once = tokens.clone()
    once[1, 7] = once[1, 2]
    once[2, 1] = once[2, 0]
    expect_close(answer(weights, once), exercise.true_answer(weights, once))
    got = expect_shape(answer(weights, tokens), (2,))
    expect_close(got.isnan().float(), torch.ones(2))


@exercise.misconception(
    en="You read the *first* occurrence. A token that came three times was followed by something "
    "newer: the latest one counts.",
    zh="你取的是*第一次*出现。出现过多次的词元，要看最近的那一次。",
)
def first_occurrence(weights: Tensor, tokens: Tensor) -> Tensor:
    return _score(weights, tokens, _first)


def _first(row: list[int], query: int) -> int | None:
    earlier = [key for key in range(query) if row[key] == row[query]]
    return earlier[0] + 1 if earlier else None


@exercise.misconception(
    en="You read the occurrence itself. That is a head that looks for the same token; induction "
    "reads the key right after it.",
    zh="你读的是那次出现本身。那是在找相同词元的头；归纳读的是紧跟在它之后的键。",
)
def occurrence_itself(weights: Tensor, tokens: Tensor) -> Tensor:
    def key_of(row: list[int], query: int) -> int | None:
        after = _latest(row, query)
        return None if after is None else after - 1

    return _score(weights, tokens, key_of)


@exercise.misconception(
    en="You read the key one *before* the occurrence. Induction reads what came after it.",
    zh="你读的是那次出现*之前*的键。归纳读的是它之后的。",
)
def before_it(weights: Tensor, tokens: Tensor) -> Tensor:
    def key_of(row: list[int], query: int) -> int | None:
        after = _latest(row, query)
        return None if after is None or after < 2 else after - 2

    return _score(weights, tokens, key_of)


@exercise.misconception(
    en="The query counts as an occurrence of its own token, so the key after it lies in the "
    "future. Only keys before the query count.",
    zh="你把查询自己也当成了一次出现，它后面的键在未来。只算查询之前的键。",
)
def own_position(weights: Tensor, tokens: Tensor) -> Tensor:
    last = tokens.shape[1] - 1
    return _score(weights, tokens, lambda row, query: min(query + 1, last))


@exercise.misconception(
    en="You divided by all queries. Those whose token never came before have nothing to look at "
    "and do not count.",
    zh="你除以了全部查询。词元没有出现过的查询没有东西可看，不能算。",
)
def over_all_queries(weights: Tensor, tokens: Tensor) -> Tensor:
    read = torch.cat(_read(weights, tokens, _latest), -1).double()
    return read.sum(-1) / tokens.numel()


@exercise.misconception(
    en="You took a mean for each row, and then the mean of those. A row with two such queries then "
    "counts as much as one with twenty: take one mean over all.",
    zh="你先对每行取平均，再对这些平均取平均。这样，只有两个这种查询的行与有二十个的行分量一样："
    "应对所有查询一次取平均。",
)
def mean_of_rows(weights: Tensor, tokens: Tensor) -> Tensor:
    rows = [read.double().mean(-1) for read in _read(weights, tokens, _latest)]
    return torch.stack(rows).nanmean(0)


@exercise.misconception(
    en="You took a mean for each row, and a row that has no such query made the whole score NaN.",
    zh="你先对每行取平均，而有一行没有这样的查询，全部就成了NaN。",
)
def nan_of_rows(weights: Tensor, tokens: Tensor) -> Tensor:
    rows = [read.double().mean(-1) for read in _read(weights, tokens, _latest)]
    return torch.stack(rows).mean(0)


@exercise.misconception(
    en="The weights on the keys after *all* earlier occurrences were added up. Only the latest "
    "one counts.",
    zh="你把*每一次*更早的出现后面的权重都加了起来。只算最近的一次。",
)
def all_occurrences(weights: Tensor, tokens: Tensor) -> Tensor:
    same = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    counts = same.any(-1)
    after = same.roll(1, -1).double()[:, None] * weights
    return (after.sum(-1) * counts[:, None]).sum((0, 2)) / counts.sum()


@exercise.misconception(
    en="You averaged over all earlier occurrences. Each query reads one key, after the latest.",
    zh="你对更早的每一次出现都算了一份再平均。每个查询只读一个键，在最近一次之后。",
)
def each_occurrence(weights: Tensor, tokens: Tensor) -> Tensor:
    after = (tokens[:, :, None] == tokens[:, None, :]).tril(-1).roll(1, -1)
    read = (after[:, None] * weights.double()).sum((0, 2, 3))
    return read / after.sum()


@exercise.misconception(
    en="An occurrence right before the query was left out. The key after it is the query itself, "
    "and counts.",
    zh="紧挨在查询之前的出现你没有算。它后面的键就是查询自己，也算。",
)
def neighbours_left_out(weights: Tensor, tokens: Tensor) -> Tensor:
    def key_of(row: list[int], query: int) -> int | None:
        earlier = [key for key in range(query - 1) if row[key] == row[query]]
        return earlier[-1] + 1 if earlier else None

    return _score(weights, tokens, key_of)


@exercise.misconception(
    en="You skip a query whose key to read is the query itself. That key counts too: the token "
    "stood right before, and what followed it then is the query.",
    zh="要读的键若是查询自己，你就跳过了这个查询。这样的键也算：同一词元紧挨着出现，"
    "上一次跟在它后面的正是查询自己。",
)
def itself_skipped(weights: Tensor, tokens: Tensor) -> Tensor:
    def key_of(row: list[int], query: int) -> int | None:
        after = _latest(row, query)
        return None if after == query else after

    return _score(weights, tokens, key_of)


@exercise.misconception(
    en="Queries without an occurrence read key 0 and are counted: index 0 stood for “none”.",
    zh="没有出现过的查询读了第0个键，还算了进去：下标0本来表示“没有”。",
)
def none_reads_key_0(weights: Tensor, tokens: Tensor) -> Tensor:
    return _score(weights, tokens, lambda row, query: _latest(row, query) or 0)


@exercise.misconception(
    en="Where no query has an occurrence you return 0, as if the heads had been asked and looked "
    "elsewhere. NaN says that nothing was asked.",
    zh="没有查询可算时你返回了0，那就成了“问过，但头在看别处”。NaN才表示没有问过。",
)
def nothing_as_zero(weights: Tensor, tokens: Tensor) -> Tensor:
    return query_by_query(weights, tokens).nan_to_num(0.0)


@exercise.misconception(
    en="Queries and keys are exchanged: you read `weights[…, key, query]`, which a causal head "
    "leaves 0 for every earlier key.",
    zh="查询和键反了：你读的是`weights[…, key, query]`，对更早的键，因果的头在那里都是0。",
)
def exchanged(weights: Tensor, tokens: Tensor) -> Tensor:
    return _score(weights.mT, tokens, _latest)


@exercise.misconception(
    en="All rows were read with the tokens of the first.",
    zh="每一行你用的都是第一行的词元。",
)
def first_row_for_all(weights: Tensor, tokens: Tensor) -> Tensor:
    return _score(weights, tokens[:1].expand(tokens.shape), _latest)


@exercise.misconception(
    en="What was seen in one row is remembered in the next. Each row is a text of its own: forget "
    "at its start.",
    zh="上一行见过的词元，你带到了下一行。每行是一段独立的文本，开头要清空。",
)
def memory_kept(weights: Tensor, tokens: Tensor) -> Tensor:
    last, read = {}, []
    for table, row in zip(weights, tokens.tolist(), strict=True):
        for query, token in enumerate(row):
            if last.get(token, query) < query:
                read.append(table[:, query, last[token] + 1])
            last[token] = query
    return torch.stack(read).mean(0) if read else weights.new_full((weights.shape[1],), torch.nan)


@exercise.misconception(
    en="You have a score for every head of every row. What is asked is one for each head, over the "
    "queries of all rows.",
    zh="你给每一行的每个头都打了分。要的是每个头一个分数，所有行的查询放在一起平均。",
)
def row_by_row(weights: Tensor, tokens: Tensor) -> Tensor:
    return torch.stack([read.double().mean(-1) for read in _read(weights, tokens, _latest)])


@exercise.misconception(
    en="An occurrence at place 0 is lost: 0 also stands for “none”. Start from −1, or ask with "
    "`any` whether there is one.",
    zh="第0个位置上的出现被漏掉了：0同时还表示“没有”。可以从−1开始，或者用`any`判断有没有出现过。",
)
def place_0_as_none(weights: Tensor, tokens: Tensor) -> Tensor:
    def key_of(row: list[int], query: int) -> int | None:
        after = _latest(row, query)
        return None if after == 1 else after

    return _score(weights, tokens, key_of)
