"""Right answers to clinic_rotation_test, written differently."""

import itertools

import torch


def rebuild(turn):
    """Find out layout, share and base from one call, then compare with that RoPE everywhere."""
    D, heads, length = 8, 3, 5
    basis = torch.eye(D).repeat_interleave(heads, 0).view(D, heads, 1, D).expand(-1, -1, length, -1)
    first = turn(basis, basis)[0][:, 0, 1]  # (D, D): where each channel goes at position 1
    turns = [c for c in range(D) if first[c, c] < 1 - 1e-7]
    candidates = []
    for r, interleaved in itertools.product(range(4, D + 1, 2), (True, False)):
        pairs = [(2 * i, 2 * i + 1) if interleaved else (i, i + r // 2) for i in range(r // 2)]
        slow = first[pairs[1][1], pairs[1][0]].neg().asin().item()
        base = slow ** (-r / 2) if slow > 0 else 0.0
        candidates.append((r, pairs, base))
    return bool(turns) and any(_is_rope(turn, *one) for one in candidates if 90 < one[2] < 1.1e6)


def _is_rope(turn, r, pairs, base):
    rng = torch.Generator().manual_seed(5)
    for batch, heads, length, start in ((2, 3, 7, 0), (1, 1, 1, 9), (2, 1, 3, 4), (1, 2, 4, 6000)):
        q, k = torch.randn(2, batch, heads, length, 8, generator=rng)
        at = torch.arange(start, start + length, dtype=torch.float64)
        for x, y in zip((q, k), turn(q, k, start), strict=True):
            want = x.double().clone()
            for i, (a, b) in enumerate(pairs):
                angle = at * base ** (-2 * i / r)
                want[..., a] = x[..., a] * angle.cos() - x[..., b] * angle.sin()
                want[..., b] = x[..., a] * angle.sin() + x[..., b] * angle.cos()
            if (want - y).abs().max() > (0.05 if start < 100 else 0.2):
                return False
    return True


def properties(turn):
    """One property after another, each with inputs of its own."""
    rng = torch.Generator().manual_seed(7)
    q, k = torch.randn(2, 3, 2, 9, 32, generator=rng)
    a, b = turn(q, k)
    for start in (1, 77, 4000):
        c, d = turn(q, k, start)
        if not torch.allclose(a @ b.mT, c @ d.mT, atol=0.03):
            return False
    for t in range(9):
        one = turn(q[:, :, t : t + 1], k[:, :, t : t + 1], t)
        two = turn(q[:, :, t:], k[:, :, t:], t)
        both = (one[0], a[:, :, t : t + 1]), (one[1], b[:, :, t : t + 1])
        both += (two[0], a[:, :, t:]), (two[1], b[:, :, t:])
        if any((x - y).abs().max() > 0.01 for x, y in both):
            return False
    for n, h in itertools.product(range(3), range(2)):
        x, y = turn(q[n : n + 1, h : h + 1], k[n : n + 1, h : h + 1])
        if (x - a[n, h]).abs().max() > 0.01 or (y - b[n, h]).abs().max() > 0.01:
            return False
    return _speeds_fall(turn)


def _speeds_fall(turn):
    spikes = [torch.nn.functional.one_hot(torch.tensor([[[c]]]), 32).float() for c in range(32)]
    M = torch.stack([turn(e, e, 1)[1].flatten() for e in spikes])
    if abs(M[0, 0] - 0.5403) > 0.01 or abs(M[0].max() - 0.8415) > 0.01:
        return False
    first = int(M[0].argmax())
    members = range(0, 32, 2) if first == 1 else range(first)
    omega = [torch.atan2(M[c, [c + 1 if first == 1 else c + first][0]], M[c, c]) for c in members]
    w = torch.stack(omega)
    ratio = w[1]
    geometric = (w - ratio ** torch.arange(len(w))).abs().max() < 0.01
    return bool(geometric and 0 < ratio < 0.78)


alternatives = [rebuild, properties]

SAME = "same = all((torch.allclose(x, y, atol=0.02) for x, y in pairs))  →  same = all("
SPIKES = "matrix = turn(spikes, spikes, 1)[0].flatten(1)  →  matrix = "
equivalent = {  # mutant → why it is right too
    "….manual_seed(0))": "any sizes above 1 do, and any length above 5",
    "….manual_seed(1))": "any numbers do",
    "….manual_seed(-1))": "any numbers do",
    "…turn(q, k, 10000))": "as far as positions can reach",
    "…torch.eye(32)[:, None, None]": "any even width from 8 on does",
    "…strict=False)]": "both have two entries",
    "…other = 3 if partner == 1 else 1": "the other channel of the second pair",
    "…other = 4 if partner == 1 else 1": "the third pair is slower still",
    "alone = turn(q[1:, 1:, 5:], k[1:, 1:, 5:], 5)  →  alone = turn(q[2:, 1:, 5:], "
    "k[1:, 1:, 5:], 5)": "an empty batch of queries; the keys of the same call tell as much",
    "alone = turn(q[1:, 1:, 5:], k[1:, 1:, 5:], 5)  →  alone = turn(q[1:, 1:, 5:], "
    "k[2:, 1:, 5:], 5)": "an empty batch of keys; the queries of the same call tell as much",
    SAME + "(torch.allclose(y, x, atol=0.02) for x, y in pairs))": "equal is equal both ways",
    SAME + "(torch.allclose(x, y, atol=0.04) for x, y in pairs))": "faults are larger",
    SPIKES + "turn(spikes, spikes, 1)[1].flatten(1)": "keys turn alike",
    SPIKES + "turn(spikes, spikes, 1)[-1].flatten(1)": "keys turn alike",
    "return same and bool(matrix[other, other] > 0.8)  →  return same and "
    "bool(matrix[other, other] >= 0.8)": "the border lies between right and wrong speeds",
}
