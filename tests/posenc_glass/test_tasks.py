"""Each task asks what its text says, of rows worked out one token at a time."""

import pytest
import torch

from posenc_glass.tasks import (
    ASK,
    BACK,
    COUNT,
    INDUCTION,
    ITEMS,
    LONGEST_BLOCK,
    LONGEST_GAP,
    LOOKUP,
    MARK,
    MOST,
    NOTHING,
    SHORTEST_BLOCK,
    SORT,
    SORT_NOISE,
    SYMBOLS,
    TASKS,
    copy_back,
    count,
    induction,
    lookup,
    sort,
    vocabulary,
)


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("length", [64, 512])
@pytest.mark.parametrize("name", TASKS)
def test_rows_follow_from_the_seed_alone(name, length):
    tokens, targets = TASKS[name](8, length, generator())
    again = TASKS[name](8, length, generator())
    assert torch.equal(tokens, again.tokens)
    assert torch.equal(targets, again.targets)
    assert not torch.equal(tokens, TASKS[name](8, length, generator(1)).tokens)
    assert tokens.shape == targets.shape == (8, length)
    assert tokens.min() >= 0
    assert tokens.max() < vocabulary(name)
    answers = targets[targets != NOTHING]
    assert len(answers)
    assert ((answers >= 0) & (answers < SYMBOLS)).all()


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: lookup(1, 3, generator()), "at least 4 tokens, got 3"),
        (lambda: sort(1, 16, generator()), "at least 17 tokens, got 16"),
        (lambda: lookup(1, 64, generator(), depth=1.5), "between 0 and 1, got 1.5"),
    ],
)
def test_rows_that_cannot_hold_what_is_asked_are_refused(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


@pytest.mark.parametrize(("draw", "length"), [(lookup, 4), (sort, 17)])
def test_the_shortest_rows_hold_what_is_asked(draw, length):
    tokens, targets = draw(20, length, generator())
    assert tokens.shape == (20, length)
    assert (tokens == ASK).sum(1).tolist() == [1] * 20
    assert (targets != NOTHING).sum(1).tolist() == [1 if draw is lookup else ITEMS] * 20


def test_copy_asks_for_the_symbol_some_tokens_back():
    for tokens, targets in zip(*copy_back(4, 12, generator()), strict=True):
        for at, target in enumerate(targets.tolist()):
            expected = tokens[at - BACK].item() if at > BACK else NOTHING
            assert target == expected


def test_induction_asks_for_what_followed_the_same_symbol_of_the_block_before():
    sizes, gaps = set(), set()
    for tokens, targets in zip(*induction(64, 128, generator()), strict=True):
        row = tokens.tolist()
        assert row[0] == INDUCTION
        queries = [at for at, target in enumerate(targets.tolist()) if target != NOTHING]
        starts = [at for at in queries if at - 1 not in queries]
        size = next(n for n in range(len(queries) + 1) if starts[0] + n not in queries) + 1
        block = [*row[starts[0] : starts[0] + size - 1], targets[starts[0] + size - 2].item()]
        sizes.add(size)
        first = row.index(block[0])
        assert row[first : first + size] == block
        assert len(set(block)) == size
        for at in queries:
            assert targets[at] == block[block.index(row[at]) + 1]
        for start, following in zip([first, *starts], starts, strict=False):
            gap = row[start + size : following]
            gaps.add(len(gap))
            assert not set(gap) & set(block)
            assert following + size > 128 or row[following : following + size] == block
    assert (min(sizes), max(sizes)) == (SHORTEST_BLOCK, LONGEST_BLOCK)
    assert (min(gaps), max(gaps)) == (1, LONGEST_GAP)


def test_lookup_asks_for_the_marked_symbol_at_every_ask_and_at_the_end():
    for tokens, targets in zip(*lookup(32, 64, generator()), strict=True):
        row = tokens.tolist()
        assert row[0] == LOOKUP
        assert row.count(MARK) == 1
        assert row[-1] == ASK
        symbol = row[row.index(MARK) + 1]
        assert symbol < SYMBOLS
        asks = [i for i, token in enumerate(row) if token == ASK]
        assert min(asks) > row.index(MARK) + 1
        assert targets.tolist() == [symbol if i in asks else NOTHING for i in range(64)]


@pytest.mark.parametrize(("depth", "mark"), [(0.0, 1), (0.5, 31), (1.0, 61)])
def test_a_needle_lies_at_its_depth_and_is_asked_for_once(depth, mark):
    tokens, targets = lookup(8, 64, generator(), depth=depth)
    assert (tokens[:, mark] == MARK).all()
    assert (tokens == ASK).sum(1).tolist() == [1] * 8
    assert torch.equal(targets[:, -1], tokens[:, mark + 1])


def test_count_asks_how_many_marks_have_come():
    largest = 0
    for tokens, targets in zip(*count(8, 200, generator()), strict=True):
        row = tokens.tolist()
        assert row[0] == COUNT
        expected = [min(MOST, row[: at + 1].count(MARK)) for at in range(1, 200)]
        assert targets.tolist() == [NOTHING, *expected]
        largest = max(largest, row.count(MARK))
    assert largest > MOST


def test_sort_lists_what_is_strewn_in_the_noise_in_the_order_of_its_positions():
    for tokens, targets in zip(*sort(64, 40, generator()), strict=True):
        row, answers = tokens.tolist(), targets.tolist()
        assert row[0] == SORT
        ask = row.index(ASK)
        items = [token for token in row[1:ask] if token >= SORT_NOISE]
        assert len(set(items)) == len(items) == ITEMS
        assert row[ask + 1 :] == items[:-1]
        assert answers == [NOTHING] * ask + items


def test_only_sort_has_a_token_more_than_the_tasks_before_it():
    assert {name: vocabulary(name) for name in TASKS if name != "sort"} == dict.fromkeys(
        ("copy", "induction", "lookup", "count"), SORT
    )
    assert vocabulary("sort") == SORT + 1
