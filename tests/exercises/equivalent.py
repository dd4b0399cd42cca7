"""Mutants that are right answers too, or differ only where nobody is asked: id → mutant → why."""

LAST_AXIS = "the last axis of a matrix is axis 1"

EQUIVALENT: dict[str, dict[str, str]] = {
    "attention_weights": {
        "scores = q @ k.T / q.shape[-1] ** 0.5  →  scores = q @ k.T / q.shape[1] ** 0.5": LAST_AXIS,
        "return scores.softmax(dim=-1)  →  return scores.softmax(dim=1)": LAST_AXIS,
    },
    "equivariance_gap": {
        "return (f(x[order]) - f(x)[order]).abs().max()"
        "  →  return (f(x)[order] - f(x[order])).abs().max()": "the absolute value is even",
    },
    "first_rise": {
        "k = 1  →  k = 2": "S(0) is the maximum, so S never rises at k = 1",
        "while s(k) <= s(k - 1):  →  while s(k) < s(k - 1):": "S is never the same twice in a row",
        "while s(k) <= s(k - 1):  →  while s(k) <= s(1 - k):": "the cosine is even: S(-k) = S(k)",
    },
    "mend_channel_index": {
        "return torch.cat((angles.sin(), angles.cos()), dim=-1)"
        "  →  return torch.cat((angles.sin(), angles.cos()), dim=1)": LAST_AXIS,
    },
    "mend_late_mask": {
        "return scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)"
        "  →  return scores.masked_fill(~visible, -torch.inf).softmax(dim=1)": LAST_AXIS,
    },
    "mend_softmax_axis": {
        "scores = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5"
        "  →  scores = q @ k.transpose(2, 1) / q.shape[-1] ** 0.5": "a swap has no direction",
    },
    "sinusoidal_similarity": {
        "return (distances[:, None] * omega).cos().sum(-1)"
        "  →  return (distances[:, None] * omega).cos().sum(1)": LAST_AXIS,
    },
}
