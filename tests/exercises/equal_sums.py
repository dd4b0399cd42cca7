"""Right answers to equal_sums, written differently."""

from collections import Counter
from itertools import combinations

import torch


def sets_of_places(tokens):
    """Give each word in turn a set of the places that are free, with the sum that it must have."""
    words = tokens.tolist()
    needs = [
        (words.count(word), sum(p for p, other in enumerate(words, 1) if other == word))
        for word in set(words)
    ]

    def choose(free, needs):
        if not needs:
            return 1
        (number, total), *others = needs
        return sum(
            choose(free - set(places), others)
            for places in combinations(sorted(free), number)
            if sum(places) == total
        )

    return choose(frozenset(range(1, len(words) + 1)), needs)


def layer_by_layer(tokens):
    """Extend all beginnings by a word at a time; keep how many have the same words and sums."""
    words = sorted(set(tokens.tolist()))
    limit = Counter(tokens.tolist())
    beginnings = Counter({((0,) * len(words), (0,) * len(words)): 1})
    for place in range(len(tokens)):  # counted from 0: the sums of all orders shift alike
        longer = Counter()
        for (used, sums), number in beginnings.items():
            for w, word in enumerate(words):
                if used[w] < limit[word]:
                    now = tuple(u + (i == w) for i, u in enumerate(used))
                    moved = tuple(s + place * (i == w) for i, s in enumerate(sums))
                    longer[now, moved] += number
        beginnings = longer
    goal = tuple(
        sum(p for p, token in enumerate(tokens.tolist()) if token == word) for word in words
    )
    return beginnings[tuple(limit[word] for word in words), goal]


def every_order(tokens):
    """List the different orders and compare the sums of their one-hot vectors."""
    words, kinds = tokens.unique(return_inverse=True)

    def orders(left):
        if not left:
            yield []
        for kind in set(left):
            rest = list(left)
            rest.remove(kind)
            for order in orders(rest):
                yield [kind, *order]

    listed = torch.tensor(list(orders(kinds.tolist())))  # (n, L)
    places = torch.arange(1, len(tokens) + 1)
    sums = torch.stack([(places * (listed == kind)).sum(1) for kind in range(len(words))], dim=1)
    mine = torch.stack([places[kinds == kind].sum() for kind in range(len(words))])
    return int((sums == mine).all(1).sum())


alternatives = [sets_of_places, layer_by_layer, every_order]

equivalent = {  # mutant → why it is right too
    "….half().to(tokens.dtype)": "numbers of words as small as these are exact in float16",
    "….float()": "the numbers of words only tell them apart",
    "….long()": "integers already",
    "one = torch.eye(len(words)).long()[word]  →  one = torch.eye(len(words))[word]": (
        "positions and their totals are whole in float32 too"
    ),
}
