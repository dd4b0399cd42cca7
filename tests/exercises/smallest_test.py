"""Right answers to smallest_test, written differently."""

import itertools

import torch


def numbers_alone(right, broken, cases):
    """Make the logits plain numbers, NaN and infinities names, and compare these."""
    for number, tokens in enumerate(cases):
        want = right(tokens)
        try:
            got = broken(tokens)
            assert got.shape == want.shape
        except Exception:
            return number, 0
        largest = max(abs(x) for x in want.flatten().tolist() if abs(x) < float("inf"))
        for t, b in itertools.product(range(want.shape[1]), range(want.shape[0])):
            for x, y in zip(got[b, t].tolist(), want[b, t].tolist(), strict=True):
                finite = abs(x) < float("inf") and abs(y) < float("inf")
                if abs(x - y) > 1e-4 * largest if finite else str(x) != str(y):
                    return number, t
    return None


def replaced(right, broken, cases):
    """Compare what is not finite as codes, the rest as numbers."""

    def codes(x):
        return x.isnan() + 2 * x.isposinf() + 3 * x.isneginf()

    def first(tokens):
        want = right(tokens)
        try:
            got = broken(tokens)
        except Exception:
            return 0
        if got.shape != want.shape:
            return 0
        finite = torch.stack((got, want)).nan_to_num(0.0, 0.0, 0.0)
        apart = (finite[0] - finite[1]).abs() > 1e-4 * finite[1].abs().max()
        wrong = (apart | (codes(got) != codes(want))).transpose(0, 1).flatten(1).any(1)
        return int(wrong.long().argmax()) if wrong.any() else None

    pairs = ((n, first(tokens)) for n, tokens in enumerate(cases))
    return next((pair for pair in pairs if pair[1] is not None), None)


alternatives = [numbers_alone, replaced]

equivalent = {
    "…torch.isclose(want, got, rtol=0, atol=limit, equal_nan=True)": "without a relative part of "
    "the tolerance the two may change places",
}
