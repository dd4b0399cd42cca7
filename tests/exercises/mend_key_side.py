"""Right answers to mend_key_side, written differently."""

import torch


def looked_up(k, relative_q):
    span, p = len(relative_q) // 2, torch.arange(len(k))
    row = (p[:, None] - p + span).clamp(0, 2 * span - 1)
    return (relative_q[row] * k[None]).sum(-1)


def column_by_column(k, relative_q):
    span, p = len(relative_q) // 2, torch.arange(len(k))
    columns = [relative_q[(p - j + span).clamp(0, 2 * span - 1)] @ x for j, x in enumerate(k)]
    return torch.stack(columns, dim=1)


alternatives = [looked_up, column_by_column]
